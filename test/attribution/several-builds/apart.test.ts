import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import { createLogger, build as vite } from 'vite';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { createNodeHost } from '../../../src/cli/host.ts';
import type { Options } from '../../../src/options/options.ts';
import type { Manifest } from '../../../src/types.ts';
import { printSummaries } from '../../../src/build/finish-build.ts';
import esbuildPlugin from '../../../src/esbuild.ts';
import rollupPlugin from '../../../src/rollup.ts';
import vitePlugin from '../../../src/vite.ts';
import { readTree, writeFiles, writeProject } from '../../support/write-project.ts';
import {
  BUNDLERS,
  buildWith,
  goneFiles,
  idOf,
  listed,
  listIn,
  optionsOf,
  scanSite,
  type Bundler,
  type Name,
} from './build-with.ts';

const shows = (name: Name): string => `import icon from 'icon:${name}'; globalThis.shown = icon;`;
const machine = createNodeHost();

/** The command line in a project's folder. */
async function run(root: string, ...args: string[]): Promise<{ code: number; said: string }> {
  let said = '';
  const write = (chunk: string | Uint8Array): void => void (said += String(chunk));
  const output = { write, isTerminal: false, columns: undefined, hasColor: false };
  const host = { ...machine, cwd: root, env: {}, stdout: output, stderr: output };
  return { code: await main(args, host), said };
}

/** A project whose configuration the command line reads. */
async function createProject(
  files: Record<string, string>,
  options: Options = {},
): Promise<{ root: string; dist: string }> {
  const root = await writeProject(files);
  const config = JSON.stringify(optionsOf(root, options));
  await writeFiles(root, { 'icon-catalog.config.json': config });
  return { root, dist: join(root, 'dist') };
}

/** The list of a folder, compared with its files by a scan of our own and by `attribution check`. */
async function judge(root: string, folder = 'dist'): Promise<Manifest> {
  const list = await listIn(join(root, folder));
  expect(listed(list)).toEqual(await scanSite(join(root, folder)));
  expect(await goneFiles(join(root, folder))).toEqual([]);
  const places = list.icons.flatMap(({ id, usedIn }) => usedIn.map(({ file }) => `${id} ${file}`));
  expect(places).toEqual([...new Set(places)]);
  const { code, said } = await run(root, 'attribution', 'check', folder);
  expect(code, said).toBe(0);
  return list;
}

const serverOf = (bundler: Bundler): string => (bundler === 'vite' ? 'ssr' : 'server');

/** What two jobs have built, each on a machine of its own, copied into one project. */
async function createJobs(bundler: Bundler = 'esbuild'): Promise<{ root: string; dist: string }> {
  const builds = { attribution: { builds: ['client', serverOf(bundler)] } };
  const project = await createProject({}, builds);
  for (const [job, entry, name] of [
    ['job-1', 'client.js', 'home'],
    ['job-2', 'server.js', 'bus'],
  ] as const) {
    const root = await writeProject({ [entry]: shows(name) });
    const isServer = entry === 'server.js';
    await buildWith(bundler, { root, entry, outDir: 'dist', isServer, options: builds });
    await cp(join(root, 'dist'), join(project.root, job, 'dist'), { recursive: true });
  }
  return project;
}

describe('icon-catalog attribution merge', () => {
  it.each(BUNDLERS)(
    'joins the lists of two jobs whose files were copied together, with %s',
    async (bundler) => {
      const { root, dist } = await createJobs(bundler);
      for (const job of ['job-1', 'job-2'])
        await cp(join(root, job, 'dist'), dist, { recursive: true });
      // The second copy has replaced the list of the first one.
      expect(listed(await listIn(dist))).toEqual(['bus']);

      const one = await run(root, 'attribution', 'merge', 'job-1/dist', '--output', 'dist');
      expect(one).toMatchObject({
        code: 0,
        said: expect.stringContaining(
          `1 icon of 1 list. These builds are missing: ${serverOf(bundler)}.`,
        ),
      });
      expect((await listIn(dist)).complete).toBe(false);

      const both = ['job-1/dist', 'job-2/dist/icon-attribution.json'];
      const { code, said } = await run(root, 'attribution', 'merge', ...both, '--output', 'dist');
      expect([code, said]).toEqual([
        0,
        'dist/icon-attribution.json\ndist/icon-attribution.html\ndist/icon-attribution.md\n2 icons of 2 lists.\n',
      ]);
      const { complete, builds: reported } = await judge(root);
      // Rollup has no root of its own, and another package is before the name.
      expect([complete, reported.map(({ id }) => id.split('.').at(-1))]).toEqual([
        true,
        ['client', 'server'],
      ]);
      const tree = await readTree(dist);
      for (const ending of ['html', 'md'])
        for (const title of ['Home', 'Bus'])
          expect(String(tree.get(`icon-attribution.${ending}`))).toContain(title);
      // The lock of this project has none of the icons: the drawings are those of the jobs' pages.
      expect(
        String(tree.get('icon-attribution.html')).match(/<div class="tile"[^>]*><svg/g),
      ).toHaveLength(2);
      // In the other order it is the same, and once more changes nothing.
      await run(
        root,
        'attribution',
        'merge',
        ...both.toReversed(),
        'dist',
        '--out',
        'dist/',
        '--json',
      );
      expect(await readTree(dist)).toEqual(tree);
    },
  );

  it('takes one build for no more than one of those that are expected, as a build does', async () => {
    const { root } = await createJobs();
    const list = JSON.stringify(await listIn(join(root, 'job-1/dist')));
    const renamed = list.replaceAll('esbuild.client', 'server.client');
    await writeFiles(root, { 'job-1/dist/icon-attribution.json': renamed });
    expect(
      await run(root, 'attribution', 'merge', 'job-1/dist', '--output', 'job-1/dist'),
    ).toMatchObject({ said: expect.stringContaining('These builds are missing: client.') });
  });

  it('fails if two lists say different things of one icon, and writes nothing', async () => {
    const { root, dist } = await createJobs();
    const list = await listIn(join(root, 'job-1/dist'));
    const bus = (await listIn(join(root, 'job-2/dist'))).icons[0];
    if (bus === undefined) throw new Error('nothing is listed');
    const usedIn = list.icons[0]?.usedIn ?? [];
    const other = { ...bus, usedIn, creator: { ...bus.creator, name: 'Another one' } };
    await writeFiles(root, {
      'job-1/dist/icon-attribution.json': JSON.stringify({ ...list, icons: [other] }),
    });
    const args = ['job-1/dist', 'job-2/dist', '--output', 'dist'];
    const { code, said } = await run(root, 'attribution', 'merge', ...args);
    expect(code).toBe(1);
    expect(said).toContain(
      `The lists disagree about 1 icon: icon ${idOf('bus')}: creator.name is "Another one" in job-1/dist and "${bus.creator?.name}" in job-2/dist.`,
    );
    expect([...(await readTree(dist)).keys()]).toEqual([]);
  });

  it('names files of folders below the output from there, as the next build does', async () => {
    const { root, dist } = await createProject({ 'main.js': shows('star') });
    for (const [app, name] of [
      ['shop', 'home'],
      ['My Admin', 'bus'],
    ] as const) {
      const other = await writeProject({ 'index.js': shows(name) });
      await buildWith('esbuild', { root: other, entry: 'index.js', outDir: 'out' });
      await cp(join(other, 'out'), join(dist, app), { recursive: true });
    }
    const folders = ['dist/shop', 'dist/My Admin'];
    expect(await run(root, 'attribution', 'merge', ...folders, '--output', 'dist')).toMatchObject({
      code: 0,
    });
    const merged = await judge(root);
    expect(
      merged.icons.map(({ usedIn }) => usedIn.map(({ build, file }) => [build, file])),
    ).toEqual([[['my-admin.esbuild', 'My Admin/index.js']], [['shop.esbuild', 'shop/index.js']]]);
    await buildWith('rollup', { root, entry: 'main.js', outDir: 'dist' });
    expect(listed(await judge(root))).toEqual(['home', 'star', 'bus']);
  });

  it.each([
    [['merge'], 'Name the folders whose lists belong together.'],
    [['merge', 'a'], '--output is needed: the folder that holds the files of all of them.'],
    [['merge', 'a', '-o', 'b', '--format', 'md'], '--format is not accepted with merge.'],
    [['merge', 'a', '-o', 'b', '--used'], '--used is not accepted with merge.'],
    [['mrege', 'a', 'b'], 'There is one folder too many: a, b. Did you mean `attribution merge`?'],
    [['check', 'a', 'b'], 'There is one folder too many: b.\n'],
  ])('is refused with %j', async (args, message) => {
    const { root } = await createProject({});
    const { code, said } = await run(root, 'attribution', ...args);
    expect([code, said]).toEqual([2, expect.stringContaining(message)]);
    expect(said).toContain('See icon-catalog attribution --help.');
  });

  it('says which list is not there', async () => {
    const { root } = await createProject({ 'empty/index.html': '' });
    const { code, said } = await run(root, 'attribution', 'merge', 'empty', '-o', 'dist');
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('There is no list of icons at empty/icon-attribution.json.'),
    ]);
  });
});

describe('the list of a folder', () => {
  it.each([
    [
      'icon-attribution.json',
      /json cannot be read: it is a folder\. Remove it, then run every build/,
    ],
    ['icon-attribution.html', /html cannot be written \(EISDIR.*Remove what is there/],
  ])('says so where %s is a folder, in a build and in commands', async (file, message) => {
    const { root } = await createProject({ 'main.js': shows('home'), 'dist/about.html': '' });
    await writeFiles(root, { [`dist/${file}/kept.txt`]: '' });
    const built = buildWith('rollup', { root, entry: 'main.js', outDir: 'dist' });
    await expect(built).rejects.toThrow(message);
    if (file.endsWith('.html')) return;
    for (const args of [
      ['attribution', 'check', 'dist'],
      ['attribution', 'merge', 'dist', '--output', 'dist'],
      ['attribution', 'dist'],
      ['prune', '--dry-run'],
    ]) {
      const { code, said } = await run(root, ...args);
      expect([code, said.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringMatching(message)]);
    }
  });

  it.each(BUNDLERS)(
    'takes over that of an output which was copied into it, with %s',
    async (bundler) => {
      const { root, dist } = await createProject({ 'main.js': shows('home') });
      const other = await writeProject({ 'index.js': shows('bus') });
      await buildWith(bundler, { root: other, entry: 'index.js', outDir: 'out' });
      await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
      await cp(join(other, 'out'), join(dist, 'admin'), { recursive: true });
      // The lock of this project does not know the icon, so that nothing but the other list shows it.
      expect(await run(root, 'attribution', 'check', 'dist')).toMatchObject({
        code: 1,
        said: expect.stringContaining(
          `Icon ${idOf('bus')} is in the list admin/icon-attribution.json and not in that of this folder`,
        ),
      });
      for (let time = 1; time <= 2; time += 1) {
        await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
        expect(listed(await judge(root))).toEqual(['home', 'bus']);
      }
      // Each page of credits is compared with the icons that it speaks for.
      const page = { 'dist/admin/icon-attribution.html': '<!doctype html><h1>Icon credits</h1>' };
      await writeFiles(root, page);
      const { code, said } = await run(root, 'attribution', 'check', 'dist');
      expect([code, said.match(/^.* has no credit for icon .*\)/gm)]).toEqual([
        1,
        [`admin/icon-attribution.html has no credit for icon ${idOf('bus')} (“Bus”)`],
      ]);
      await rm(join(dist, 'admin'), { recursive: true });
      await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
      expect(listed(await judge(root))).toEqual(['home']);
    },
  );

  it.each(['.gz', '.br'])(
    'keeps files and lists that a later step has packed as %s',
    async (ending) => {
      const { root, dist } = await createProject({
        'client.js': shows('home'),
        'server.js': shows('bus'),
      });
      await buildWith('esbuild', { root, entry: 'client.js', outDir: 'dist' });
      const pack = ending === '.gz' ? gzipSync : brotliCompressSync;
      for (const file of ['client.js', 'icon-attribution.json']) {
        await writeFile(join(dist, file + ending), pack(await readFile(join(dist, file))));
        await rm(join(dist, file));
      }
      // So it is in a folder of another output.
      await cp(dist, join(root, 'site/app'), { recursive: true });
      await buildWith('esbuild', { root, entry: 'server.js', outDir: 'site' });
      const { builds: reported } = await listIn(join(root, 'site'));
      expect(reported.map(({ id }) => id)).toEqual(['app.esbuild.client', 'esbuild.server']);
      const server = { root, entry: 'server.js', outDir: 'dist', isServer: true };
      await buildWith('esbuild', server);
      expect(listed(await listIn(dist))).toEqual(['home', 'bus']);
      await rm(join(dist, `client.js${ending}`));
      await buildWith('esbuild', server);
      expect(listed(await listIn(dist))).toEqual(['bus']);
    },
  );

  it('of a folder below has the icons of the pages in it that `icon-catalog html` finishes', async () => {
    const page = (name: Name): string =>
      `<!doctype html><a href="icon-attribution.html">Credits</a><img inline src="icon:${name}" alt="">`;
    const { root, dist } = await createProject({
      'main.js': shows('home'),
      'docs.js': shows('star'),
      'dist/index.html': page('bus'),
      'dist/docs/page.html': page('bell'),
    });
    const inner = join(dist, 'docs');
    const buildBoth = async (): Promise<void> => {
      await buildWith('esbuild', { root, entry: 'main.js', outDir: 'dist' });
      await buildWith('esbuild', { root, entry: 'docs.js', outDir: 'dist/docs' });
    };
    await buildBoth();
    for (const name of ['bell', 'bus'] as const) {
      await writeFiles(root, { 'dist/docs/page.html': page(name) });
      expect(await run(root, 'html', 'dist')).toMatchObject({ code: 0 });
      expect(listed(await judge(root, 'dist/docs'))).toContain(name);
      const outer = await judge(root);
      expect(listed(outer)).toContain(name);
      // The other builds change nothing of it.
      await buildBoth();
      expect(await judge(root)).toEqual(outer);
    }
    expect(listed(await listIn(inner))).toEqual(['star', 'bus']);
    expect(listed(await listIn(dist))).toEqual(['home', 'star', 'bus']);
  });

  it('loses nothing and says nothing twice, where Vite builds, pages are finished, and Vite builds again', async () => {
    const link = '<a href="/icon-attribution.html">Credits</a>';
    const { root, dist } = await createProject({
      'index.html': `<!doctype html>${link}<script type="module" src="/main.js"></script>`,
      'main.js': shows('home'),
      'public/about.html': `<!doctype html>${link}<img inline src="icon:bus" alt="Bus"><img src="icon:star?url" alt="">`,
    });
    const build = (emptyOutDir: boolean): Promise<unknown> =>
      vite({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin(optionsOf(root))],
        build: { emptyOutDir, assetsInlineLimit: 0 },
      });
    const finish = async (): Promise<void> =>
      expect(await run(root, 'html', 'dist')).toMatchObject({ code: 0 });
    await build(true);
    expect(listed(await listIn(dist))).toEqual(['home']);
    await finish();
    const finished = await judge(root);
    expect(listed(finished)).toEqual(['home', 'star', 'bus']);
    // What the pages hold is left as it is, but for the page that the build copies again.
    const about = await readFile(join(dist, 'about.html'), 'utf8');
    await rm(join(root, 'public'), { recursive: true });
    await build(false);
    expect(await readFile(join(dist, 'about.html'), 'utf8')).toBe(about);
    expect(await judge(root)).toEqual(finished);
    await finish();
    await build(false);
    expect(await judge(root)).toEqual(finished);
  });

  it('is complete once the entries that it waits for were built, in whatever format and company', async () => {
    const { root, dist } = await createProject({
      'embed.js': shows('home'),
      'second.js': shows('star'),
      'server.js': shows('bus'),
    });
    const options = optionsOf(root, { attribution: { builds: ['embed', 'server'] } });
    const bundle = await rollup({
      input: join(root, 'embed.js'),
      plugins: [rollupPlugin(options)],
    });
    await bundle.write({ dir: dist, format: 'iife' });
    await bundle.close();
    expect((await judge(root)).complete).toBe(false);
    await esbuild({
      absWorkingDir: root,
      entryPoints: ['second.js', 'server.js'],
      outdir: dist,
      bundle: true,
      format: 'cjs',
      logLevel: 'silent',
      plugins: [esbuildPlugin(options)],
    });
    const { complete, builds: reported } = await judge(root);
    expect([complete, reported.map(({ id }) => id.split('.').slice(-3).join('.'))]).toEqual([
      true,
      ['cjs.second.server', expect.stringMatching(/rollup\.embed\.iife$/)],
    ]);
  });

  it('lacks builds that the last line of a build names, until they have run', async () => {
    const { root, dist } = await createProject({
      'client.js': shows('home'),
      'server.js': shows('bus'),
    });
    const lines: string[] = [];
    const customLogger = {
      ...createLogger('silent'),
      info: (text: string) => void lines.push(text),
    };
    const attribution = { site: dist, builds: ['client', 'ssr', 'edge'] };
    const plugin = () => vitePlugin({ ...optionsOf(root, { attribution }), logLevel: 'info' });
    const last = async (side: 'client' | 'server'): Promise<string | undefined> => {
      lines.length = 0;
      const input = join(root, `${side}.js`);
      await vite({
        root,
        configFile: false,
        customLogger,
        plugins: [plugin()],
        build:
          side === 'server'
            ? { ssr: input, outDir: 'dist/server' }
            : { rollupOptions: { input }, outDir: 'dist/client' },
      });
      printSummaries();
      return lines.findLast((line) => line.startsWith('[icon-catalog]'));
    };
    expect(await last('client')).toMatch(/not complete before these builds have run: ssr, edge$/);
    expect(await last('server')).toMatch(/not complete before these builds have run: edge$/);
    expect((await judge(root)).complete).toBe(false);
    attribution.builds.pop();
    expect(await last('client')).not.toContain('complete');
    expect((await judge(root)).complete).toBe(true);
  });
});
