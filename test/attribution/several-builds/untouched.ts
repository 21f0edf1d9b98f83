import { join } from 'node:path';
import { build as farm } from '@farmfe/core';
import { rspack } from '@rspack/core';
import { build as esbuild, transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup, type Plugin } from 'rollup';
import { minify as terser } from 'terser';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { main } from '../../../src/cli/main.ts';
import { createNodeHost } from '../../../src/cli/host.ts';
import esbuildPlugin from '../../../src/esbuild.ts';
import farmPlugin from '../../../src/farm.ts';
import type { Options } from '../../../src/options/options.ts';
import rolldownPlugin from '../../../src/rolldown.ts';
import rollupPlugin from '../../../src/rollup.ts';
import rspackPlugin from '../../../src/rspack.ts';
import vitePlugin from '../../../src/vite.ts';
import webpackPlugin from '../../../src/webpack.ts';
import { TestLogger } from '../../bundlers/farm/test-logger.ts';
import { writeFiles, writeProject } from '../../support/write-project.ts';
import { listed, listIn, optionsOf, scanSite, goneFiles, type Name } from './build-with.ts';

/** What a script does with an icon, and which icons ship then. */
export const FORMS: Readonly<Record<string, { code: string; ships: Name[] }>> = {
  markup: { code: `import home from 'icon:home'; show(home);`, ships: ['home'] },
  file: { code: `import home from 'icon:home?url'; show(home);`, ships: ['home'] },
  address: { code: `import home from 'icon:home?inline'; show(home);`, ships: ['home'] },
  colours: {
    code: `import home from 'icon:home?color=f00'; import again from 'icon:home'; show(home + again);`,
    ships: ['home'],
  },
  sprite: { code: `import home from 'icon:home?as=sprite'; show(home);`, ships: ['home'] },
  record: { code: `import home from 'icon:home?as=meta'; show(home.term);`, ships: [] },
  'nothing imported is used': {
    code: `import home from 'icon:home'; import star from 'icon:star?url'; import bus from 'icon:bus'; show(bus);`,
    ships: ['bus'],
  },
  'a file that nothing uses': {
    code: `import star from 'icon:star?url'; show('none');`,
    ships: [],
  },
  'a constant condition': {
    code: `import home from 'icon:home'; import bus from 'icon:bus'; const on = false; show(bus); if (on) show(home);`,
    ships: ['bus'],
  },
  'a type that is known': {
    code: `import home from 'icon:home'; import bus from 'icon:bus'; show(bus); show(typeof home);`,
    ships: ['bus'],
  },
  'a length that is known': {
    code: `import home from 'icon:home'; import bus from 'icon:bus'; show(bus); show(home.length);`,
    ships: ['bus'],
  },
  credits: {
    code: `import credits from 'icon:credits'; import home from 'icon:home'; show(home); show(credits.length);`,
    ships: ['home'],
  },
};

export const MINIFIERS = {
  vite: ['none', 'oxc', 'esbuild', 'terser'],
  rollup: ['none', 'esbuild', 'terser'],
  rolldown: ['none', 'oxc'],
  webpack: ['none', 'terser'],
  rspack: ['none', 'swc'],
  esbuild: ['none', 'esbuild'],
  farm: ['none', 'swc'],
} as const;
export type Bundler = keyof typeof MINIFIERS;

export interface Case {
  bundler: Bundler;
  minifier: string;
  form: string;
  /** The icons are in a file of their own. */
  isSplit: boolean;
}

export function* allCases(): Generator<Case> {
  for (const [bundler, minifiers] of Object.entries(MINIFIERS))
    for (const minifier of minifiers)
      for (const form of Object.keys(FORMS))
        for (const isSplit of [false, true])
          yield { bundler: bundler as Bundler, minifier, form, isSplit };
}

const HEAD =
  'const show = (icon) => { globalThis.shown = [...(globalThis.shown ?? []), icon]; };\n';

/** Builds one case, and gives every word against its list: none is what each of our own outputs must have. */
export async function problemsOf({ bundler, minifier, form, isSplit }: Case): Promise<string[]> {
  const code = HEAD + (FORMS[form]?.code ?? '');
  const root = await writeProject({
    'main.js': isSplit ? `import('./lazy.js');` : code,
    'lazy.js': code,
    // What has one chunk only puts a second one beside it.
    'icon-catalog.config.json': '{}',
  });
  const options = optionsOf(root);
  await writeFiles(root, { 'icon-catalog.config.json': JSON.stringify(options) });
  await BUILD[bundler]({ root, minifier, options });
  const dist = join(root, 'dist');
  const problems: string[] = [];
  const names = listed(await listIn(dist));
  const seen = await scanSite(dist);
  if (names.join() !== seen.join())
    problems.push(`lists ${names.join()}, and its files hold ${seen.join()}`);
  const gone = await goneFiles(dist);
  if (gone.length > 0) problems.push(`names files that are not there: ${gone.join()}`);
  const { code: exit, text } = await check(root);
  if (exit !== 0) problems.push(text);
  return problems;
}

const machine = createNodeHost();

async function check(root: string): Promise<{ code: number; text: string }> {
  let text = '';
  const output = {
    write: (chunk: string | Uint8Array) => void (text += String(chunk)),
    isTerminal: false,
    columns: undefined,
    hasColor: false,
  };
  const host = { ...machine, cwd: root, env: {}, stdout: output, stderr: output };
  return { code: await main(['attribution', 'check', 'dist'], host), text };
}

interface Built {
  root: string;
  minifier: string;
  options: Options;
}

const BUILD: Record<Bundler, (built: Built) => Promise<void>> = {
  async vite({ root, minifier, options }) {
    await vite({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [vitePlugin(options)],
      build: {
        minify: minifier === 'none' ? false : (minifier as 'terser'),
        rollupOptions: { input: join(root, 'main.js') },
      },
    });
  },
  async rollup({ root, minifier, options }) {
    const minified: Plugin = {
      name: 'minified',
      async renderChunk(code) {
        if (minifier === 'esbuild')
          return (await transform(code, { minify: true, format: 'esm' })).code;
        return (await terser(code, { module: true })).code ?? code;
      },
    };
    const bundle = await rollup({
      input: join(root, 'main.js'),
      onwarn: () => undefined,
      plugins: [rollupPlugin(options), ...(minifier === 'none' ? [] : [minified])],
    });
    await bundle.write({ dir: join(root, 'dist') });
    await bundle.close();
  },
  async rolldown({ root, minifier, options }) {
    const bundle = await rolldown({
      cwd: root,
      input: join(root, 'main.js'),
      plugins: [rolldownPlugin(options)],
    });
    await bundle.write({ dir: join(root, 'dist'), minify: minifier !== 'none' });
    await bundle.close();
  },
  webpack: ({ root, minifier, options }) =>
    pack(
      webpack({
        context: root,
        mode: 'production',
        entry: './main.js',
        output: { path: join(root, 'dist'), publicPath: 'auto' },
        optimization: { minimize: minifier !== 'none' },
        plugins: [webpackPlugin(options)],
      }),
    ),
  rspack: ({ root, minifier, options }) =>
    pack(
      rspack({
        context: root,
        mode: 'production',
        entry: './main.js',
        output: { path: join(root, 'dist'), publicPath: 'auto' },
        optimization: { minimize: minifier !== 'none' },
        plugins: [rspackPlugin(options)],
      }) as unknown as webpack.Compiler,
    ),
  async esbuild({ root, minifier, options }) {
    await esbuild({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      outdir: 'dist',
      bundle: true,
      format: 'esm',
      splitting: true,
      minify: minifier !== 'none',
      logLevel: 'silent',
      plugins: [esbuildPlugin(options)],
    });
  },
  async farm({ root, minifier, options }) {
    await farm({
      root,
      logger: new TestLogger(),
      compilation: {
        progress: false,
        persistentCache: false,
        presetEnv: false,
        sourcemap: false,
        minify: minifier !== 'none',
        input: { main: './main.js' },
        output: { path: 'dist' },
      },
      plugins: [farmPlugin(options)],
    });
  },
};

async function pack(compiler: webpack.Compiler): Promise<void> {
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
    compiler.run((error, result) => (error ? reject(error) : resolve(result))),
  );
  await new Promise((resolve) => compiler.close(resolve));
  if (stats?.hasErrors() !== false) throw new Error(stats?.toString('errors-only'));
}
