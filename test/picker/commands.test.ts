import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createNodeHost } from '../../src/cli/host.ts';
import type * as api from '../../src/picker/api.ts';
import iconCatalog from '../../src/vite.ts';
import { createFakeHost, type FakeHost } from '../cli/support/fake-host.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { writeProject } from '../support/write-project.ts';
import { openPicker } from './support.ts';

const CONFIG = 'icon-catalog.config.json';
const [ID = 0] = iconIds('maki', 1);
const machine = createNodeHost();
let catalog: CountingCatalog;

beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'] });
});
beforeEach(() => catalog.reset());
afterAll(() => catalog.close());

/** A command in a folder, with the real files of this machine. */
async function run(cwd: string, ...argv: string[]): Promise<{ host: FakeHost; code: number }> {
  const host = hostIn(cwd);
  return { host, code: await main(argv, host) };
}

/** At a terminal, with what the user answers. */
async function runAtTerminal(
  cwd: string,
  {
    answers,
    env = {},
    words = ['bank'],
  }: { answers: (string | undefined)[]; env?: Record<string, string>; words?: string[] },
): Promise<{ host: FakeHost; code: number }> {
  const asked = [...answers];
  const host = hostIn(cwd);
  const terminal = createFakeHost({
    cwd,
    env: { ...host.env, NO_COLOR: '1', ...env },
    terminal: true,
  });
  const { exists, readFile: read, importDefault } = host;
  const ask = (question: string): Promise<string | undefined> => {
    terminal.questions.push(question);
    return Promise.resolve(asked.shift());
  };
  Object.assign(terminal, { exists, readFile: read, importDefault, ask });
  return { host: terminal, code: await main(['search', ...words], terminal) };
}

function hostIn(cwd: string, from: CountingCatalog = catalog): FakeHost {
  const { exists, readFile: read, importDefault } = machine;
  const env = {
    ICON_CATALOG_URL: from.url,
    ICON_CATALOG_KEY: from.key,
    ICON_CATALOG_SECRET: from.secret,
    ICON_CATALOG_CACHE_DIR: join(cwd, '.cache'),
    ICON_CATALOG_SITE_URL: 'https://icons.example',
    XDG_CONFIG_HOME: cwd,
  };
  return Object.assign(createFakeHost({ cwd, env }), { exists, readFile: read, importDefault });
}

const files = { [CONFIG]: '{\n  "aliases": {\n    "start": 1\n  }\n}\n' };

describe('commands', () => {
  it('pin what a build pins, with the text of the licence and its credit, and refuse what it refuses', async () => {
    const art = await writeProject({
      'one.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M1 1h9v9z"/></svg>',
      LICENSE:
        'MIT License\n\nCopyright (c) 2024 Authors of the sample\n\nPermission is hereby granted.\n',
    });
    const mine = await writeProject({
      'two.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M1 9h9v9z"/></svg>',
    });
    const own = await startCountingCatalog({
      sets: [],
      folders: [
        { path: mine, name: 'mine', license: 'words of our own' },
        { path: art, name: 'art', license: 'MIT', author: 'Authors of the sample' },
      ],
    });
    onTestFinished(() => own.close());
    const options = { aliases: { start: 1 } };
    const picker = await openPicker({ catalog: own, files, config: CONFIG, options });
    const body = { query: 'one', remote: true };
    const { icons } = await picker.post<api.SearchAnswer>('search', body);
    const id = icons[0]?.id ?? '';
    own.reset();
    await picker.post('add', { items: [{ id, alias: 'mine' }] });
    expect(own.calls.filter((call) => call.includes(' /v2/'))).toEqual([
      `GET /v2/icon/${id}/download`,
    ]);
    const added = await writeProject(files);
    expect(await main(['add', id, '--as', 'mine'], hostIn(added, own))).toBe(0);
    const built = await writeProject({
      'main.js': `import icon from 'icon:${id}'; globalThis.shown = icon;`,
    });
    const { url: baseUrl, key, secret } = own;
    await build({
      root: built,
      configFile: false,
      logLevel: 'silent',
      build: { rollupOptions: { input: join(built, 'main.js') } },
      plugins: [
        iconCatalog({ catalog: { baseUrl, key, secret }, cacheDir: join(built, '.cache') }),
      ],
    });
    const lock = await readFile(join(built, 'icons.lock'), 'utf8');
    expect(lock).toContain('Authors of the sample');
    expect(lock).toContain('Permission is hereby granted.');
    for (const root of [picker.root, added])
      expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);

    // The credit that the page shows is that of the build, after the search and in the project.
    const list = await readFile(join(built, 'dist/icon-attribution.json'), 'utf8');
    const [listed] = parseManifest(list).icons;
    const project = await picker.post<api.ProjectAnswer>('project');
    const shown = project.icons.find((icon) => icon.id === id);
    expect(listed?.credit.line).toContain('Authors of the sample');
    expect([icons[0]?.credit, shown?.credit]).toEqual([listed?.credit.line, listed?.credit.line]);

    const other = { query: 'two', remote: true };
    const [unknown] = (await picker.post<api.SearchAnswer>('search', other)).icons;
    expect(unknown?.license).toMatchObject({ verdict: 'refused', description: 'words of our own' });
    const before = await readFile(join(picker.root, CONFIG), 'utf8');
    const refused = await picker.send('add', { items: [{ id: unknown?.id, alias: 'theirs' }] });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { code: 'LICENSE_UNKNOWN' } },
    ]);
    expect(await readFile(join(picker.root, CONFIG), 'utf8')).toBe(before);
    expect(await readFile(join(picker.root, 'icons.lock'), 'utf8')).toBe(lock);
  });

  it('add an icon with its name as the icon browser does, to the same bytes', async () => {
    const root = await writeProject(files);
    const { host, code } = await run(root, 'add', String(ID), '--as', 'house', '--json');
    expect([code, host.err()]).toEqual([0, `icons.lock, ${CONFIG} changed; 2 calls.\n`]);
    expect(JSON.parse(host.out())).toMatchObject({
      added: [{ id: String(ID), alias: 'house', importLine: "import house from 'icon:house';" }],
      diff: expect.stringContaining(`+    "house": ${ID}`),
    });
    const options = { aliases: { start: 1 } };
    const picker = await openPicker({ catalog, files, config: CONFIG, options });
    await picker.post('add', { items: [{ id: String(ID), alias: 'house' }] });
    for (const name of [CONFIG, 'icons.lock'])
      expect(await readFile(join(root, name), 'utf8')).toBe(
        await readFile(join(picker.root, name), 'utf8'),
      );
  });

  it('offer a free name, and change nothing, if the name is taken', async () => {
    const root = await writeProject(files);
    const { host, code } = await run(root, 'add', String(ID), '--as', 'start');
    expect(code).toBe(2);
    expect(host.err()).toContain('"start-2" is free.');
    expect(catalog.calls).toEqual([]);
  });

  it('offer to take a hit of a search: its number, its name, and the project has it as `add --as` adds it', async () => {
    const root = await writeProject(files);
    const { host, code } = await runAtTerminal(root, { answers: ['99', '1', 'start', ''] });
    expect([code, host.questions]).toEqual([
      0,
      [
        'Take one? Its number, or Enter for none:',
        'Take one? Its number, or Enter for none:',
        'Name to import it by? [bank]',
        'Name to import it by? [start-2]',
      ],
    ]);
    expect(host.err()).toMatch(/There is no number 99[^]*"start-2" is free\./);
    expect(host.out()).toMatch(/^#  [^]*\n *1 [^]*import start2 from 'icon:start-2';\n$/);
    const { aliases } = JSON.parse(await readFile(join(root, CONFIG), 'utf8')) as {
      aliases: Record<string, number>;
    };
    const id = aliases['start-2'];
    expect(Object.keys(aliases).toSorted()).toEqual(['start', 'start-2']);
    expect(catalog.calls).toEqual(['GET /v2/icon', `GET /v2/icon/${String(id)}/download`]);
    const other = await writeProject(files);
    await run(other, 'add', String(id), '--as', 'start-2');
    const filesOf = async (folder: string): Promise<string[]> => {
      const [config = '', lock = ''] = await Promise.all(
        [CONFIG, 'icons.lock'].map((file) => readFile(join(folder, file), 'utf8')),
      );
      // Only records that are asked for one by one name the site of this server's sets.
      return [config, lock.replace(/"site_url":"[^"]*",/, '').replace(/"check":"\w+"/, '')];
    };
    expect(await filesOf(root)).toEqual(await filesOf(other));
  });

  it('take nothing, and fail in nothing, for every other answer', async () => {
    for (const answers of [[''], ['no'], ['q'], [undefined], ['1', undefined]]) {
      const root = await writeProject(files);
      const { host, code } = await runAtTerminal(root, { answers });
      expect([answers, code, host.questions.length]).toEqual([answers, 0, answers.length]);
      expect(await readFile(join(root, CONFIG), 'utf8')).toBe(files[CONFIG]);
      expect(catalog.calls.filter((call) => call.includes('download'))).toEqual([]);
    }
  });

  it('offer nothing in a pipe, in CI, with --json, without hits, and where no name can be written', async () => {
    const root = await writeProject(files);
    const bare = await writeProject({});
    const questions = [
      (await run(root, 'search', 'bank')).host.questions,
      (await runAtTerminal(root, { answers: ['1'], env: { CI: '1' } })).host.questions,
      (await runAtTerminal(root, { answers: ['1'], words: ['bank', '--json'] })).host.questions,
      (await runAtTerminal(root, { answers: ['1'], words: ['xyzzy'] })).host.questions,
      (await runAtTerminal(bare, { answers: ['1'] })).host.questions,
    ];
    expect(questions).toEqual([[], [], [], [], []]);
  });

  it('say which lines to copy if the configuration cannot be edited', async () => {
    const root = await writeProject({});
    const { host, code } = await run(root, 'add', String(ID), '--as', 'house');
    expect(code).toBe(1);
    expect(host.err()).toContain(`"house": ${ID}`);
  });

  it('count the uses that the icon browser marks', async () => {
    const root = await writeProject({
      ...files,
      'main.js': `import a from 'icon:${ID}';\nimport b from 'icon:${ID}?color=f00';\n`,
      'main.css': `a { background: url(icon:${ID}) }\n`,
    });
    const { host } = await run(root, 'sync', '--dry-run', '--json');
    const picker = await openPicker({ root, catalog, config: CONFIG });
    const { icons } = await picker.post<api.ProjectAnswer>('project');
    const used = icons.filter(({ uses }) => uses.length > 0);
    expect(JSON.parse(host.out())).toMatchObject({
      icons: used.length,
      references: used.flatMap(({ uses }) => uses).length,
    });
    expect(used).toMatchObject([{ id: String(ID), uses: [{}, {}, {}] }]);
    expect(catalog.calls).toEqual([]);
  });

  it('ask for a search, a collection list and suggestions once a day, unless they are asked to', async () => {
    const root = await writeProject({});
    for (const words of [
      ['search', 'bank', '--all', '--limit', '5'],
      ['suggest', 'ba'],
      ['collections'],
    ]) {
      const first = await run(root, ...words);
      const { length } = catalog.calls;
      expect(length).toBeGreaterThan(0);
      const second = await run(root, ...words);
      expect(second.host.out()).toBe(first.host.out());
      expect(catalog.calls).toHaveLength(length);
      await run(root, ...words, '--fresh');
      expect(catalog.calls).toHaveLength(2 * length);
      catalog.reset();
    }
    const bad = await run(root, 'search', 'bank', '--limit', '0');
    expect(bad.code).toBe(2);
  });

  it('open the icon browser on a port of its own, and write nothing if it is only to be looked at', async () => {
    const root = await writeProject(files);
    let stop = (): void => undefined;
    const host = Object.assign(hostIn(root), {
      interrupted: () => new Promise<void>((resolve) => (stop = resolve)),
    });
    const done = main(['browse', '--no-open', '--read-only', '--budget', '3', '--json'], host);
    await expect.poll(() => host.out()).toContain('url');
    const { url } = JSON.parse(host.out()) as { url: string };
    const { origin, pathname, hash } = new URL(url);
    expect([pathname, hash]).toEqual(['/__icon-catalog/', expect.stringMatching(/^#t=[\w-]{32}$/)]);
    const post = (name: string, body: object, token = hash.slice(3)): Promise<Response> =>
      fetch(`${origin}${pathname}api/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      });
    const project = (await (await post('project', { opened: true })).json()) as api.ProjectAnswer;
    expect(project).toMatchObject({
      configured: true,
      write: { possible: false, file: CONFIG, reason: 'it was started with --read-only.' },
      costs: { budget: 3 },
    });
    const added = await post('add', { items: [{ id: String(ID), alias: 'house' }] });
    expect(await added.json()).toMatchObject({
      added: [],
      copy: { lines: expect.stringContaining('house') },
    });
    expect((await post('project', {}, 'x')).status).toBe(401);
    expect((await fetch(origin, { redirect: 'manual' })).headers.get('location')).toBe(
      '/__icon-catalog/',
    );
    expect((await fetch(`${origin}/other`)).status).toBe(404);
    expect(await readFile(join(root, CONFIG), 'utf8')).toBe(files[CONFIG]);
    await writeFile(join(root, CONFIG), '{ "licenses": { "allow": ["Unlicense"] } }');
    expect(await (await post('project', {})).json()).toMatchObject({
      policy: expect.stringContaining('Unlicense'),
    });
    await writeFile(join(root, CONFIG), '{ "licenses": ');
    const broken = await post('project', {});
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: 'OPTIONS_INVALID' } });
    stop();
    expect(await done).toBe(0);
    expect(catalog.calls).toEqual([]);
  });

  it('say what to do if the port of the icon browser is in use', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    onTestFinished(() => void busy.close());
    const { port } = busy.address() as AddressInfo;
    const host = createFakeHost({ cwd: await writeProject({}) });
    expect(await main(['browse', '--no-open', '--port', String(port)], host)).toBe(1);
    expect(host.err()).toBe(
      'error This port is in use.\n  Choose another with --port, or leave the option out.\n',
    );
  });

  it('open the icon browser without a project and without credentials', async () => {
    const root = await writeProject({});
    let stop = (): void => undefined;
    const host = Object.assign(hostIn(root), {
      env: { XDG_CONFIG_HOME: root, ICON_CATALOG_CACHE_DIR: join(root, '.cache') },
      interrupted: () => new Promise<void>((resolve) => (stop = resolve)),
    });
    const done = main(['browse', '--no-open', '--json'], host);
    await expect.poll(() => host.out()).toContain('url');
    const { url } = JSON.parse(host.out()) as { url: string };
    const { origin, pathname, hash } = new URL(url);
    const answer = await fetch(`${origin}${pathname}api/project`, {
      method: 'POST',
      body: '{}',
      headers: {
        origin,
        'content-type': 'application/json',
        authorization: `Bearer ${hash.slice(3)}`,
      },
    });
    expect(await answer.json()).toMatchObject({ configured: false, catalog: 'none', icons: [] });
    stop();
    expect(await done).toBe(0);
  });
});
