import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_CACHE_DIR } from '../../src/store/files.ts';
import {
  createTextPack,
  type PackText,
  type TextPack,
  type TextPackOptions,
} from '../../src/store/packs.ts';
import { createFolder, createLog, createRandom, type Folder } from './support.ts';

const KEY = Buffer.alloc(32, 1);

async function openPack(
  file: string,
  options: Partial<Omit<TextPackOptions, 'file'>> = {},
): Promise<TextPack> {
  const pack = createTextPack({ file, identity: 'one', key: KEY, log: createLog(), ...options });
  await pack.open();
  return pack;
}

async function packOf(folder: Folder, texts: Record<string, string>): Promise<string> {
  const file = folder.join('deep', 'modules.values');
  const pack = await openPack(file);
  for (const [key, text] of Object.entries(texts)) pack.set(key, text);
  await pack.flush();
  return file;
}

describe('a text pack', () => {
  it('gives back what was set, at once and in the next run', async () => {
    await using folder = await createFolder();
    const texts = { 'icon:1#': 'ä\t★', b: '' };
    const pack = await openPack(await packOf(folder, texts));
    expect(pack.get('icon:1#')).toBe('ä\t★');
    expect(pack.get('b')).toBe('');
    expect(pack.get('c')).toBeUndefined();
    pack.set('c', 'new');
    expect(pack.get('c')).toBe('new');
  });

  it('is the text that its format says', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { b: '2', a: '1' });
    const [header = '', digest = '', ...lines] = (await readFile(file, 'utf8')).split('\n');
    expect(JSON.parse(header)).toEqual({
      format: 'unplugin-icon-catalog text pack',
      version: 1,
      identity: 'one',
    });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(lines).toEqual(['b\t2', 'a\t1', '']);
    expect(await readdir(dirname(file))).toEqual(['modules.values']);
  });

  it('reads as empty for another identity', async () => {
    await using folder = await createFolder();
    const pack = await openPack(await packOf(folder, { a: '1' }), { identity: 'two' });
    expect(pack.get('a')).toBeUndefined();
    expect(pack.damaged).toBe(0);
  });

  it('gives the right text or none, whichever byte is hit or wherever it ends, and repairs it', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: 'one', b: 'two ★' });
    const good = await readFile(file);
    const random = createRandom(20);
    for (let at = 0; at < good.length; at += 1) {
      const hit = Buffer.from(good);
      hit[at] = (hit[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      for (const bytes of [hit, good.subarray(0, at)]) {
        await writeFile(file, bytes);
        const pack = await openPack(file);
        expect([pack.get('a'), pack.get('b')], `byte ${at}`).toEqual([undefined, undefined]);
      }
    }
    const pack = await openPack(file);
    pack.set('a', 'one');
    pack.set('b', 'two ★');
    await pack.flush();
    expect(await readFile(file)).toEqual(good);
  });

  it('keeps what another one wrote meanwhile', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1' });
    const [first, second] = [await openPack(file), await openPack(file)];
    first.set('b', '2');
    await first.flush();
    second.set('c', '3');
    const flushing = second.flush();
    second.set('d', '4');
    await flushing;
    expect(['a', 'b', 'c', 'd'].map((key) => second.get(key))).toEqual(['1', '2', '3', '4']);
    await second.flush();
    const last = await openPack(file);
    expect(['a', 'b', 'c', 'd'].map((key) => last.get(key))).toEqual(['1', '2', '3', '4']);
  });

  it('drops what was not asked for, and only when it grew too large', async () => {
    await using folder = await createFolder();
    const texts = { a: 'x'.repeat(400), b: 'y'.repeat(400) };
    const pack = await openPack(await packOf(folder, texts), { maxBytes: 1000 });
    pack.get('b');
    pack.set('c', 'z'.repeat(400));
    await pack.flush();
    expect(['a', 'b', 'c'].filter((key) => pack.get(key) !== undefined)).toEqual(['b', 'c']);
  });

  it('refuses keys and texts that would break a line', async () => {
    await using folder = await createFolder();
    const pack = await openPack(folder.join('pack'));
    for (const key of ['', 'a b', 'a\tb', 'ä'])
      expect(() => pack.set(key, ''), key).toThrow(TypeError);
    expect(() => pack.set('a', '1\n2')).toThrow(TypeError);
  });

  it('lets `keepValid` decide on every line, those of another process included', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1', b: '2' });
    const seen: string[][] = [];
    const keepValid = (lines: Map<string, PackText>): void => {
      seen.push([...lines.keys()]);
      lines.delete('b');
      lines.delete('mine');
      lines.set('!check', 'written last');
    };
    const pack = await openPack(file, { keepValid });
    expect(pack.get('b')).toBe('2');
    const other = await openPack(file);
    other.set('theirs', '3');
    await other.flush();
    pack.set('mine', '4');
    pack.set('c', '5');
    await pack.flush();
    expect(seen).toEqual([['a', 'b', 'theirs', 'mine', 'c']]);
    for (const each of [pack, await openPack(file)]) {
      const found = ['a', 'b', 'theirs', 'mine', 'c', '!check'].map((key) => each.get(key));
      expect(found).toEqual(['1', undefined, '3', undefined, '5', 'written last']);
    }
    // Nothing was set: nothing is written, and nothing checked.
    await pack.flush();
    expect(seen).toHaveLength(1);
  });

  it('without a folder for the cache stays in memory, without a warning of its own', async () => {
    const log = createLog();
    const pack = await openPack(join(NO_CACHE_DIR, 'packs', 'a.values'), { log });
    pack.set('a', '1');
    await pack.flush();
    expect([pack.get('a'), log.warnings]).toEqual(['1', []]);
  });

  it('warns once where it cannot be written, and goes on', async () => {
    await using folder = await createFolder();
    const blocker = folder.join('file');
    await writeFile(blocker, '');
    const log = createLog();
    const pack = await openPack(`${blocker}/pack`, { log });
    for (const key of ['a', 'b']) {
      pack.set(key, key);
      await pack.flush();
    }
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toMatch(/\(E[A-Z]+, a file lies where a folder should be\)/);
    expect(pack.get('a')).toBe('a');
  });
});
