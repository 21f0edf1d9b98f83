import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import AutoImport from 'unplugin-auto-import/vite';
import AutoImportInWebpack from 'unplugin-auto-import/webpack';
import { build, type InlineConfig, type UserConfig } from 'vite';
import { expect, it } from 'vitest';
import webpack from 'webpack';
import { IconCatalogResolver } from '../../src/index.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import iconCatalog from '../../src/vite.ts';
import iconCatalogInWebpack from '../../src/webpack.ts';
import { blockOf } from '../support/docs.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const HOME = embeddedIconId('tabler', 'home');
const STAR = embeddedIconId('tabler', 'star');
const aliases = { house: HOME, 'shooting-star': STAR };

function optionsOf(root: string): Options {
  return {
    catalog: { embedded: { sets: ['tabler'], root: process.cwd() } },
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
  };
}

async function project(files: Record<string, string>): Promise<string> {
  const root = await writeProject(files);
  await symlink(MODULES, join(root, 'node_modules'), 'junction');
  return root;
}

async function outputOf(root: string): Promise<{ titles: (string | null)[]; code: string }> {
  const tree = await readTree(join(root, 'dist'));
  const { icons } = parseManifest(String(tree.get('icon-attribution.json')));
  const code = [...tree].filter(([name]) => name.endsWith('.js')).map(([, text]) => String(text));
  return { titles: icons.map(({ title }) => title), code: code.join('\n') };
}

it('gives templates and scripts of Vue what they name, configured as the documentation shows', async () => {
  const written = blockOf('docs/frameworks/vue.md', 'vite.config.ts of a project whose icons');
  const root = await project({
    'index.html': '<div id="app"></div><script type="module" src="/main.js"></script>',
    'main.js': `import { createApp } from 'vue'; import App from './App.vue'; createApp(App).mount('#app');`,
    'App.vue': `<template><IconHouse :size="24" /><icon-${STAR} /><icon-tabler-moon /><component :is="icon" /></template>
      <script setup>const icon = IconHouse;</script>`,
  });
  const config = written
    .replaceAll('123', String(HOME))
    .replace(`'unplugin-icon-catalog/vite'`, `'${SOURCE}vite.ts'`)
    .replace(`'unplugin-icon-catalog'`, `'${SOURCE}index.ts'`)
    .replace('iconCatalog({', `iconCatalog({ ...${JSON.stringify(optionsOf(root))},`);
  await writeFile(join(root, 'vite.config.ts'), config);
  const { default: user } = (await import(pathToFileURL(join(root, 'vite.config.ts')).href)) as {
    default: UserConfig;
  };
  await build({ ...user, root, configFile: false, logLevel: 'silent' });

  const { titles, code } = await outputOf(root);
  expect(titles).toEqual(['Home', 'Moon', 'Star']);
  // Each drawing once, and no name left for Vue to look up at run time.
  expect(code.match(/M5 12H3l9-9 9 9h-2/g)).toHaveLength(1);
  expect(code).not.toMatch(/["'](?:icon-\d|IconHouse)/i);
  // The build does not wait for this file.
  await expect
    .poll(() => readFile(join(root, 'components.d.ts'), 'utf8').catch(() => ''))
    .toContain(`IconHouse: typeof import('icon:house?as=component')['default']`);
});

it('gives JSX what it names', async () => {
  const root = await project({
    'main.jsx': `console.log(<a><IconHouse size={24} /><IconShootingStar /><IconTablerBell /></a>)`,
  });
  const resolvers = [IconCatalogResolver({ aliases })];
  const config: InlineConfig = {
    plugins: [
      AutoImport({ resolvers, dts: false }),
      iconCatalog({ ...optionsOf(root), aliases, framework: 'react' }),
    ],
    build: { rollupOptions: { input: join(root, 'main.jsx'), external: [/^react/] } },
  };
  await build({ ...config, root, configFile: false, logLevel: 'silent' });
  expect((await outputOf(root)).titles).toEqual(['Bell', 'Home', 'Star']);
});

it('does so in webpack', async () => {
  const root = await project({
    'src/index.js': `import { h } from 'vue'; globalThis.shown = h(IconHouse, { size: 24 });`,
  });
  const resolvers = [IconCatalogResolver({ aliases, params: { title: 'Home' } })];
  const compiler = webpack({
    mode: 'production',
    context: root,
    output: { path: join(root, 'dist') },
    externals: { vue: 'globalThis' },
    plugins: [
      AutoImportInWebpack({ resolvers, dts: false }),
      iconCatalogInWebpack({ ...optionsOf(root), aliases, framework: 'vue' }),
    ],
  });
  const reported = await new Promise<string>((resolve, reject) => {
    compiler?.run((error, stats) => {
      if (error ?? !stats) return reject(error ?? new Error('no stats'));
      const text = stats.toString({ all: false, errors: true, warnings: true });
      compiler.close(() => resolve(text));
    });
  });
  expect(reported).toBe('');
  const { titles, code } = await outputOf(root);
  expect(titles).toEqual(['Home']);
  expect(code).toMatch(/title:"Home"/);
});
