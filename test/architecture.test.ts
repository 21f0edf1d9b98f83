import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSource, readSource, type Door } from './support/read-source.ts';

/** A file holds one whole thought. Past this many lines there is a second one in it. */
const LINES = 320;

const VOCABULARY = ['types.ts', 'component.ts', 'errors.ts', 'options.ts', 'version.ts'];
const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun'];

/**
 * The arrows of the house: entries → plugin → icons → corridor → rooms → vocabulary. A folder of src/ is an area, a file
 * at its top another; an area may always import itself. No room imports a sibling, nothing imports upward.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'types.ts': ['credit-types.ts'],
  'credit-types.ts': [],
  'errors.ts': [],
  'version.ts': [],
  // Which hosts everybody can reach: a rule for links and for what is fetched.
  'public-host.ts': [],
  // Texts of licences, as records, lock files and lists of credits hold them.
  'license-text.ts': [],
  // What a project's own writer of components gets.
  'component.ts': ['types.ts'],
  'options.ts': ['types.ts', 'component.ts'],

  // Names of the embedded catalog are spellings of ids.
  request: ['types.ts', 'component.ts', 'errors.ts', 'options.ts', 'server/ids.ts'],
  catalog: ['types.ts', 'errors.ts', 'public-host.ts'],
  store: ['types.ts', 'errors.ts', 'license-text.ts'],
  svg: ['types.ts', 'errors.ts'],
  emit: ['types.ts', 'component.ts', 'errors.ts'],
  markup: ['types.ts', 'errors.ts'],
  attribution: ['types.ts', 'errors.ts', 'options.ts', 'public-host.ts', 'license-text.ts'],
  // Components over the records of `icon:credits`: the words are those of the credits page.
  credits: [
    'types.ts',
    'errors.ts',
    'attribution/credit-fragment.ts',
    'attribution/describe-credit.ts',
    'attribution/escape-html.ts',
    'attribution/group-icons.ts',
    'attribution/name-sections.ts',
    'attribution/rdfa-prefix.ts',
  ],
  // Finds references in source text; what they mean is for others to say.
  scan: [],
  // Types of imports, for editors.
  declare: [],
  // The embedded catalog speaks the same interface as the client, so both read one table and one signature. It draws
  // strangers' files, which must pass the one sanitiser.
  server: [
    ...VOCABULARY,
    'catalog/endpoints.ts',
    'catalog/oauth.ts',
    'catalog/schema.ts',
    'request/suggest.ts',
    'svg',
  ],

  'check-options.ts': [...VOCABULARY, 'check-values.ts', 'request'],
  // What single options may be, apart from which there are.
  'check-values.ts': [],
  'resolve-attribution.ts': VOCABULARY,
  'resolve-licenses.ts': [...VOCABULARY, 'request', 'attribution/spdx-ids.ts'],
  'resolve-options.ts': [
    ...VOCABULARY,
    'check-options.ts',
    'check-values.ts',
    'resolve-attribution.ts',
    'resolve-licenses.ts',
    'request/icon-name.ts',
    'store',
  ],

  // The file of a project that holds its options, for the command line and for plugins that were given none.
  config: [...VOCABULARY, 'check-options.ts', 'store/read-whole.ts'],

  corridor: [
    ...VOCABULARY,
    'public-host.ts',
    'license-text.ts',
    'resolve-attribution.ts',
    'resolve-options.ts',
    'server.ts',
    'request',
    'catalog',
    'store',
    'svg',
    'emit',
    'attribution',
    'declare',
    'server',
  ],
  'icons.ts': [...VOCABULARY, 'resolve-options.ts', 'corridor', 'request', 'emit', 'attribution'],
  plugin: [
    ...VOCABULARY,
    'check-options.ts',
    'resolve-attribution.ts',
    'resolve-options.ts',
    'store/file-lock.ts',
    'store/integrity.ts',
    'config',
    'corridor',
    'request',
    'svg',
    'emit',
    'markup',
    'attribution',
  ],
  // Generators of sites, over the same session as bundlers.
  integrations: [
    ...VOCABULARY,
    'check-options.ts',
    'resolve-attribution.ts',
    'resolve-options.ts',
    'config',
    'request',
    'markup',
    'plugin',
    'scan/glob.ts',
    // Names of components that stand for icons of installed sets.
    'server/find-iconify-sets.ts',
  ],
  'astro.ts': ['options.ts', 'integrations'],
  'nuxt.ts': ['options.ts', 'integrations'],
  'eleventy.ts': ['options.ts', 'integrations'],

  // What commands do to a project's pins: sources and lock on one side, the corridor on the other.
  upkeep: [
    ...VOCABULARY,
    'resolve-options.ts',
    'component.ts',
    'corridor',
    'emit',
    'request',
    'store',
    'attribution',
    'declare',
    'scan',
  ],
  // A shell over client, catalog and embedded catalog; it signs and draws nothing itself.
  cli: [
    ...VOCABULARY,
    'resolve-attribution.ts',
    'resolve-options.ts',
    'client.ts',
    'server.ts',
    'config',
    'catalog',
    'request/frameworks.ts',
    'request/icon-name.ts',
    'request/suggest.ts',
    'server/find-iconify-sets.ts',
    'server/unknown-name.ts',
    'component.ts',
    'upkeep',
    // Credits are written and checked without a build.
    'attribution',
    // Finished pages go the way of pages in a bundler.
    'plugin/session.ts',
    'integrations',
  ],
  'cli.ts': ['cli'],

  'client.ts': [...VOCABULARY, 'catalog'],
  'server.ts': [...VOCABULARY, 'server'],
  'index.ts': [
    ...VOCABULARY,
    'icons.ts',
    'request',
    'catalog',
    'attribution',
    'integrations/icon-catalog-resolver.ts',
    ...BUNDLERS.map((name) => `${name}.ts`),
  ],
  // The shell that unplugin gives to all entries of bundlers.
  'plugin.ts': ['options.ts'],
  ...Object.fromEntries(
    BUNDLERS.map((name) => [`${name}.ts`, ['options.ts', 'plugin.ts', 'plugin']]),
  ),
};

/** The only files with something from outside in them. */
const DOORS: Record<string, Door[]> = {
  'cli.ts': ['process'],
  'cli/commands/serve.ts': ['chance'],
  'cli/read-site.ts': ['files'],
  'cli/node-host.ts': ['files', 'process'],
  // One file each way to the network, and what a signature and a retry need.
  'catalog/deadline.ts': ['clock'],
  'catalog/fetch-wire.ts': ['network'],
  'catalog/load-undici.ts': ['network'],
  'catalog/retry.ts': ['clock'],
  'catalog/session.ts': ['chance', 'clock', 'process'],
  'catalog/signer.ts': ['chance'],
  'catalog/undici-wire.ts': ['network'],
  // The file of a project that holds its options.
  'config/load-env.ts': ['files'],
  'config/options-file.ts': ['files'],
  // The composition root and its key for the embedded catalog of one process.
  'corridor/build-state.ts': ['clock'],
  'corridor/catalog-identity.ts': ['files', 'process'],
  // A dev server writes the lock some moments after an icon was pinned.
  'corridor/create-corridor.ts': ['clock'],
  'corridor/create-log.ts': ['process'],
  'corridor/write-declarations.ts': ['files'],
  'corridor/idle-task.ts': ['clock'],
  // A turn of the event loop between two pieces of work.
  'corridor/pace.ts': ['clock'],
  'corridor/public-signs.ts': ['files'],
  'corridor/vendor-notice.ts': ['files'],
  'corridor/vendor-room.ts': ['files'],
  'corridor/write-reuse.ts': ['files'],
  // The project's name: it names the project's bundle in the cache of the fleet.
  'corridor/shared-tier.ts': ['files'],
  'icons.ts': ['process'],
  // Bundlers that cannot emit a file or start again by themselves, and the environment of each.
  'integrations/astro/create-astro-integration.ts': ['process'],
  'integrations/eleventy/add-to-eleventy.ts': ['files', 'process'],
  // Finished pages of any generator.
  'integrations/html/site-files.ts': ['chance', 'files'],
  'integrations/nuxt/publish-credits.ts': ['files'],
  // Lists that packages bring.
  'plugin/brought-lists.ts': ['files'],
  'plugin/bun/build-again.ts': ['files'],
  'plugin/bun/create-bun-plugin.ts': ['process'],
  'plugin/bun/deliver-files.ts': ['files'],
  'plugin/bun/read-style.ts': ['files'],
  'plugin/create-declarer.ts': ['clock'],
  'plugin/esbuild/create-esbuild-plugin.ts': ['process'],
  'plugin/esbuild/deliver-files.ts': ['files'],
  'plugin/esbuild/read-outputs.ts': ['files'],
  'plugin/farm/create-loader.ts': ['chance'],
  'plugin/farm/output-files.ts': ['files'],
  'plugin/farm/read-config.ts': ['process'],
  // The list of a folder, which every build that writes there reads and replaces.
  'plugin/list-files.ts': ['files', 'process'],
  'plugin/session-state.ts': ['process'],
  'plugin/short-path.ts': ['process'],
  'plugin/summary.ts': ['clock', 'process'],
  'plugin/vite/create-vite-plugin.ts': ['process'],
  // Asks it only what an IP address is.
  'plugin/vite/dev-requests.ts': ['network'],
  'plugin/vite/icon-libraries.ts': ['files'],
  'plugin/vite/lock-updates-plugin.ts': ['files'],
  'plugin/vite/watch-again.ts': ['clock'],
  // Which level Rsbuild was asked for.
  'plugin/webpack/bundler-log.ts': ['process'],
  // Which file system a compiler writes to.
  'plugin/webpack/emitted-files.ts': ['files'],
  'upkeep/components/settle-folder.ts': ['files', 'process'],
  // The lists in the project's output folders.
  'upkeep/prune-pins.ts': ['files'],
  // The files of a project that may hold references.
  'scan/list-files.ts': ['files'],
  'scan/scan-project.ts': ['files'],
  // The embedded catalog is a server: it reads sets, keeps state, tells the time and listens.
  'server/asset-addresses.ts': ['chance'],
  'server/create-app.ts': ['clock'],
  'server/create-catalog-server.ts': ['chance'],
  'server/find-iconify-sets.ts': ['files'],
  'server/iconify-sets.ts': ['files'],
  'server/identity.ts': ['files', 'process'],
  'server/listen.ts': ['network'],
  // Strangers' drawings are drawn in a process that can be killed when its time is up.
  'server/raster-process.ts': ['clock', 'process'],
  'server/raster-queue.ts': ['clock'],
  'server/read-library.ts': ['process'],
  'server/state.ts': ['chance', 'files'],
  'server/svg-folders.ts': ['files'],
  // The cache on disk.
  'store/content-store.ts': ['files'],
  'store/default-cache-dir.ts': ['process'],
  'store/file-lock.ts': ['chance', 'clock', 'files', 'process'],
  'store/fetch-turns.ts': ['chance', 'files'],
  'store/is-there.ts': ['files'],
  'store/machine-key.ts': ['chance', 'files'],
  'store/pack-file.ts': ['chance', 'files'],
  // The cache of a fleet: every operation has its time.
  'store/shared-cache/create-shared-cache.ts': ['clock'],
  'store/shared-cache/guard.ts': ['clock'],
  // A folder that machines share: a name aside, then the file.
  'store/shared-cache/open-storage.ts': ['chance', 'files'],
  'store/shared-cache/s3-storage.ts': ['network'],
  // The lock file, which is the project's own.
  'store/read-whole.ts': ['clock', 'files'],
  'store/replace-file.ts': ['chance', 'files'],
};

const files = readSource();

function areaOf(path: string): string {
  return path.split('/')[0] ?? path;
}

describe('the house', () => {
  it('has files to look at, and every area is in the table', () => {
    expect(files.length).toBeGreaterThan(50);
    const areas = new Set(files.map(({ path }) => areaOf(path)));
    expect([...areas].filter((area) => !(area in MAY_IMPORT))).toEqual([]);
  });

  it('has imports that run one way', () => {
    const wrong: string[] = [];
    for (const { path, imports } of files) {
      for (const specifier of imports.filter((name) => name.startsWith('.'))) {
        const target = posix.join(posix.dirname(path), specifier);
        const allowed = [areaOf(path), ...(MAY_IMPORT[areaOf(path)] ?? [])];
        const isManifest = path === 'version.ts' && target === '../package.json';
        if (!isManifest && !allowed.includes(areaOf(target)) && !allowed.includes(target)) {
          wrong.push(`${path} → ${target}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('opens to the street only where the table of doors says so', () => {
    const found = Object.fromEntries(
      files
        .filter(({ doors }) => doors.size > 0)
        .map(({ path, doors }) => [path, [...doors].toSorted()]),
    );
    expect(found).toEqual(DOORS);
  });

  it('keeps files short', () => {
    expect(
      files.filter(({ lines }) => lines > LINES).map(({ path, lines }) => `${path}: ${lines}`),
    ).toEqual([]);
  });

  it('has no `console`, `export *`, `any` or computed import()', () => {
    // A project's configuration is a module whose name nobody but the project knows.
    const allowed = /^config\/import-default\.ts:\d+ import\(\)/;
    expect(
      files.flatMap(({ forbidden }) => forbidden.filter((what) => !allowed.test(what))),
    ).toEqual([]);
  });
});

describe('the reader of this test', () => {
  it('sees every form of import and every door', () => {
    const { imports, doors, forbidden } = parseSource(
      'sample.ts',
      `import type { A } from './a.ts';
      export { b } from './b.ts';
      export * from './c.ts';
      import { readFile } from 'node:fs/promises';
      import { randomUUID } from 'node:crypto';
      type D = import('./d.ts').D;
      const e = () => import('./e.ts');
      const f = (name: string) => import(name);
      let g: any = Date.now() + new Date().getTime();
      console.warn(process.env.CI, setTimeout(() => fetch('x')));`,
    );
    expect(imports.filter((name) => name.startsWith('.'))).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `./${name}.ts`),
    );
    expect([...doors].toSorted()).toEqual(['chance', 'clock', 'files', 'network', 'process']);
    expect(forbidden).toEqual([
      'sample.ts:3 export *',
      'sample.ts:8 import() of something computed',
      'sample.ts:9 any',
      'sample.ts:10 console.warn',
    ]);
  });

  it('takes no pure use for a door', () => {
    const { doors } = parseSource(
      'sample.ts',
      `import { createHash } from 'node:crypto';
      import type { Stats } from 'node:fs';
      export const day = (at: number): string => new Date(at).toISOString() + createHash('sha256').digest('hex');`,
    );
    expect([...doors]).toEqual([]);
  });
});
