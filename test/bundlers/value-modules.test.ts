import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as farm } from '@farmfe/core';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import { describe, expect, it } from 'vitest';
import { rspack } from '@rspack/core';
import { rspack as rspack1 } from 'rspack1';
import webpack, { type WebpackPluginInstance } from 'webpack';
import { fromFarmPath } from '../../src/bundlers/farm/modules.ts';
import esbuildPlugin from '../../src/esbuild.ts';
import farmPlugin from '../../src/farm.ts';
import rolldownPlugin from '../../src/rolldown.ts';
import rollupPlugin from '../../src/rollup.ts';
import rspackPlugin from '../../src/rspack.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import webpackPlugin from '../../src/webpack.ts';
import { shownBy } from '../support/shown-by.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { TestLogger } from './farm/test-logger.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { BUN } from '../support/bun.ts';

const [star, moon, bell] = ['star', 'moon', 'bell'].map((name) => embeddedIconId('tabler', name));
const FILES = {
  'main.js': `import star from 'icon:${star}'; import moon from 'icon:${moon}?color=f00';
    import { credit } from './named.js'; import { ns } from './space.js';
    import unused, { icon as bell } from 'icon:${bell}'; import * as bells from 'icon:${bell}?color=00f';
    globalThis.shown = [star, moon, credit.id, ns, bell.id, bells.credit.id];`,
  'named.js': `import same, { credit } from 'icon:${star}'; export { credit, same };`,
  'space.js': `import * as ns from 'icon:${star}'; export { ns };`,
};

const BUN_SCRIPT = fileURLToPath(new URL('bun/run-real.ts', import.meta.url));

type Write = (root: string) => Promise<readonly { modules: string[] }[]>;
const optionsOf = (root: string) => ({
  catalog: { embedded: { root: process.cwd() } },
  cacheDir: join(root, '.cache'),
  lockfile: join(root, 'icons.lock'),
  logLevel: 'silent' as const,
});
const modulesOf = (output: readonly { type: string }[]): { modules: string[] }[] =>
  output.flatMap((file) =>
    file.type === 'chunk' && 'moduleIds' in file ? [{ modules: file.moduleIds as string[] }] : [],
  );

const BUNDLERS: [string, Write][] = [
  [
    'rollup',
    async (root) => {
      const plugins = [rollupPlugin(optionsOf(root))];
      const bundle = await rollup({ input: join(root, 'main.js'), plugins });
      const { output } = await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
      return modulesOf(output);
    },
  ],
  [
    'rolldown',
    async (root) => {
      const plugins = [rolldownPlugin(optionsOf(root))];
      const bundle = await rolldown({ input: join(root, 'main.js'), cwd: root, plugins });
      const { output } = await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
      return modulesOf(output);
    },
  ],
  [
    'vite',
    async (root) => {
      const result = await viteBuild({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin(optionsOf(root))],
        build: { minify: false, rollupOptions: { input: join(root, 'main.js') } },
      });
      return [result].flat().flatMap((built) => ('output' in built ? modulesOf(built.output) : []));
    },
  ],
  [
    'esbuild',
    async (root) => {
      const { metafile } = await esbuild({
        absWorkingDir: root,
        entryPoints: ['main.js'],
        outdir: 'dist',
        bundle: true,
        metafile: true,
        plugins: [esbuildPlugin(optionsOf(root))],
      });
      return [{ modules: Object.keys(metafile.outputs['dist/main.js']?.inputs ?? {}) }];
    },
  ],
  [
    'farm',
    async (root) => {
      const modules: string[] = [];
      await farm({
        root,
        logger: new TestLogger(),
        compilation: {
          progress: false,
          input: { main: './main.js' },
          output: { path: 'dist', targetEnv: 'node', entryFilename: '[entryName].js' },
          presetEnv: false,
          persistentCache: false,
        },
        plugins: [
          farmPlugin(optionsOf(root)),
          {
            name: 'modules',
            finalizeResources: {
              async executor({ resourcesMap }) {
                for (const { info } of Object.values(resourcesMap))
                  for (const id of info?.moduleIds ?? []) modules.push(fromFarmPath(id) ?? id);
                return null;
              },
            },
          },
        ],
      });
      return [{ modules }];
    },
  ],
  [
    'bun',
    async (root) => {
      const args = [BUN_SCRIPT, JSON.stringify(optionsOf(root)), './main.js'];
      const { stdout } = await promisify(execFile)(BUN, args, { cwd: root });
      return [{ modules: JSON.parse(stdout) as string[] }];
    },
  ],
  ['webpack', (root) => buildByWebpack(root, [])],
  ['webpack without concatenated modules', (root) => buildByWebpack(root, ['concatenateModules'])],
  ['rspack', (root) => buildByWebpack(root, [], rspack)],
  ['rspack 1', (root) => buildByWebpack(root, [], rspack1)],
];

async function buildByWebpack(
  root: string,
  without: ['concatenateModules'] | [],
  bundle: typeof webpack | typeof rspack | typeof rspack1 = webpack,
): Promise<{ modules: string[] }[]> {
  const plugin = bundle === webpack ? webpackPlugin : rspackPlugin;
  const compiler = (bundle as typeof webpack)({
    mode: 'production',
    context: root,
    entry: './main.js',
    output: { path: join(root, 'dist') },
    optimization: {
      minimize: false,
      ...Object.fromEntries(without.map((optimization) => [optimization, false])),
    },
    plugins: [plugin(optionsOf(root)) as WebpackPluginInstance],
  });
  if (compiler === null) throw new Error('no compiler');
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  const { errors = [], modules: all = [] } =
    stats?.toJson({
      all: false,
      errors: true,
      modules: true,
      nestedModules: true,
      orphanModules: true,
    }) ?? {};
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const modules = all.flatMap(({ modules: inner = [], name }) =>
    [name, ...inner.map((module) => module.name)].map((each) => each ?? ''),
  );
  return [{ modules }];
}

describe.each(BUNDLERS)('%s', (name, build) => {
  it('hands importers of default exports the drawing alone, and ships it once', async () => {
    const root = await writeProject(FILES);
    const [chunk] = await build(root);
    const icons = chunk?.modules.filter((id) => id.startsWith('icon:')) ?? [];
    // Rspack says late who imports an icon: there the records have the module of their own.
    const ids = name.startsWith('rspack')
      ? [
          `icon:${star}?as=svg&color=currentColor&filetype=svg&size=1em;records`,
          `icon:${moon}?as=svg&color=ff0000&filetype=svg&size=1em`,
        ]
      : [`icon:${star};`, `icon:${moon};color=ff0000`];
    expect(icons).toContain(ids[0]);
    const [, ofMoon] = ids;
    const moons = new Set(icons.filter((id) => id.startsWith(`icon:${moon}`)));
    expect(moons).toEqual(new Set([ofMoon]));

    const tree = await readTree(join(root, 'dist'));
    const [file = '', script] = [...tree].find(([path]) => path.endsWith('.js')) ?? [];
    const code = script?.toString() ?? '';
    // Two drawings: one an icon, whatever is imported of it.
    expect(code.split(/(?:<|\\u003c)svg/i).length - 1).toBe(2);
    const [drawing, red, id, namespace, ...records] = (await shownBy(join(root, 'dist', file))) as [
      string,
      string,
      string,
      object,
      ...string[],
    ];
    expect(drawing).toMatch(/^<svg/);
    expect(red).toContain('ff0000');
    expect(id).toBe(String(star));
    // The names of Farm's namespaces are in an order of their own.
    expect(Object.keys(namespace).toSorted()).toEqual(['credit', 'default', 'icon']);
    expect(namespace).toMatchObject({ default: drawing, credit: { id } });

    // Of an icon whose record alone is read nothing ships.
    expect(records).toEqual([String(bell), String(bell)]);
    const manifest = parseManifest(tree.get('icon-attribution.json')?.toString() ?? '');
    const usedIn = new Map(manifest.icons.map((icon) => [icon.id, icon.usedIn.length]));
    expect(usedIn).toEqual(new Map([star, moon].map((icon) => [String(icon), 1])));
  });

  it('says the same in a second build, which takes its files from the cache', async () => {
    const root = await writeProject(FILES);
    await build(root);
    const first = await readTree(join(root, 'dist'));
    await build(root);
    expect(await readTree(join(root, 'dist'))).toEqual(first);
  });
});

it.each<[string, typeof webpack | typeof rspack | typeof rspack1]>([
  ['webpack', webpack],
  ['rspack', rspack],
  ['rspack 1', rspack1],
])(
  '%s hands the whole module to everything but an import of the default export',
  async (_, bundle) => {
    const root = await writeProject({
      'main.js': `import star from 'icon:${star}'; import * as space from 'icon:${star}';
      import { drawing, about } from './barrel.js'; import { icon } from './all.js';
      import moon from './moon.cjs'; import unread, { credit } from 'icon:${bell}?size=20';
      globalThis.shown = import(/* webpackMode: "eager" */ 'icon:${moon}').then((late) => [
        space[['de', 'fault'].join('')] === star, Object.keys(space).length, drawing === star,
        about.id, icon.id, moon.credit.id, late.credit.id, late.default === moon.default,
      ]);`,
      'barrel.js': `export { default as drawing, credit as about } from 'icon:${star}';`,
      'all.js': `export * from 'icon:${bell}';`,
      'moon.cjs': `module.exports = require('icon:${moon}');`,
    });
    await buildByWebpack(root, [], bundle);
    const ids = [star, bell, moon, moon].map(String);
    expect(await shownBy(join(root, 'dist/main.js'))).toEqual([true, 3, true, ...ids, true]);
  },
);
