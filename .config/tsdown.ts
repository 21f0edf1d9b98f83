import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';
import { ambientTypes } from './ambient-types.ts';
import manifest from '../package.json' with { type: 'json' };
import { describedConfigSchema } from './config-schema.ts';
import { MANIFEST_SCHEMA } from '../src/attribution/manifest/schema.ts';

const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

const entries = [
  'index',
  'client',
  'server',
  'vite',
  'rollup',
  'rolldown',
  'webpack',
  'rspack',
  'esbuild',
  'farm',
  'bun',
  'astro',
  'nuxt',
  'eleventy',
  'cli',
  'credits/react',
  'credits/vue',
  'credits/svelte',
  'credits/astro',
  'credits/web-component',
];

/** Entries whose default export is a plugin, and is all that they export. */
const PLUGINS: ReadonlySet<string> = new Set(
  ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun', 'eleventy'].map(
    (name) => `${name}.js`,
  ),
);

/**
 * Modules that are always loaded together, with all that they import: Node.js takes longer to find and link fifty small files
 * than to read four. A group comes before those that import it; the first two have what browsers load too, so nothing of Node.js.
 */
const together: Record<string, RegExp> = {
  words: /src\/(?:errors|untrusted|version|request\/suggest)\.ts$/,
  credits: /src\/credits\/describe-list\.ts$/,
  names: /src\/server\/words\.ts$/,
  start: /src\/(?:options\/(?:import-default|file)|store\/file-lock)\.ts$/,
  core: /src\/(?:pipeline\/(?:pipeline|connection)|options\/(?:resolve-options|file))\.ts$|\/p-limit\//,
  build: /src\/build\/(?:session|finish-build|outdated|pages)\.ts$/,
  rollup: /src\/bundlers\/rollup\/plugin\.ts$/,
  vite: /src\/bundlers\/vite\/plugin\.ts$/,
  pages: /src\/markup\/rewrite-page\.ts$/,
  making: /src\/(?:pipeline\/(?:load-icon|sources)|store\/content-store)\.ts$/,
  browser: /src\/picker\/(?:shell|state)\.ts$/,
  command: /src\/cli\/(?:main|host)\.ts$/,
  project: /src\/(?:cli\/(?:open|load)-project|project\/open)\.ts$/,
  sources: /src\/(?:project\/(?:references|pin)|scan\/(?:list-files|found))\.ts$/,
  searching: /src\/(?:pipeline\/searches|cli\/query-options)\.ts$/,
};
const GENERIC: ReadonlySet<string> = new Set(['picomatch', '@jridgewell/remapping']);
const BUNDLED = [
  'unplugin',
  'picomatch',
  'leven',
  'p-limit',
  'fast-string-truncated-width',
  // Of p-limit.
  'yocto-queue',
  'spdx-license-ids',
];
const groups = Object.entries(together).map(([name, test], at, { length }) => ({
  name,
  test,
  priority: length - at,
}));

/** Name, version, licence and licence text of each package that these modules come from. */
function notices(modules: readonly string[]): string {
  const folders = modules.map(
    (id) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id)?.[0],
  );
  const texts = [...new Set(folders)].flatMap((folder) => {
    if (folder === undefined) return [];
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return [`## ${name} - ${version} (${license})\n\n${text}`.trim()];
  });
  const head = '# Licenses\n\nThe package bundles these packages, in whole or in part:';
  return `${[head, ...texts.sort()].join('\n\n')}\n`;
}

const config: UserConfig = defineConfig({
  entry: [
    ...entries.map((name) => `src/${name}.ts`),
    // Astro's dev server loads it by its path.
    { 'astro-toolbar': 'src/integrations/astro-toolbar.ts' },
    // A worker is started by its path.
    { 'prepare-worker': 'src/pipeline/prepare-worker.ts' },
  ],
  // tsdown would take the folder of this file.
  cwd: process.cwd(),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  logLevel: 'warn',
  // `.js` and `.d.ts`: the package is ESM only, so the extension has nothing to say.
  fixedExtension: false,
  // Each package takes a millisecond of every build to be found, read and linked, so those that every build loads are bundled
  // and their licences go along. The rest stay dependencies, so that users can audit and update them.
  deps: { onlyBundle: BUNDLED },
  copy: [
    // webpack and Rspack take loaders by their paths.
    { from: 'src/bundlers/webpack/icon-loader.cjs', to: 'dist/bundlers/webpack' },
    { from: 'src/bundlers/webpack/style-loader.cjs', to: 'dist/bundlers/webpack' },
  ],
  plugins: [
    {
      // Code that runs in browsers holds no more of the manifest than it uses.
      name: 'manifest',
      load(id) {
        if (id !== MANIFEST) return;
        const { name, version } = manifest;
        const { homepage } = manifest as { homepage?: string };
        return { code: JSON.stringify({ name, version, homepage }), moduleType: 'json' };
      },
    },
    {
      // What unplugin matches paths and joins source maps with, for generic hooks: no part of `src/plugin.ts` has any, and
      // every build would load it.
      name: 'generic-hooks',
      resolveId(source, importer = '') {
        const isUnplugin = /[\\/]node_modules[\\/]unplugin[\\/]/.test(importer);
        return isUnplugin && GENERIC.has(source) ? '\0generic' : undefined;
      },
      load(id) {
        const said = 'A generic hook of unplugin was called, which this package does not use.';
        const code = `export default () => { throw new Error(${JSON.stringify(said)}); };`;
        return id === '\0generic' ? code : undefined;
      },
    },
    {
      // Node.js decodes files of ASCII alone without a copy, so that an entry loads some milliseconds sooner.
      name: 'ascii',
      generateBundle(_, bundle) {
        const escaped = (unit: string): string =>
          `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !file.fileName.endsWith('.js')) continue;
          if (/String\.raw`[^`]*[^\0-\x7f]/.test(file.code))
            throw new Error(`A raw string of ${file.fileName} has a character that is not ASCII.`);
          file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
        }
      },
    },
    {
      // A configuration in CommonJS gets the plugin from `require`, as it does from most packages; its `default` is the same.
      // Not written in `src`, as TypeScript before 5.6 cannot read such a name in declarations.
      name: 'required',
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !file.isEntry || !PLUGINS.has(file.fileName)) continue;
          const name = /\bexport \{ (\w+) as default \};/.exec(file.code)?.[1];
          if (name === undefined) throw new Error(`${file.fileName} has no default export alone.`);
          file.code += `const required = Object.assign(${name}, { default: ${name} });\nexport { required as "module.exports" };\n`;
        }
      },
    },
    {
      name: 'schemas',
      generateBundle() {
        const schemas = { attribution: MANIFEST_SCHEMA, config: describedConfigSchema() };
        for (const [name, schema] of Object.entries(schemas)) {
          const source = `${JSON.stringify(schema, null, 2)}\n`;
          this.emitFile({ type: 'asset', fileName: `schema/${name}.json`, source });
        }
      },
    },
    {
      name: 'notices',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const source = notices(chunks.flatMap(({ moduleIds }) => moduleIds));
        this.emitFile({ type: 'asset', fileName: 'NOTICES', source });
      },
    },
    {
      name: 'ambient-types',
      generateBundle() {
        for (const [fileName, text] of Object.entries(ambientTypes()))
          this.emitFile({ type: 'asset', fileName, source: text });
      },
    },
  ],
  outputOptions: {
    comments: { jsdoc: false, annotation: true, legal: true },
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
  },
});

export default config;
