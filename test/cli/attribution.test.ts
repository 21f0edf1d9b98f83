import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { IconifyJSON } from '@iconify/types';
import { optimize } from 'svgo';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createNodeHost, type Host } from '../../src/cli/host.ts';
import { iconifyMarkup } from '../../src/server/read-sets.ts';
import { embeddedIconId } from '../../src/server.ts';
import type { Options } from '../../src/options/options.ts';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { writeFiles } from '../support/write-project.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const require = createRequire(import.meta.url);

/** One for all runs: each listens for errors of standard output. */
const machine = createNodeHost();
let root: string;
beforeAll(async () => {
  const options: Options = {
    catalog: { embedded: { sets: ['tabler', 'maki'], root: process.cwd() } },
    aliases: { home: embeddedIconId('tabler', 'home'), bus: embeddedIconId('maki', 'bus') },
    logLevel: 'silent',
  };
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-')));
  await writeFiles(root, {
    'icon-catalog.config.json': JSON.stringify(options),
    'index.html':
      '<a href="/icon-attribution.html">Credits</a><script type="module" src="/main.js"></script>',
    'main.js': `import home from 'icon:home'; import bus from 'icon:bus'; document.title = home;`,
    'page.html': '<h1>Credits</h1><!-- icon-credits -->',
  });
  const plugins = [vitePlugin({ ...options, cacheDir: join(root, '.cache') })];
  await build({ root, configFile: false, logLevel: 'silent', plugins });
});

afterAll(() => removeFolder(root));

let env: Record<string, string> = {};
async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const output = (lines: string[]): Host['stdout'] => ({
    write: (chunk) => void lines.push(String(chunk)),
    isTerminal: false,
    columns: undefined,
    hasColor: false,
  });
  const host: Host = {
    ...machine,
    cwd: root,
    env: { ICON_CATALOG_CACHE_DIR: join(root, '.cache'), ...env },
    stdout: output(out),
    stderr: output(err),
  };
  const code = await main(['attribution', ...args], host);
  return { code, out: out.join(''), err: err.join('') };
}

describe('icon-catalog attribution', () => {
  it('prints the credits of a build in any format', async () => {
    const text = await run('dist');
    expect([text.code, text.err]).toEqual([0, '']);
    expect(text.out).toMatch(/^Icon credits\n[^]*“Home” by/);
    const json = await run('dist', '--format', 'json');
    expect(json.out).toBe(readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8'));
    expect((await run('dist', '--format', 'html-fragment')).out).toMatch(/^<section/);
    expect(JSON.parse((await run('dist', '--json')).out)).toMatchObject({ format: 'text' });
    // The page is that of the build, drawings included.
    expect((await run('dist', '--format', 'html')).out).toBe(
      readFileSync(join(root, 'dist/icon-attribution.html'), 'utf8'),
    );
  });

  it('fills a page of one’s own', async () => {
    const { code, err } = await run(
      'dist',
      '--format',
      'html',
      '--template',
      'page.html',
      '-o',
      'own.html',
    );
    expect([code, err]).toEqual([0, 'own.html: 1 icon.\n']);
    expect(readFileSync(join(root, 'own.html'), 'utf8')).toMatch(/^<h1>Credits<\/h1><section/);
  });

  it('prints to standard output for -, and says why a file cannot be written or read', async () => {
    const piped = await run('dist', '--format', 'markdown', '-o', '-');
    expect([piped.code, piped.out]).toEqual([0, expect.stringMatching(/^# Icon credits\n/)]);
    expect(readdirSync(root)).not.toContain('-');
    const format = ['dist', '--format', 'html'];
    const nowhere = await run(...format, '-o', 'no/folder.html');
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      `error Cannot write ${join(root, 'no/folder.html')}: its folder does not exist.\n`,
    ]);
    expect((await run(...format, '-o', 'dist')).err).toMatch(/: it is a folder\.$/m);
    expect((await run(...format, '--template', 'no.html')).err).toContain(
      'Cannot read the template no.html.',
    );
  });

  it('says what is missing where nothing was built', async () => {
    const { code, err } = await run('nowhere');
    expect(code).toBe(1);
    expect(err).toContain('There is no list of icons at nowhere/icon-attribution.json.');
    expect((await run('dist', '--format', 'pdf')).code).toBe(2);
    await writeFile(join(root, 'no-list.json'), '{ "attribution": { "json": false } }');
    const off = await run('check', 'nowhere', '--config', 'no-list.json');
    expect([off.code, off.err]).toEqual([
      1,
      expect.stringContaining('leave `attribution` and `attribution.json` on'),
    ]);
    await rm(join(root, 'no-list.json'));
  });

  it('finds a site and its credits in agreement', async () => {
    const { code, out, err } = await run('check', 'dist');
    expect([code, out, err]).toEqual([0, '', expect.stringMatching(/1 icon, 0 problems\.\n$/)]);
    expect(await run('check', 'dist/icon-attribution.json')).toEqual({ code, out, err });
    expect(await run('check')).toEqual({ code, out, err });
    // SvelteKit's own output counts, until an adapter has copied it.
    await mkdir(join(root, 'node_modules'));
    for (const folder of ['.svelte-kit/output/client', 'build/client']) {
      await cp(join(root, 'dist'), join(root, folder), { recursive: true });
      await rename(join(root, 'dist'), join(root, 'node_modules/kept'));
      expect(await run('check')).toEqual({ code, out, err });
      await rename(join(root, 'node_modules/kept'), join(root, 'dist'));
      expect(await run('check')).toEqual({ code, out, err });
    }
    for (const folder of ['.svelte-kit', 'build'])
      await rm(join(root, folder), { recursive: true });
    // What `emit` writes among the sources is no site, and neither is what a package has.
    const emitted = readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8').replace(
      /"id":"[^"]+","bundler":"vite"/g,
      '"id":"emit","bundler":"icon-catalog"',
    );
    expect(emitted).toContain('"emit"');
    await writeFiles(root, {
      'app/icons/icon-attribution.json': emitted,
      'node_modules/a/icon-attribution.json': emitted.replaceAll('"emit"', '"client"'),
    });
    expect(await run('check')).toEqual({ code, out, err });
    await cp(join(root, 'dist'), join(root, '.next'), { recursive: true });
    const another = readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8');
    await writeFiles(root, {
      '.next/icon-attribution.json': another.replace(/"version":"[^"]+"/, '"version":"0.0.0"'),
    });
    expect(await run('check')).toMatchObject({
      code: 2,
      err: expect.stringContaining('.next and dist have lists of icons. Name the folder'),
    });
    // What the dev server and the cache of Next.js keep there is no part of the site.
    const script = readdirSync(join(root, 'dist'), { encoding: 'utf8', recursive: true }).find(
      (name) => name.endsWith('.js'),
    );
    await rename(join(root, 'dist'), join(root, 'node_modules/kept'));
    expect(await run('check')).toEqual({ code, out, err });
    const page = `<script>${readFileSync(join(root, 'node_modules/kept', script ?? ''), 'utf8')}</script>`;
    for (const file of ['dev/index.html', 'cache/index.html'])
      await writeFiles(root, { [`.next/${file}`]: page });
    expect(await run('check')).toEqual({ code, out, err });
    await writeFiles(root, { '.next/server/dev/index.html': page });
    expect((await run('check')).out).toBe(
      'server/dev/index.html shows icons, and no link leads from it to the credits. Next.js does not publish the page that the build writes: show the credits of `icon:credits` on a page of yours, and link to it.\n',
    );
    await removeFolder(join(root, '.next'));
    await rename(join(root, 'node_modules/kept'), join(root, 'dist'));
    // As editors of Windows save it.
    const list = join(root, 'dist/icon-attribution.json');
    const text = readFileSync(list, 'utf8');
    await writeFile(list, `\uFEFF${text}`);
    expect(await run('check', 'dist')).toEqual({ code, out, err });
    await writeFile(list, text);
  });

  it('fails if a build that the options name is not in the list, and says what to do', async () => {
    const config = join(root, 'icon-catalog.config.json');
    const text = readFileSync(config, 'utf8');
    const options = JSON.parse(text) as Options;
    const attribution = { builds: ['client', 'ssr', 'worker'] };
    await writeFile(config, JSON.stringify({ ...options, attribution }));
    const { code, out } = await run('check', 'dist');
    await writeFile(config, text);
    expect([code, out]).toEqual([
      1,
      'The list lacks the icons of the builds ssr, worker, which `attribution.builds` names. Run the builds into this folder, or join the lists of jobs that ran apart: npx icon-catalog attribution merge <folder…> --output <folder>\n',
    ]);
  });

  it('notes that a list is not complete by its own word', async () => {
    const list = JSON.parse(
      readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8'),
    ) as Manifest;
    await writeFile(join(root, 'dist/other.json'), JSON.stringify({ ...list, complete: false }));
    const { code, out, err } = await run('check', 'dist/other.json');
    await rm(join(root, 'dist/other.json'));
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain(
      `${join('dist', 'other.json')} says \`"complete": false\`: a build of this site has not`,
    );
  });

  it('fails if the list says something else than the lock, and names what it cannot look for', async () => {
    const list = readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8');
    const { icons, ...rest } = JSON.parse(list) as Manifest;
    const others = ['1', '2'].map((id) => Object.assign({}, icons[0], { id }));
    const creator = { ...icons[0]?.creator, name: 'Eve' };
    const altered = { ...rest, icons: [{ ...icons[0], creator }, ...others] };
    await writeFile(join(root, 'dist/other.json'), JSON.stringify(altered));
    const { code, out, err } = await run('check', 'dist/other.json');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`The list says “Eve” as creator.name of icon ${icons[0]?.id}`),
    ]);
    expect(err).toContain('2 credited icons cannot be looked for, because the project changes');
    expect(err).toContain('machine: 1, 2.');
    await rm(join(root, 'dist/other.json'));
  });

  it('fails if an icon that the project knows is in a page without credit', async () => {
    const pinned = readFileSync(join(root, 'icons.lock'), 'utf8');
    expect(pinned).toContain(String(embeddedIconId('maki', 'bus')));
    const { svg } = await import('../../src/index.ts').then(async ({ createIcons }) => {
      const icons = createIcons(
        {
          catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
          cacheDir: join(root, '.cache'),
          lockfile: 'other.lock',
          logLevel: 'silent',
        },
        { root, env: {} },
      );
      const module = await icons.load(`icon:${embeddedIconId('maki', 'bus')}?size=64`);
      await icons.close();
      return module;
    });
    await mkdir(join(root, 'dist/shop'));
    const page = `<p>${svg}</p>`;
    // Compressed alone, as some steps leave them, a page is what servers make of it; what is beside one is no further page.
    await writeFile(join(root, 'dist/shop/index.html.gz'), gzipSync(page));
    await writeFile(join(root, 'dist/index.html.gz'), 'not looked at');
    const { code, out } = await run('check', 'dist', '--json');
    expect(code).toBe(1);
    const { problems } = JSON.parse(out) as { problems: { kind: string; files: string[] }[] };
    expect(problems.map(({ kind, files }) => [kind, files.join()])).toEqual([
      ['uncredited', 'shop/index.html'],
      ['unreachable', 'shop/index.html'],
    ]);
    for (const name of ['shop/index.html.gz', 'index.html.gz']) await rm(join(root, 'dist', name));
  });

  it('finds the file of the catalog, optimised by another tool and put in by hand', async () => {
    const set = JSON.parse(
      readFileSync(require.resolve('@iconify-json/maki/icons.json'), 'utf8'),
    ) as IconifyJSON;
    const pasted = optimize(iconifyMarkup(set, 'bus'), { multipass: true, floatPrecision: 1 }).data;
    const link = '<a href="icon-attribution.html">Credits</a>';
    await writeFile(join(root, 'dist/pasted.html'), `<p>${pasted}</p>${link}`);
    const { code, out } = await run('check', 'dist');
    const id = embeddedIconId('maki', 'bus');
    expect([code, out]).toEqual([
      1,
      `Icon ${id} is in pasted.html and has no credit. Import it as \`icon:${id}\` and build again, or remove it.\n`,
    ]);
    await rm(join(root, 'dist/pasted.html'));
  });

  it('looks into compressed files that say something else than the file beside them', async () => {
    const page = readFileSync(join(root, 'dist/index.html'), 'utf8');
    await writeFile(join(root, 'dist/index.html.br'), brotliCompressSync(page));
    expect((await run('check', 'dist')).code).toBe(0);
    const icon = readFileSync(join(root, 'dist/icon-attribution.html'), 'utf8');
    const drawing = /<svg[^]*?<\/svg>/.exec(icon)?.[0] ?? '';
    await writeFile(join(root, 'dist/home.svgz'), gzipSync(drawing));
    const lists = JSON.parse(readFileSync(join(root, 'dist/icon-attribution.json'), 'utf8')) as {
      icons: unknown[];
    };
    await writeFile(join(root, 'dist/none.json'), JSON.stringify({ ...lists, icons: [] }));
    const { out } = await run('check', 'dist/none.json', '--json');
    const { problems } = JSON.parse(out) as { problems: { message: string; files: string[] }[] };
    expect(problems[0]?.files).toContain('home.svgz');
    await rm(join(root, 'dist/home.svgz'));
    // Other than the file beside it, or without one.
    await writeFile(join(root, 'dist/index.html.br'), brotliCompressSync(page + drawing));
    await writeFile(join(root, 'dist/more.html.br'), brotliCompressSync(drawing));
    await writeFile(join(root, 'dist/same.html'), drawing);
    await writeFile(join(root, 'dist/same.html.gz'), gzipSync(drawing));
    const packed = JSON.parse((await run('check', 'dist/none.json', '--json')).out) as {
      problems: { kind: string; files: string[] }[];
    };
    expect(packed.problems[0]?.files.filter((name) => !name.startsWith('assets/'))).toEqual([
      'index.html.br',
      'more.html',
      'same.html',
    ]);
    for (const name of ['index.html.br', 'more.html.br', 'same.html', 'same.html.gz', 'none.json'])
      await rm(join(root, 'dist', name));
  });

  it('reads a page in the language of the project', async () => {
    const name = 'Public domain, as stated by the catalog';
    const language = { code: 'fr', words: { licenceNames: { [name]: 'Domaine public' } } };
    const config = join(root, 'icon-catalog.config.json');
    const before = readFileSync(config, 'utf8');
    const options = { ...(JSON.parse(before) as Options), attribution: { language } };
    await writeFile(config, JSON.stringify(options));
    await writeFiles(root, {
      'fr.html':
        '<a href="/icon-attribution.html">Crédits</a><script type="module" src="/fr.js"></script>',
      'fr.js': `import bus from 'icon:bus'; document.title = bus;`,
    });
    const plugins = [vitePlugin({ ...options, cacheDir: join(root, '.cache') })];
    const input = join(root, 'fr.html');
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins,
      build: { outDir: 'fr', rollupOptions: { input } },
    });
    const page = join(root, 'fr/icon-attribution.html');
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('Domaine public');
    expect((await run('check', 'fr')).out).toBe('');
    await writeFile(page, html.replaceAll('Domaine public', 'À moi'));
    expect((await run('check', 'fr')).out).toContain(`does not say the licence “${name}”`);
    await writeFile(config, before);
  });

  it('says what it could not look for in a fresh clone, and fails with --require-bytes', async () => {
    const config = join(root, 'icon-catalog.config.json');
    const before = readFileSync(config, 'utf8');
    await writeFile(config, JSON.stringify({ logLevel: 'silent' }));
    env = { ICON_CATALOG_CACHE_DIR: join(root, '.empty') };
    const said =
      /2 icons of icons\.lock cannot be looked for, because their files are not on this machine: \d+, \d+\. Run `npx icon-catalog sync` before the check, or commit a vendor file\./;
    expect(await run('check', 'dist')).toMatchObject({ code: 0, err: expect.stringMatching(said) });
    const { code, err } = await run('check', 'dist', '--require-bytes');
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
    expect(err).toContain('2 icons could not be looked for in dist.');
    await writeFile(config, before);
    // An installed set is on this machine, whatever the cache holds.
    expect((await run('check', 'dist', '--require-bytes')).code).toBe(0);
    env = {};
  });

  it('finds icons as a build with other options has written them', async () => {
    const options = JSON.parse(
      readFileSync(join(root, 'icon-catalog.config.json'), 'utf8'),
    ) as Options;
    // One that the optimiser shortens, and that ships without the marks of a drawing.
    const flag = embeddedIconId('tabler', 'brand-airbnb');
    await writeFiles(root, {
      'inline/index.html':
        '<a href="/icon-attribution.html">Credits</a><script type="module" src="./main.js"></script>',
      'inline/main.js': `import Flag from 'icon:${flag}?as=component'; document.title = String(Flag);`,
    });
    await build({
      root: join(root, 'inline'),
      configFile: false,
      logLevel: 'silent',
      plugins: [
        vitePlugin({
          ...options,
          framework: 'web-component',
          svg: { optimize: false },
          cacheDir: join(root, '.cache'),
          lockfile: join(root, 'icons.lock'),
        }),
      ],
    });
    const { code, out } = await run('check', 'inline/dist');
    expect([code, out]).toEqual([0, '']);
    const names = readdirSync(join(root, 'inline/dist/assets'));
    const script = names.find((name) => name.endsWith('.js')) ?? '';
    await writeFiles(root, { [`inline/dist/assets/${script}`]: '' });
    expect((await run('check', 'inline/dist')).out).toContain('is credited and in no file');
  });
});
