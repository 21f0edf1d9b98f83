import { lstat, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type * as api from '../../src/picker/api.ts';
import { createPickerState } from '../../src/picker/state.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { readTree } from '../support/write-project.ts';
import { openPicker, type TestPicker } from './support.ts';

const CONFIG = 'icon-catalog.config.mjs';
const TEXT = `export default {
  // names of the team
  aliases: {
    start: 1, // not drawn
  },
};
`;
const IDS = iconIds('maki', 40).map(String);
const [ID = ''] = IDS;
let catalog: CountingCatalog;

beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'] });
});
beforeEach(() => catalog.reset());
afterAll(() => catalog.close());

const signed = (): string[] => catalog.calls.filter((call) => !call.includes('/asset/'));
const read = (picker: TestPicker, name: string): Promise<string> =>
  readFile(join(picker.root, name), 'utf8').catch(() => '');

async function projectPicker(
  more: Partial<Parameters<typeof openPicker>[0]> & { text?: string } = {},
): Promise<TestPicker> {
  const { text = TEXT, ...input } = more;
  const files = { [CONFIG]: text, ...input.files };
  return openPicker({
    catalog,
    config: CONFIG,
    options: { aliases: { start: 1 } },
    ...input,
    files,
  });
}

describe('adding an icon', () => {
  it('costs two calls with its search: alias in the configuration, line in the lock, types', async () => {
    const picker = await projectPicker({ files: { 'tsconfig.json': '{}' } });
    const { icons } = await picker.post<api.SearchAnswer>('search', {
      query: 'bank',
      remote: true,
    });
    const { id = '' } = icons.find(({ term }) => term === 'Bank') ?? {};
    const { write } = await picker.post<api.ProjectAnswer>('project', { opened: true });
    expect(write).toEqual({
      possible: true,
      file: CONFIG,
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    });
    const ifMatch = write.possible ? write.hash : '';
    const added = await picker.post<api.AddAnswer>('add', {
      items: [{ id, alias: 'money' }],
      ifMatch,
    });
    expect(added.added).toEqual([
      { id, alias: 'money', importLine: "import money from 'icon:money';" },
    ]);
    expect(added.costs.calls).toBe(1);
    expect(signed()).toEqual(['GET /v2/icon', `GET /v2/icon/${id}/download`]);
    expect(await read(picker, CONFIG)).toBe(
      TEXT.replace('// not drawn\n', `// not drawn\n    money: ${id},\n`),
    );
    expect(added.diff.split('\n').filter((line) => /^[+-] /.test(line))).toEqual([
      `+    money: ${id},`,
    ]);
    expect(JSON.parse(await read(picker, 'icons.lock'))).toHaveProperty(
      [`${id}:svg`, 'term'],
      'Bank',
    );
    expect(await read(picker, 'icon-catalog.d.ts')).toContain('declare module "icon:money"');
    const project = await picker.post<api.ProjectAnswer>('project');
    expect(project.icons.find((icon) => icon.id === id)).toMatchObject({
      aliases: ['money'],
      pinned: true,
      local: true,
    });
    expect(
      [...(await readTree(picker.root)).keys()].filter((path) =>
        /\.(?:tmp|lock\.lock)$/.test(path),
      ),
    ).toEqual([]);
  });

  it('is reversed to the exact bytes, or refused with the reason', async () => {
    const picker = await projectPicker();
    const first = await picker.post<api.AddAnswer>('add', { items: [{ id: ID, alias: 'one' }] });
    const configured = await read(picker, CONFIG);
    const locked = await read(picker, 'icons.lock');
    const items = [{ id: IDS[1], alias: 'two' }, { id: IDS[2] }];
    const second = await picker.post<api.AddAnswer>('add', { items });
    expect(second.added.map(({ importLine }) => importLine)).toEqual([
      "import two from 'icon:two';",
      `import icon${IDS[2]} from 'icon:${IDS[2]}';`,
    ]);
    const early = await picker.send('undo', { undo: first.undo });
    expect(early.status).toBe(409);
    expect(await early.json()).toMatchObject({ error: { code: 'CHANGED' } });
    const undone = await picker.post<api.UndoAnswer>('undo', { undo: second.undo });
    expect(undone.restored.toSorted()).toEqual([CONFIG, 'icons.lock']);
    expect(await read(picker, CONFIG)).toBe(configured);
    expect(await read(picker, 'icons.lock')).toBe(locked);
    await picker.post('undo', { undo: first.undo });
    expect(await read(picker, CONFIG)).toBe(TEXT);
    expect((await readTree(picker.root)).has('icons.lock')).toBe(false);
    expect((await picker.send('undo', { undo: first.undo })).status).toBe(404);
  });

  it('gives another name in the place of the old one, and takes it back', async () => {
    const picker = await projectPicker({ files: { 'tsconfig.json': '{}' } });
    const add = (item: api.AddRequest['items'][number]) =>
      picker.post<api.AddAnswer>('add', { items: [item] });
    await add({ id: ID, alias: 'one' });
    const before = await read(picker, CONFIG);
    const renamed = await add({ id: ID, alias: 'first-one', replaces: 'one' });
    expect(await read(picker, CONFIG)).toBe(before.replace('one:', "'first-one':"));
    expect(renamed.diff.split('\n').filter((line) => /^[+-] /.test(line))).toEqual([
      `-    one: ${ID},`,
      `+    'first-one': ${ID},`,
    ]);
    expect(renamed.added).toMatchObject([{ importLine: "import firstOne from 'icon:first-one';" }]);
    expect(await read(picker, 'icon-catalog.d.ts')).toContain('declare module "icon:first-one"');
    await picker.post('undo', { undo: renamed.undo });
    expect(await read(picker, CONFIG)).toBe(before);
  });

  it('shows the names that the file states now, before the options are loaded again', async () => {
    const picker = await projectPicker();
    const names = async () =>
      (await picker.post<api.ProjectAnswer>('project')).icons.flatMap(({ aliases }) => aliases);
    expect(await names()).toEqual(['start']);
    await writeFile(join(picker.root, CONFIG), TEXT.replace('start', 'begin'));
    expect(await names()).toEqual(['begin']);
  });

  it('gives no name in the place of one that another icon has', async () => {
    const picker = await projectPicker();
    for (const replaces of ['start', 'unknown', '__proto__']) {
      const answer = await picker.send('add', { items: [{ id: ID, alias: 'two', replaces }] });
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: { code: 'ALIAS' } },
      ]);
    }
    expect(await read(picker, CONFIG)).toBe(TEXT);
    expect(signed()).toEqual([]);
  });

  it.each([
    ['with a byte order mark', `\u{feff}${TEXT}`],
    ['with the ends of lines of Windows', TEXT.replaceAll('\n', '\r\n')],
    ['behind a link', TEXT],
  ])('keeps all other bytes of a file %s, and restores them', async (how, text) => {
    const picker = await projectPicker({ text });
    const path = join(picker.root, CONFIG);
    if (how === 'behind a link') {
      await rename(path, join(picker.root, 'own.mjs'));
      await symlink('own.mjs', path);
    }
    const { undo } = await picker.post<api.AddAnswer>('add', { items: [{ id: ID, alias: 'one' }] });
    const after = await read(picker, CONFIG);
    expect(after.replace(new RegExp(`\r?\n *one: ${ID},`), '')).toBe(text);
    await picker.post('undo', { undo });
    expect(await readFile(path)).toEqual(Buffer.from(text));
    expect((await lstat(path)).isSymbolicLink()).toBe(how === 'behind a link');
  });

  it('does not touch a file of another encoding', async () => {
    const picker = await projectPicker();
    const bytes = Buffer.from(TEXT.replace('team', 't\u{e9}am'), 'latin1');
    await writeFile(join(picker.root, CONFIG), bytes);
    expect(await picker.post('add', { items: [{ id: ID, alias: 'one' }] })).toMatchObject({
      added: [],
      copy: { reason: `${CONFIG} is not written in UTF-8.` },
    });
    expect(await readFile(join(picker.root, CONFIG))).toEqual(bytes);
  });

  it('is a conflict once somebody else has changed the configuration, and writes nothing', async () => {
    const picker = await projectPicker();
    const { write } = await picker.post<api.ProjectAnswer>('project');
    const ifMatch = write.possible ? write.hash : '';
    const changed = TEXT.replace('start', 'begin');
    await writeFile(join(picker.root, CONFIG), changed);
    const answer = await picker.send('add', { items: [{ id: ID, alias: 'one' }], ifMatch });
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { error: { code: 'CHANGED' } },
    ]);
    expect(await read(picker, CONFIG)).toBe(changed);
    expect(await read(picker, 'icons.lock')).toBe('');
    expect(signed()).toEqual([]);
  });

  it('loses nothing when two tabs add twenty icons', async () => {
    const picker = await projectPicker();
    const tab = async (ids: readonly string[], name: string): Promise<void> => {
      const { write } = await picker.post<api.ProjectAnswer>('project');
      let ifMatch = write.possible ? write.hash : '';
      for (const [at, id] of ids.entries()) {
        const added = await picker.post<api.AddAnswer>('add', {
          items: [{ id, alias: `${name}-${at}` }],
          ifMatch,
        });
        ifMatch = added.write.possible ? added.write.hash : '';
      }
    };
    picker.state.allowMore();
    await Promise.all([tab(IDS.slice(0, 10), 'left'), tab(IDS.slice(10, 20), 'right')]);
    const { default: config } = (await import(`${join(picker.root, CONFIG)}?all`)) as {
      default: { aliases: Record<string, number> };
    };
    expect(Object.keys(config.aliases)).toHaveLength(21);
    expect(
      Object.values(config.aliases)
        .slice(1)
        .toSorted((a, b) => a - b),
    ).toEqual(
      IDS.slice(0, 20)
        .map(Number)
        .toSorted((a, b) => a - b),
    );
    const lock = JSON.parse(await read(picker, 'icons.lock')) as object;
    expect(Object.keys(lock).filter((key) => key.endsWith(':svg'))).toHaveLength(20);
    expect(
      [...(await readTree(picker.root)).keys()].filter((path) =>
        /\.tmp$|\.lock\.lock$|mjs\.lock$/.test(path),
      ),
    ).toEqual([]);
  });

  it.each([
    ['../secrets', 'secrets'],
    ['credits', 'credits-2'],
    ['set', 'set-2'],
    ['__proto__', 'icon'],
    ['12', 'icon'],
    ['Two Words!', 'two-words'],
    ['start', 'start-2'],
    ['a'.repeat(101), 'a'.repeat(60)],
  ])('refuses the name %s and offers a free one', async (alias, suggestion) => {
    const picker = await projectPicker();
    const answer = await picker.send('add', { items: [{ id: ID, alias }] });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { suggestion } }]);
    expect(await read(picker, CONFIG)).toBe(TEXT);
    const good = await picker.send('add', { items: [{ id: ID, alias: suggestion }] });
    expect(good.status).toBe(200);
  });

  it('refuses ids that are none, and names that one request gives twice', async () => {
    const picker = await projectPicker();
    for (const id of ['../1', '', '-1', '1.5', 'x'])
      expect((await picker.send('add', { items: [{ id, alias: 'one' }] })).status).toBe(400);
    const items = [
      { id: ID, alias: 'one' },
      { id: IDS[1], alias: 'one' },
    ];
    expect((await picker.send('add', { items })).status).toBe(400);
    expect((await picker.send('add', { items: [] })).status).toBe(400);
    expect(await read(picker, CONFIG)).toBe(TEXT);
    expect(signed()).toEqual([]);
  });

  it('gives lines to copy for a configuration that cannot be edited, and pins nothing', async () => {
    const text = "import { aliases } from './aliases.mjs';\nexport default { aliases };\n";
    const picker = await projectPicker({ text });
    const answer = await picker.post<api.AddAnswer>('add', { items: [{ id: ID, alias: 'one' }] });
    expect(answer).toMatchObject({
      added: [],
      copy: {
        lines: `aliases: {\n  "one": ${ID},\n}`,
        reason: expect.stringContaining('not written as an object'),
      },
      write: { possible: false },
    });
    expect(answer.undo).toBeUndefined();
    expect(await read(picker, CONFIG)).toBe(text);
    expect(await read(picker, 'icons.lock')).toBe('');
  });

  it.each(['locked', 'offline'] as const)('gives lines to copy in the mode %s', async (mode) => {
    const picker = await projectPicker({ options: { mode } });
    expect(await picker.post('add', { items: [{ id: ID, alias: 'one' }] })).toMatchObject({
      added: [],
      copy: { reason: expect.stringContaining(`\`${mode}\``) },
      write: { possible: false },
    });
    expect(catalog.calls).toEqual([]);
  });

  it('writes all or nothing: no alias for an icon that the key may not have or the project refuses', async () => {
    const picker = await projectPicker({
      options: { aliases: {}, licenses: { allow: ['creative-commons-attribution'] } },
    });
    const refused = await picker.send('add', { items: [{ id: ID, alias: 'one' }] });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { code: 'LICENSE_REFUSED' } },
    ]);
    const missing = await picker.send('add', { items: [{ id: '7', alias: 'one' }] });
    expect(missing.status).toBe(404);
    catalog.intercept = (path, response) => {
      if (!path.includes('/download')) return false;
      response.writeHead(403).end('{}');
      return true;
    };
    const free = await projectPicker();
    const both = { items: [{ id: ID, alias: 'one' }] };
    const answer = await free.send('add', both);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { error: { code: 'CATALOG_FORBIDDEN' } },
    ]);
    for (const one of [picker, free]) {
      expect(await read(one, CONFIG)).toBe(TEXT);
      expect(await read(one, 'icons.lock')).toBe('');
    }
  });

  it('names a file that cannot be written, and writes no half of it', async () => {
    // Its name leaves no room for that of a temporary file.
    const config = `icon-catalog.config.${'x'.repeat(225)}.mjs`;
    const files = { [config]: TEXT, blocked: '' };
    const unwritable = await openPicker({ catalog, config, files });
    expect(await unwritable.post('add', { items: [{ id: ID, alias: 'one' }] })).toMatchObject({
      added: [],
      copy: { reason: expect.stringContaining('cannot be written (ENAMETOOLONG') },
    });
    const unlocked = await projectPicker({ files, options: { lockfile: 'blocked/icons.lock' } });
    expect(await unlocked.post('add', { items: [{ id: ID, alias: 'one' }] })).toMatchObject({
      added: [],
      copy: { reason: 'blocked/icons.lock cannot be written.' },
    });
    for (const picker of [unwritable, unlocked]) {
      expect(await read(picker, config)).toBe(TEXT);
      const names = [...(await readTree(picker.root)).keys()];
      expect(names.filter((name) => /\.tmp$|\.lock$/.test(name))).toEqual([]);
    }
  });

  it('asks before the budget of the session is exceeded', async () => {
    const state = createPickerState({ budget: 1 });
    const picker = await projectPicker({ state });
    const answer = await picker.send('add', { items: [{ id: ID, alias: 'one' }] });
    expect(answer.status).toBe(402);
    expect(await read(picker, CONFIG)).toBe(TEXT);
    expect(signed()).toHaveLength(1);
  });

  it('writes names of installed sets, which people can read', async () => {
    const options = { catalog: { embedded: { sets: ['maki'], root: process.cwd() } } };
    const picker = await projectPicker({ options, text: 'export default { aliases: {} }' });
    const { icons } = await picker.post<api.SearchAnswer>('search', {
      query: 'bank',
      remote: true,
    });
    const { id = '' } = icons.find(({ name }) => name === 'maki/bank') ?? {};
    await picker.post('add', { items: [{ id, alias: 'money' }] });
    expect(await read(picker, CONFIG)).toBe("export default { aliases: { money: 'maki/bank' } }");
  });
});

describe('uses', () => {
  it('follow the sources, and are opened by their numbers', async () => {
    const picker = await projectPicker({ files: { 'main.js': `import a from 'icon:${ID}';\n` } });
    const usesOf = async (): Promise<api.PickerIcon['uses']> => {
      const { icons } = await picker.post<api.ProjectAnswer>('project');
      return icons.find(({ id }) => id === ID)?.uses ?? [];
    };
    const [use] = await usesOf();
    expect(use).toMatchObject({ file: 'main.js', line: 1, column: 16 });
    await picker.post('add', { items: [{ id: ID, alias: 'one' }] });
    await writeFile(
      join(picker.root, 'main.js'),
      `\nimport a from 'icon:${ID}';\nimport b from 'icon:one';\n`,
    );
    await expect.poll(usesOf).toMatchObject([
      { line: 2, use: 1 },
      { line: 3, use: 2 },
    ]);
    expect((await picker.send('open', { use: 99 })).status).toBe(404);
    expect((await picker.send('open', { use: '/etc/passwd' })).status).toBe(400);
    expect((await picker.send('open', { use: use?.use })).status).toBe(501);
  });
});
