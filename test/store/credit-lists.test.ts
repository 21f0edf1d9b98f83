import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBytes, readList } from '../../src/store/credit-lists.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const LIST = { schemaVersion: 1, catalog: { name: 'Icons', siteUrl: '' }, builds: [], icons: [] };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icon-catalog-lists-'));
});
afterAll(() => removeFolder(folder));

describe('a list of credits', () => {
  it('may have been saved by an editor with a mark of its encoding', async () => {
    const path = join(folder, 'marked.json');
    await writeFile(path, `\uFEFF${JSON.stringify(LIST)}`);
    expect(await readList(path)).toEqual(LIST);
  });

  it('may be there in compressed form alone', async () => {
    const path = join(folder, 'packed.json');
    await writeFile(`${path}.gz`, gzipSync(JSON.stringify(LIST)));
    expect(await readList(path)).toEqual(LIST);
  });

  it('is absent if nothing is there, or a link to nothing', async () => {
    const path = join(folder, 'absent.json');
    expect(await readList(path)).toBeUndefined();
    await symlink(join(folder, 'nowhere.json'), path);
    expect(await readList(path)).toBeUndefined();
    expect(await readList(join(folder, 'absent.json/list.json'))).toBeUndefined();
  });

  const whole = { id: '1', usedIn: [{ build: 'a', file: 'b' }], changes: [] };
  const parts = { creator: {}, credit: {}, source: {}, license: {} };
  const damaged: [name: string, what: unknown, why: RegExp][] = [
    ['an empty file', '', /it is empty, cut off or not JSON\. Remove it, then run every build/],
    ['a file that was cut off', JSON.stringify(LIST).slice(0, -1), /it is empty, cut off or not/],
    ['another JSON file', { name: 'package' }, /it is not a list of credits/],
    ['null', null, /it is not a list of credits/],
    ['a list of no builds', { ...LIST, builds: undefined }, /it is not a list of credits/],
    ['an icon without places', { ...LIST, icons: [{ id: '1' }] }, /it is not a list of credits/],
    ['an icon without credit', { ...LIST, icons: [whole] }, /it is not a list of credits/],
    [
      'a place without a file',
      { ...LIST, icons: [{ ...whole, ...parts, usedIn: [{ build: 'a' }] }] },
      /it is not a list of credits/,
    ],
    [
      'the list of a later version',
      { ...LIST, schemaVersion: 2 },
      /was written by a later version of unplugin-icon-catalog\. Update the package here, too\.$/,
    ],
  ];

  it.each(damaged)('is no list that counts as absent: %s', async (_name, what, why) => {
    const path = join(folder, 'damaged.json');
    await writeFile(path, typeof what === 'string' ? what : JSON.stringify(what));
    await expect(readList(path, 'dist/list.json')).rejects.toThrow(why);
    await expect(readList(path, 'dist/list.json')).rejects.toThrow('dist/list.json');
  });

  it('is not read if it is a folder, a link to itself, no file, or larger than any list', async () => {
    const path = join(folder, 'list.json');
    await mkdir(path);
    await expect(readList(path)).rejects.toThrow(/list\.json cannot be read: it is a folder\./);
    // What is not a list need only be looked for.
    expect(await readBytes(path)).toBeUndefined();
    await rm(path, { recursive: true });
    await symlink(path, path);
    await expect(readList(path)).rejects.toThrow(/list\.json cannot be read: ELOOP/);
    await rm(path);
    await symlink('/dev/null', path);
    await expect(readList(path)).rejects.toThrow(/list\.json cannot be read: it is not a file/);
    await rm(path);
    await writeFile(path, '');
    await truncate(path, 2 ** 29);
    await expect(readList(path)).rejects.toThrow(/list\.json cannot be read: it has more than 256/);
  });
});
