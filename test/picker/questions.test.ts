import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as api from '../../src/picker/api.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { openPicker } from './support.ts';

const KEY = 'k3y-of-the-picker';
const SECRET = 's3cret-of-the-picker';
let catalog: CountingCatalog;

beforeAll(async () => {
  catalog = await startCountingCatalog({
    sets: ['maki', 'tabler'],
    keys: [{ key: KEY, secret: SECRET, monthlyLimit: 100_000 }],
  });
});
beforeEach(() => catalog.reset());
afterAll(() => catalog.close());

const ask = (query: string, more: object = {}): object => ({ query, remote: true, ...more });
/** Calls that cost something. */
const signed = (): string[] => catalog.calls.filter((call) => !call.includes('/asset/'));

describe('searches', () => {
  it('cost one call in a day, also after a restart', async () => {
    let time = Date.now();
    const now = () => time;
    const root = await writeProject({});
    const first = await openPicker({ catalog, root, now });
    const found = await first.post<api.SearchAnswer>('search', ask('calendar'));
    expect(found).toMatchObject({ from: 'catalog', costs: { calls: 1, session: 1, budget: 40 } });
    expect(found.icons.length).toBeGreaterThan(10);
    expect(found.icons[0]).toMatchObject({
      term: expect.stringMatching(/calendar/i),
      local: false,
    });
    const again = await first.post<api.SearchAnswer>('search', ask(' calendar '));
    expect(again).toMatchObject({ from: 'kept', costs: { calls: 0, session: 1 } });
    const second = await openPicker({ catalog, root, now });
    time += 23 * 60 * 60 * 1000;
    const later = await second.post<api.SearchAnswer>('search', ask('calendar'));
    expect(later).toMatchObject({ from: 'kept', total: found.total });
    expect(later.icons.map(({ id }) => id)).toEqual(found.icons.map(({ id }) => id));
    expect(signed()).toEqual(['GET /v2/icon']);
    time += 2 * 60 * 60 * 1000;
    expect(await second.post('search', ask('calendar'))).toMatchObject({ from: 'catalog' });
    expect(await second.post('search', ask('calendar', { fresh: true }))).toMatchObject({
      from: 'catalog',
    });
    expect(signed()).toHaveLength(3);
  });

  it('cost one call if two tabs ask at the same time', async () => {
    const picker = await openPicker({ catalog });
    const both = await Promise.all([
      picker.post<api.SearchAnswer>('search', ask('park')),
      picker.post<api.SearchAnswer>('search', ask('park')),
    ]);
    expect(both[0]?.icons).toEqual(both[1]?.icons);
    expect(signed()).toEqual(['GET /v2/icon']);
  });

  it('send filters to the catalog, and keep the policy of the project here', async () => {
    const picker = await openPicker({
      catalog,
      options: { licenses: { allow: ['public-domain'] } },
    });
    const filters = { styles: ['line'], lineWeight: [10, 60], publicDomain: false };
    const found = await picker.post<api.SearchAnswer>('search', ask('home', filters));
    expect(found.icons.length).toBeGreaterThan(0);
    for (const { styles, lineWeight } of found.icons) {
      expect(styles).toContain('line');
      expect(lineWeight).toBeGreaterThanOrEqual(10);
    }
    const refused = found.icons.find(({ license }) => license.verdict === 'refused');
    expect(refused?.license.reason).toContain('licenses.allow');
    const allowed = await picker.post<api.SearchAnswer>(
      'search',
      ask('home', { ...filters, allowed: true }),
    );
    expect(allowed.icons.every(({ license }) => license.verdict === 'allowed')).toBe(true);
    expect(signed()).toHaveLength(1);
  });

  it('without a call find what earlier answers and the lock hold', async () => {
    const picker = await openPicker({ catalog });
    expect(await picker.post('search', ask('park', { remote: false }))).toMatchObject({
      icons: [],
      from: 'local',
    });
    await picker.post('search', ask('park'));
    const here = await picker.post<api.SearchAnswer>('search', ask('parking', { remote: false }));
    expect(here.from).toBe('local');
    expect(here.icons.map(({ term }) => term.toLowerCase())).toContain('parking');
    const none = await picker.post<api.SearchAnswer>('search', ask('parkng', { remote: false }));
    expect(none.suggestions).toContain('parking');
    expect(signed()).toHaveLength(1);
  });

  it('keep pages, suggestions and collections alike', async () => {
    const picker = await openPicker({ catalog });
    const first = await picker.post<api.SearchAnswer>('search', ask('arrow'));
    const next = ask('arrow', { nextPage: first.nextPage });
    const second = await picker.post<api.SearchAnswer>('search', next);
    expect(second.icons[0]?.id).not.toBe(first.icons[0]?.id);
    await picker.post('search', next);
    const terms = await picker.post<api.SuggestAnswer>('suggest', { query: 'cal' });
    expect(terms.suggestions).toContain('calendar');
    await picker.post('suggest', { query: 'cal' });
    const sets = await picker.post<api.CollectionsAnswer>('collections', { remote: true });
    expect(sets.collections.map(({ name }) => name)).toContain('Maki');
    await picker.post('collections', { remote: true });
    const { id = '' } = sets.collections.find(({ name }) => name === 'Maki') ?? {};
    const set = await picker.post<api.CollectionAnswer>('collection', { id, remote: true });
    expect(set).toMatchObject({ collection: { id, name: 'Maki' }, from: 'catalog' });
    expect(set.icons.length).toBeGreaterThan(50);
    expect(await picker.post('collection', { id, remote: false })).toMatchObject({ from: 'kept' });
    expect(signed()).toHaveLength(5);
  });

  it('are not taken from files that this machine did not sign', async () => {
    const picker = await openPicker({ catalog });
    await picker.post('search', ask('park'));
    const [file] = (await readTree(join(picker.root, '.cache', 'answers'))).keys();
    const path = join(picker.root, '.cache', 'answers', file ?? '');
    const text = await readFile(path, 'utf8');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, text.replaceAll('Parking', 'Planted').replaceAll('Park', 'Planted'));
    const next = await openPicker({ catalog, root: picker.root });
    expect(await next.post('search', ask('park'))).toMatchObject({ from: 'catalog' });
  });
});

describe('the session', () => {
  it('never spends more calls than its budget, also with four tabs, and asks before it goes on', async () => {
    const { createPickerState } = await import('../../src/picker/state.ts');
    const state = createPickerState({ budget: 3 });
    const picker = await openPicker({ catalog, state });
    const tabs = await Promise.all(
      ['home', 'park', 'bus', 'bank'].map((query) => picker.send('search', ask(query))),
    );
    expect(tabs.filter(({ status }) => status === 402)).toHaveLength(1);
    expect(signed()).toHaveLength(3);
    expect(await (await picker.send('search', ask('bar'))).json()).toMatchObject({
      error: { code: 'BUDGET' },
      costs: { calls: 0, session: 3, budget: 3 },
    });
    expect(await picker.post('budget')).toMatchObject({ costs: { session: 3, budget: 6 } });
    expect((await picker.send('search', ask('bar'))).status).toBe(200);
  });

  it('counts attempts that fail', async () => {
    const { createPickerState } = await import('../../src/picker/state.ts');
    const state = createPickerState({ budget: 2 });
    const picker = await openPicker({ catalog, state, options: { retries: 2 } });
    catalog.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect((await picker.send('search', ask('park'))).status).toBe(402);
    expect(signed()).toHaveLength(2);
  });

  it('makes no call after a spent quota until the page is loaded again', async () => {
    const picker = await openPicker({ catalog });
    catalog.intercept = (_, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end('{}');
      return true;
    };
    const first = await picker.send('search', ask('park'));
    expect(first.status).toBe(429);
    expect(await first.json()).toMatchObject({
      error: { code: 'CATALOG_USAGE_LIMIT' },
      costs: { stopped: { code: 'CATALOG_USAGE_LIMIT' } },
    });
    catalog.intercept = undefined;
    expect((await picker.send('search', ask('bank'))).status).toBe(429);
    expect(await picker.post('search', ask('bank', { remote: false }))).toMatchObject({
      icons: [],
    });
    expect(await picker.post('project')).toMatchObject({
      costs: { stopped: { code: 'CATALOG_USAGE_LIMIT' } },
    });
    expect(signed()).toHaveLength(1);
    const reloaded = await picker.post<api.ProjectAnswer>('project', { opened: true });
    expect(reloaded.costs.stopped).toBeUndefined();
    expect((await picker.send('search', ask('bank'))).status).toBe(200);
  });

  it('makes calls again for the first search of a page, whatever the page asks besides', async () => {
    const picker = await openPicker({ catalog });
    catalog.intercept = (_, response) => {
      response.writeHead(401).end('{}');
      return true;
    };
    await picker.send('search', ask('harbour'));
    catalog.intercept = undefined;
    expect((await picker.send('search', ask('harbour'))).status).toBe(502);
    const opened = { ...ask('harbour'), opened: true };
    expect((await picker.send('search', opened)).status).toBe(200);
  });

  it('reports a refused key with both clocks', async () => {
    const picker = await openPicker({ catalog });
    catalog.intercept = (_, response) => {
      response.writeHead(401, { date: new Date().toUTCString() }).end('{}');
      return true;
    };
    const answer = await picker.send('search', ask('park'));
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'CATALOG_UNAUTHORIZED',
        clock: { here: expect.stringContaining('GMT'), there: expect.stringContaining('GMT') },
      },
      costs: { stopped: { code: 'CATALOG_UNAUTHORIZED' } },
    });
  });

  it.each(['offline', 'locked'] as const)('opens no socket in the mode %s', async (mode) => {
    const online = await openPicker({ catalog });
    const { icons } = await online.post<api.SearchAnswer>('search', ask('park'));
    catalog.reset();
    const picker = await openPicker({ catalog, root: online.root, options: { mode } });
    const found = await picker.post<api.SearchAnswer>('search', ask('park'));
    expect(found.icons.length).toBeGreaterThanOrEqual(icons.length);
    await picker.post('search', ask('bank'));
    await picker.post('suggest', { query: 'ban' });
    await picker.post('collections', { remote: true });
    await picker.post('project', { opened: true });
    await picker.post('render', { id: icons[0]?.id, fetch: true });
    if (mode === 'offline')
      for (const { thumb = '' } of found.icons.slice(0, 5)) await picker.get(thumb);
    expect(catalog.calls).toEqual([]);
  });
});

describe('looking at icons', () => {
  it('costs nothing: the project, ten colours and five sizes of an icon of the lock', async () => {
    const [id] = iconIds('maki', 1);
    const root = await writeProject({ 'main.js': `import a from 'icon:${id}';` });
    const { pinIcons } = await import('../../src/project/pin.ts');
    const { withProjectTools } = await import('../../src/project/open.ts');
    const { parseRequest } = await import('../../src/request/parse-request.ts');
    const picker = await openPicker({ catalog, root, options: { aliases: { house: Number(id) } } });
    const { resolveOptions } = await import('../../src/options/resolve-options.ts');
    const { url: baseUrl, key, secret } = catalog;
    const options = resolveOptions(
      { catalog: { baseUrl, key, secret }, cacheDir: join(root, '.cache') },
      { root, env: { XDG_CONFIG_HOME: root } },
    );
    await withProjectTools(options, { mode: 'online', log: picker.log }, (tools) =>
      pinIcons([{ request: parseRequest(`icon:${id}`, options) }], tools),
    );
    catalog.reset();
    const project = await picker.post<api.ProjectAnswer>('project', { opened: true });
    expect(project).toMatchObject({
      configured: true,
      mode: 'online',
      framework: null,
      icons: [
        {
          id: String(id),
          aliases: ['house'],
          pinned: true,
          local: true,
          uses: [{ file: 'main.js', line: 1, column: 16 }],
        },
      ],
    });
    const sizes = [16, 20, 24, 32, 48];
    for (const color of ['ff0000', '00ff00', '0000ff', '111111', '222222', '333333', '444444'])
      for (const size of sizes) {
        const { svg } = await picker.post<api.RenderAnswer>('render', {
          id: String(id),
          color,
          size,
        });
        expect(svg).toContain(`height="${size}"`);
        expect(svg).toContain(`#${color}`);
      }
    const [icon] = project.icons;
    const drawn = await picker.get(icon?.thumb ?? '');
    expect(drawn.headers.get('content-type')).toBe('image/svg+xml');
    expect(catalog.calls).toEqual([]);
    expect(picker.state.calls).toBe(0);
  });

  it('draws a file that is not here only if the page allows a call, and pins nothing', async () => {
    const picker = await openPicker({ catalog });
    const { icons } = await picker.post<api.SearchAnswer>('search', ask('bank'));
    const { id } = icons[0] ?? {};
    expect(await picker.post('render', { id })).toEqual({
      costs: expect.objectContaining({ calls: 0 }),
    });
    const drawn = await picker.post<api.RenderAnswer>('render', { id, fetch: true });
    expect(drawn.svg).toContain('<svg');
    expect(drawn.costs.calls).toBe(1);
    expect(signed()).toEqual(['GET /v2/icon', `GET /v2/icon/${id}/download`]);
    await picker.close();
    expect((await readTree(picker.root)).has('icons.lock')).toBe(false);
  });

  it('shows installed sets without keys, calls and the renderer of PNG files', async () => {
    const picker = await openPicker({
      options: { catalog: { embedded: { sets: ['maki'], root: process.cwd() } } },
    });
    const found = await picker.post<api.SearchAnswer>('search', ask('park', { remote: false }));
    expect(found).toMatchObject({ costs: { calls: 0, session: 0 } });
    const icon = found.icons.find(({ name }) => name === 'maki/park');
    expect(icon).toMatchObject({ local: true, thumb: expect.stringMatching(/\.svg$/) });
    const answer = await picker.get(icon?.thumb ?? '');
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(await answer.text()).toMatch(/^<svg [^]*<\/svg>$/);
  });

  it('shows drawings of a catalog that has no renderer, without what is active in them, and keeps none', async () => {
    const hostile =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="x()"><script>x()</script><path d="M1 2h3v4z"/></svg>';
    catalog.intercept = (path, response) => {
      if (!path.startsWith('/asset/thumbnail/')) return false;
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(hostile);
      return true;
    };
    const picker = await openPicker({ catalog });
    const { icons } = await picker.post<api.SearchAnswer>('search', ask('park'));
    const answer = await picker.get(icons[0]?.thumb ?? '');
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    const drawing = await answer.text();
    expect(drawing).toMatch(/^<svg [^]*M1 2h3v4[^]*<\/svg>$/);
    expect(drawing).not.toMatch(/script|onload/);
    expect(
      [...(await readTree(picker.root)).keys()].filter((path) => /thumbnails/.test(path)),
    ).toEqual([]);
    catalog.intercept = (path, response) =>
      path.startsWith('/asset/thumbnail/') && Boolean(response.writeHead(200).end('<p>no picture'));
    expect((await picker.get(icons[1]?.thumb ?? '')).status).toBe(404);
    expect(signed()).toEqual(['GET /v2/icon']);
  });

  it('keeps secrets, signatures and addresses of files out of answers, logs and files', async () => {
    const picker = await openPicker({ catalog, options: { retries: 1 } });
    const texts: string[] = [];
    const post = async (name: string, body: object): Promise<void> => {
      texts.push(await (await picker.send(name, body)).text());
    };
    await post('search', ask('park'));
    const { icons } = JSON.parse(texts[0] ?? '') as api.SearchAnswer;
    await post('suggest', { query: 'par' });
    await post('collections', { remote: true });
    await post('render', { id: icons[0]?.id, fetch: true });
    await post('project', { opened: true });
    for (const { thumb = '' } of icons.slice(0, 3))
      expect((await picker.get(thumb)).status).toBe(200);
    catalog.intercept = (_, response) => {
      response.writeHead(400).end(`bad oauth_signature="x" of ${KEY} and ${SECRET}`);
      return true;
    };
    await post('search', ask('failing'));
    await picker.close();
    const files = await readTree(picker.root);
    expect([...files.keys()].map((path) => path.split('/').slice(0, 2).join('/'))).toEqual(
      expect.arrayContaining(['.cache/answers', '.cache/thumbnails', '.cache/content']),
    );
    const all = [
      ...texts,
      ...picker.log.lines,
      ...[...files.values()].map((bytes) => bytes.toString('latin1')),
    ];
    for (const word of [KEY, SECRET, 'oauth_', 'Signature=', 'Expires=', '/asset/'])
      expect([word, all.filter((text) => text.includes(word))]).toEqual([word, []]);
  });
});
