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

/**
 * Modules that are always loaded together, with all that they import: Node.js takes longer to find and link fifty small files
 * than to read four. A group comes before those that import it; the first has what browsers load too, so nothing of Node.js.
 */
const together: Record<string, RegExp> = {
  words: /src\/(?:credits\/(?:credits-props|describe-list)|errors|version)\.ts$/,
  start: /src\/(?:request\/suggest|options\/import-default)\.ts$/,
  core: /src\/(?:pipeline\/(?:pipeline|connection)|options\/(?:resolve-options|file|load-env))\.ts$/,
  load: /src\/pipeline\/load\.ts$/,
  build: /src\/build\/(?:session|placed-images|declarer)\.ts$/,
  command: /src\/cli\/(?:main|node-host)\.ts$/,
  project: /src\/(?:cli\/(?:open|load)-project|project\/open)\.ts$/,
  sources: /src\/(?:project\/(?:references|pin)|scan\/(?:list-files|found))\.ts$/,
};
const groups = Object.entries(together).map(([name, test], at, { length }) => ({
  name,
  test,
  priority: length - at,
}));

const config: UserConfig = defineConfig({
  entry: [
    ...entries.map((name) => `src/${name}.ts`),
    // Astro's dev server loads it by its path.
    { 'astro-toolbar': 'src/integrations/astro-toolbar.ts' },
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
  // Everything that users install with the package stays a dependency, so that they can audit and update it.
  deps: { skipNodeModulesBundle: true },
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
      name: 'ambient-types',
      generateBundle() {
        for (const [fileName, text] of Object.entries(ambientTypes()))
          this.emitFile({ type: 'asset', fileName, source: text });
      },
    },
  ],
  outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js', codeSplitting: { groups } },
});

export default config;
