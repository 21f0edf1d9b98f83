import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rspack } from '@rspack/core';
import { expect, it, onTestFinished } from 'vitest';
import webpack from 'webpack';
import type { Options } from '../../src/options/options.ts';
import rspackPlugin from '../../src/rspack.ts';
import { embeddedIconId } from '../../src/server.ts';
import webpackPlugin from '../../src/webpack.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';

interface Watched {
  root: string;
  options: Options;
}

/** Starts a watcher; what it gives ends it. */
const WATCHERS: Record<string, (project: Watched) => () => Promise<unknown>> = {
  webpack: (project) => watchCompiler(webpack, webpackPlugin, project),
  rspack: (project) => watchCompiler(rspack as unknown as typeof webpack, rspackPlugin, project),
  rollup: (project) => watchInChild('rollup', project),
  rolldown: (project) => watchInChild('rolldown', project),
};

/** Their project is the folder in which they run. */
function watchInChild(
  name: 'rollup' | 'rolldown',
  { root, options }: Watched,
): () => Promise<void> {
  const entry = (path: string): string =>
    JSON.stringify(new URL(`../../${path}`, import.meta.url).href);
  const script = `import { watch } from ${entry(`node_modules/${name === 'rollup' ? 'rollup/dist/es/rollup.js' : 'rolldown/dist/index.mjs'}`)};
    import plugin from ${entry(`dist/${name}.js`)};
    watch({ input: 'src/index.js', output: { dir: 'dist' }, plugins: [plugin(${JSON.stringify(options)})] });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  return async () => {
    child.kill();
    await ended;
  };
}

function watchCompiler(
  create: typeof webpack,
  plugin: (options: Options) => unknown,
  { root, options }: Watched,
): () => Promise<void> {
  const compiler = create({
    mode: 'development',
    context: root,
    infrastructureLogging: { level: 'none' },
    output: { path: join(root, 'dist') },
    plugins: [plugin(options) as webpack.WebpackPluginInstance],
  });
  compiler?.watch({ aggregateTimeout: 20 }, () => undefined);
  return () => new Promise((resolve) => compiler?.close(() => resolve()));
}

const HOME = embeddedIconId('tabler', 'home');
const STAR = embeddedIconId('tabler', 'star');
const aliases = { house: HOME, star: STAR };

it.each(Object.keys(WATCHERS))('a watcher of %s tells TypeScript of imports', async (name) => {
  const root = await writeProject({
    'tsconfig.json': '{}',
    'src/index.js': `import icon from 'icon:house?size=20'; import icons from 'icon:set?ids=star'; console.log(icon, icons);`,
  });
  const options: Options = {
    catalog: { embedded: { sets: ['tabler'], root: process.cwd() } },
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'icons.lock'),
    aliases,
    logLevel: 'silent',
  };
  const close = WATCHERS[name]?.({ root, options });
  onTestFinished(async () => void (await close?.()));
  const declared = async (): Promise<string[]> => {
    const text = await readFile(join(root, 'src/icon-catalog.d.ts'), 'utf8').catch(() => '');
    return [...text.matchAll(/^declare module "([^"]*)"/gm)].map(([, specifier = '']) => specifier);
  };
  await expect
    .poll(declared)
    .toEqual(['icon:house', 'icon:house?size=20', 'icon:set?ids=star', 'icon:star']);
  // Saved again and again: a watcher may not look yet when its first build is done.
  const save = async (): Promise<string[]> => {
    await writeFiles(root, {
      'src/index.js': `import star from 'icon:star?url'; console.log(star);`,
    });
    return declared();
  };
  await expect.poll(save, { interval: 400 }).toContain('icon:star?url');
});
