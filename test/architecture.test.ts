import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Access, parseSource, readSource, type SourceFile } from './support/read-source.ts';

/** A file holds one whole thought. Past this many lines there is a second one in it. */
const MOST_LINES = 320;
/** A function that does not fit on a screen or two is several. */
const MOST_FUNCTION_LINES = 80;
/** A file with fewer lines and a single importer belongs into that importer. */
const CRUMB = 25;

const VOCABULARY = [
  'types.ts',
  'component.ts',
  'errors.ts',
  'untrusted.ts',
  'version.ts',
  'options/options.ts',
];
const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun'];

/**
 * What each area may import: entries → bundlers, integrations, cli → build, project → pipeline → leaves → vocabulary. A
 * folder of src/ is an area, a file at its top another; an area may always import itself. Leaves do not import each other
 * but for the files that are named here.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'types.ts': ['credit-types.ts'],
  'credit-types.ts': [],
  'errors.ts': ['version.ts'],
  'version.ts': [],
  // Values and texts from outside: what of them is used.
  'untrusted.ts': [],
  'component.ts': ['types.ts'],

  // Leaves. Names of the embedded catalog are spellings of ids.
  request: [...VOCABULARY, 'server/ids.ts'],
  catalog: ['types.ts', 'errors.ts', 'untrusted.ts'],
  // Keys of icons have one file, with all their spellings, and so has the way to the network.
  store: ['types.ts', 'errors.ts', 'untrusted.ts', 'request/key.ts', 'catalog/wire.ts'],
  // The one tokenizer of markup is read by all that read markup.
  svg: ['types.ts', 'errors.ts', 'markup/tokens.ts'],
  emit: ['types.ts', 'component.ts', 'errors.ts', 'markup/tokens.ts'],
  markup: ['types.ts', 'errors.ts'],
  attribution: ['types.ts', 'errors.ts', 'untrusted.ts', 'store/hash.ts'],
  // Finds references in source text; what they mean is decided in project/.
  scan: [],
  // Components over the records of `icon:credits`: their words are those of the credits page, and they run in browsers.
  credits: ['types.ts', 'errors.ts', 'attribution/credit/describe-credit.ts', 'untrusted.ts'],
  // The embedded catalog speaks the same interface as the client, so both read one table and one signature. It draws
  // untrusted files, which must pass the one sanitiser.
  server: [
    ...VOCABULARY,
    'catalog/endpoints.ts',
    'catalog/oauth.ts',
    'markup/tokens.ts',
    // Its options are those of `catalog.embedded`.
    'options/schema.ts',
    'request/suggest.ts',
    'store/files.ts',
    'store/hash.ts',
    'store/walk.ts',
    'svg',
  ],

  // Options are checked and completed once. The default cache folder and addresses of storages are the store's to know.
  options: [...VOCABULARY, 'request', 'store', 'attribution/license/list.ts'],

  // The one path from an import to its module.
  pipeline: [
    ...VOCABULARY,
    'options',
    'server.ts',
    'request',
    'catalog',
    'store',
    'svg',
    'emit',
    'attribution',
    'server',
  ],
  // Type declarations of a project's imports.
  dts: [...VOCABULARY, 'options', 'pipeline', 'request', 'store', 'svg'],
  'icons.ts': [...VOCABULARY, 'options', 'pipeline', 'request', 'emit', 'attribution'],

  // What all bundlers share.
  build: [
    ...VOCABULARY,
    'options',
    'store/credit-lists.ts',
    'store/file-lock.ts',
    'store/files.ts',
    'store/hash.ts',
    'store/walk.ts',
    'pipeline',
    'dts',
    'request',
    'svg',
    'emit',
    'markup',
    'attribution',
  ],
  // The icon browser of dev servers: what its page asks, and what it may do to the project.
  picker: [
    ...VOCABULARY,
    'options',
    'pipeline',
    'project',
    'server/installed-sets.ts',
    'request',
    'catalog',
    'store',
    'svg',
    'attribution',
  ],
  bundlers: [
    ...VOCABULARY,
    'options',
    'build',
    'picker',
    'pipeline/build-state.ts',
    'store/files.ts',
    'store/hash.ts',
    'request',
    'markup',
    'emit',
  ],
  // Generators of sites, over the same session as bundlers.
  integrations: [
    ...VOCABULARY,
    'options',
    'request',
    'markup',
    'build',
    'bundlers',
    'scan/list-files.ts',
    'store/credit-lists.ts',
    'store/files.ts',
    'store/hash.ts',
    'store/walk.ts',
    // Names of components that stand for icons of installed sets.
    'server/installed-sets.ts',
    // Where the icon browser is.
    'picker/shell.ts',
  ],
  'astro.ts': ['options/options.ts', 'integrations'],
  'nuxt.ts': ['options/options.ts', 'integrations'],
  'eleventy.ts': ['options/options.ts', 'integrations'],

  // What commands do to a project: its sources and its lock on one side, the pipeline on the other.
  project: [
    ...VOCABULARY,
    'options',
    'pipeline',
    'dts',
    'emit',
    'request',
    'store',
    'svg/render-svg.ts',
    'attribution',
    'scan',
  ],
  // Reads arguments and prints; it signs and draws nothing itself.
  cli: [
    ...VOCABULARY,
    'options',
    'client.ts',
    'server.ts',
    'catalog',
    'request',
    'server/installed-sets.ts',
    'project',
    // Opens the catalog as builds do.
    'pipeline/connection.ts',
    'pipeline/searches.ts',
    'pipeline/thumbnails.ts',
    // Opens the icon browser.
    'picker',
    // Credits are written and checked without a build.
    'attribution',
    // Finished pages take the same path as pages in a bundler.
    'build/session.ts',
    // Lists are merged as builds do it.
    'build/list-files.ts',
    'build/other-builds.ts',
    'store/credit-lists.ts',
    'store/walk.ts',
    'integrations',
  ],
  'cli.ts': ['cli'],

  'client.ts': [...VOCABULARY, 'catalog'],
  'server.ts': [...VOCABULARY, 'server'],
  'index.ts': [
    ...VOCABULARY,
    'icons.ts',
    'request',
    'attribution',
    'integrations/icon-catalog-resolver.ts',
    // Loaded when their plugins are made.
    ...BUNDLERS.map((name) => `${name}.ts`),
  ],
  // The shell that unplugin gives to the entries of bundlers.
  'plugin.ts': ['options/options.ts'],
  ...Object.fromEntries(
    BUNDLERS.map((name) => [
      `${name}.ts`,
      ['options/options.ts', 'build', 'bundlers', 'plugin.ts'],
    ]),
  ),
};

/** Entries, which are named by the package, and tables that only one file reads. */
const NO_CRUMBS = /^[^/]+\.ts$|^credits\/|^cli\/commands\/|^picker\/page\/main\.tsx$/;

/** The only files that reach something outside the process, and what it is. */
const FILES_WITH_ACCESS: Record<string, Access[]> = {
  'build/importers.ts': ['files'],
  'build/libraries.ts': ['files'],
  'build/stray-icons.ts': ['files'],
  'build/session.ts': ['clock'],
  // Where in its file a reference that cannot be used is written.
  'build/failures.ts': ['files', 'process'],
  'build/list-files.ts': ['files', 'process'],
  'build/session-state.ts': ['process'],
  'build/finish-build.ts': ['clock', 'process'],
  'bundlers/bun/modules.ts': ['files'],
  'bundlers/bun/plugin.ts': ['files', 'process'],
  'bundlers/esbuild/output.ts': ['files'],
  'bundlers/esbuild/plugin.ts': ['process'],
  'bundlers/farm/modules.ts': ['chance', 'process'],
  'bundlers/farm/output.ts': ['files'],
  // The environment: there is no icon browser on CI machines.
  'bundlers/vite/picker.ts': ['files', 'process'],
  'bundlers/vite/plugin.ts': ['process'],
  'bundlers/vite/updates.ts': ['clock', 'files'],
  // Which file system a compiler writes to.
  // Servers for webpack's lazy compilation, which webpack starts.
  'bundlers/webpack/lazy-compilation.ts': ['chance', 'network'],
  'bundlers/webpack/next-requests.ts': ['process'],
  'bundlers/webpack/output.ts': ['files'],
  // Which configuration there is, the environment (there is no icon browser on CI machines), and which level Rsbuild was asked for.
  'bundlers/webpack/plugin.ts': ['files', 'process'],
  // One file each way to the network, and what a signature and a retry need.
  'catalog/retry.ts': ['clock'],
  'catalog/session.ts': ['clock', 'process'],
  'catalog/signer.ts': ['chance'],
  'catalog/transport.ts': ['chance'],
  'catalog/wire.ts': ['clock', 'network'],
  'cli.ts': ['process'],
  'cli/commands/attribution.ts': ['files'],
  // An answer must come within its time.
  'cli/commands/doctor.ts': ['clock'],
  // The icon browser has a port of its own.
  'cli/commands/browse.ts': ['network'],
  'cli/commands/serve.ts': ['chance'],
  'cli/host.ts': ['clock', 'files', 'process'],
  'dts/declarations-folder.ts': ['files'],
  'dts/declare-imports.ts': ['files'],
  'icons.ts': ['process'],
  // Bundlers that cannot emit a file or start again by themselves, and the environment of each.
  'integrations/astro.ts': ['process'],
  'integrations/eleventy.ts': ['files', 'process'],
  // Finished pages of any generator.
  'integrations/html.ts': ['files'],
  'integrations/nuxt.ts': ['files'],
  'options/file.ts': ['files'],
  'options/import-default.ts': ['files'],
  'picker/page/client.ts': ['network'],
  // The focus moves once the page is drawn.
  'picker/page/keys.ts': ['clock'],
  // How long an answer took decides when to ask again.
  'picker/page/app.ts': ['clock'],
  'picker/page/results.tsx': ['clock'],
  'picker/page/search-view.tsx': ['clock'],
  'picker/page/take.ts': ['chance', 'clock'],
  'pipeline/assets.ts': ['clock'],
  // The composition root and its key for the embedded catalog of one process.
  'pipeline/build-state.ts': ['clock', 'process'],
  'pipeline/connection.ts': ['files'],
  // The clock that the icon browser reports.
  'picker/answers.ts': ['clock'],
  // The files of its page; it asks the network only what an IP address is.
  'picker/create-picker.ts': ['files', 'network'],
  'picker/open-editor.ts': ['clock', 'process'],
  // The configuration, for names that it has got since it was loaded.
  'picker/project.ts': ['files'],
  // Its token, and for how long addresses live.
  'picker/state.ts': ['chance', 'clock'],
  // Tokens that reverse a write.
  'picker/write.ts': ['chance'],
  // A dev server writes the lock some moments after an icon was pinned.
  'pipeline/pipeline.ts': ['clock'],
  // A turn of the event loop between two pieces of work, and whether there is a second core.
  'pipeline/preparation.ts': ['clock', 'files', 'process'],
  // Answers of the catalog that are kept for a day, and pictures of its icons.
  'pipeline/searches.ts': ['clock', 'files'],
  'pipeline/thumbnails.ts': ['files'],
  'pipeline/vendor.ts': ['files'],
  // What a project is built with, and the files that put the plugin into it.
  'project/detect.ts': ['files'],
  // What is installed, and whether the cache can be written.
  'project/doctor.ts': ['files', 'process'],
  'project/add-icons.ts': ['files'],
  'project/emit.ts': ['files'],
  'project/init-steps.ts': ['files'],
  // The lists in the project's output folders.
  'project/prune.ts': ['files'],
  'project/sync.ts': ['files'],
  // What a local catalog keeps, and .env.local.
  'project/serving.ts': ['files'],
  // The files of a project that may hold references.
  'scan/list-files.ts': ['files'],
  'project/references.ts': ['files'],
  // The embedded catalog is a server: it reads sets, keeps state, tells the time and listens.
  'server/call.ts': ['chance'],
  'server/create-app.ts': ['clock', 'process'],
  'server/create-catalog-server.ts': ['chance'],
  'server/installed-sets.ts': ['files', 'process'],
  'server/listen.ts': ['network'],
  // Strangers' drawings are drawn in a process that can be killed when its time is up.
  'server/raster-process.ts': ['clock', 'process'],
  'server/state.ts': ['files'],
  'server/read-sets.ts': ['files'],
  'store/batches.ts': ['chance', 'clock', 'files'],
  'store/content-pack.ts': ['files'],
  'store/credit-lists.ts': ['files'],
  'store/content-store.ts': ['clock'],
  'store/file-lock.ts': ['chance', 'clock', 'files', 'process'],
  // The lock file, which is the project's own.
  'store/files.ts': ['chance', 'clock', 'files', 'process'],
  'store/packs.ts': ['chance', 'files'],
  // The cache of a fleet: every operation has its time.
  'store/shared-cache/create-shared-cache.ts': ['clock'],
  'store/shared-cache/guard.ts': ['clock'],
  // An answer must come within its time.
  'store/shared-cache/open-storage.ts': ['clock'],
  'store/walk.ts': ['files'],
};

const files = readSource();

function areaOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Paths of the files that a file imports, types and dynamic imports included. */
function importedBy({ path, imports }: SourceFile): string[] {
  return imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

/** Groups of files that import each other, directly or through others (Tarjan). */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

describe('the source', () => {
  it('has files to look at, and every area is in the table', () => {
    expect(files.length).toBeGreaterThan(50);
    const areas = new Set(files.map(({ path }) => areaOf(path)));
    expect([...areas].filter((area) => !(area in MAY_IMPORT))).toEqual([]);
  });

  it('has imports that run one way', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const area = areaOf(file.path);
      for (const target of importedBy(file)) {
        const allowed = [area, ...(MAY_IMPORT[area] ?? [])];
        const isManifest = file.path === 'version.ts' && target === '../package.json';
        if (!isManifest && !allowed.includes(areaOf(target)) && !allowed.includes(target)) {
          wrong.push(`${file.path} → ${target}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has no two files that import each other', () => {
    expect(findCycles(new Map(files.map((file) => [file.path, importedBy(file)])))).toEqual([]);
  });

  it('reaches files, network, clock, chance and process only in the files of the table', () => {
    const found = Object.fromEntries(
      files
        .filter(({ access }) => access.size > 0)
        .map(({ path, access }) => [path, [...access].toSorted()]),
    );
    expect(found).toEqual(FILES_WITH_ACCESS);
  });

  it('keeps files and functions short', () => {
    expect(
      files.filter(({ lines }) => lines > MOST_LINES).map(({ path, lines }) => `${path}: ${lines}`),
    ).toEqual([]);
    const long = files.flatMap(({ path, functions }) =>
      functions
        .filter(({ lines }) => lines > MOST_FUNCTION_LINES)
        .map(({ name }) => `${path} ${name}`),
    );
    expect(long).toEqual([]);
  });

  it('has no small file that only one other file imports', () => {
    const importers = new Map<string, number>();
    for (const file of files)
      for (const target of new Set(importedBy(file)))
        importers.set(target, (importers.get(target) ?? 0) + 1);
    expect(
      files
        .filter(({ path, lines }) => lines < CRUMB && !NO_CRUMBS.test(path))
        .map(({ path }) => path)
        .filter((path) => (importers.get(path) ?? 0) < 2),
    ).toEqual([]);
  });

  it('has no `console`, `export *`, `any` or computed import()', () => {
    // A project's configuration is a module whose name only the project knows.
    const allowed = /^options\/import-default\.ts:\d+ import\(\)/;
    expect(
      files.flatMap(({ forbidden }) => forbidden.filter((what) => !allowed.test(what))),
    ).toEqual([]);
  });
});

describe('the page about the source', () => {
  const page = readFileSync(new URL('../src/README.md', import.meta.url), 'utf8');
  const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

  it('names files and folders that are there', () => {
    const paths = quoted.filter((text) => /^[\w/.-]+(?:\.ts|\/)$/.test(text));
    expect(paths.length).toBeGreaterThan(40);
    const root = new URL('../', import.meta.url);
    const isThere = (path: string): boolean =>
      [`src/${path}`, path].some((each) => existsSync(new URL(each, root)));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('names functions and types that its files export', () => {
    const names = quoted.filter((text) => /^[A-Za-z]*[A-Z][A-Za-z]*$/.test(text));
    expect(names.length).toBeGreaterThan(25);
    const source = files.map(({ text }) => text).join('\n');
    const isExported = (name: string): boolean =>
      new RegExp(`export (?:async )?(?:function|const|interface|type|class) ${name}\\b`).test(
        source,
      );
    expect(names.filter((name) => !isExported(name))).toEqual([]);
  });
});

describe('the search for cycles', () => {
  it('finds cycles of any length, and none in a graph without one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', ['e']],
      ['e', []],
    ]);
    expect(findCycles(graph).map((group) => group.toSorted())).toEqual([['a', 'b', 'c']]);
    graph.set('c', ['d']);
    expect(findCycles(graph)).toEqual([]);
  });
});

describe('the reader of this test', () => {
  it('sees every form of import and of access', () => {
    const { imports, access, forbidden } = parseSource(
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
    expect([...access].toSorted()).toEqual(['chance', 'clock', 'files', 'network', 'process']);
    expect(forbidden).toEqual([
      'sample.ts:3 export *',
      'sample.ts:8 import() of something computed',
      'sample.ts:9 any',
      'sample.ts:10 console.warn',
    ]);
  });

  it('takes no pure use for access', () => {
    const { access } = parseSource(
      'sample.ts',
      `import { createHash } from 'node:crypto';
      import type { Stats } from 'node:fs';
      export const day = (at: number): string => new Date(at).toISOString() + createHash('sha256').digest('hex');`,
    );
    expect([...access]).toEqual([]);
  });
});
