import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContentStore } from '../../src/store/content-store.ts';
import { sri512 } from '../../src/store/hash.ts';
import { buildProcess, createFolder, createLog, exitOf } from './support.ts';

const bytes = Buffer.from('<svg>star</svg>');

async function filesOf(folder: string, part: string): Promise<string[]> {
  const found = await readdir(path.join(folder, part), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function onlyFileOf(folder: string, part: string): Promise<string> {
  const [file, ...rest] = await filesOf(folder, part);
  if (file === undefined || rest.length > 0)
    throw new Error(`${part} does not hold exactly one file`);
  return file;
}

describe('a store', () => {
  it('gives back what was put, also to another one', async () => {
    await using folder = await createFolder();
    const log = createLog();
    const store = createContentStore({ dir: folder.join('new', 'cache'), log });
    expect(await store.get('a')).toBeUndefined();
    expect(await store.put('a', bytes, { type: 'svg' })).toEqual({ integrity: sri512(bytes) });
    await store.put('empty', new Uint8Array());
    const other = createContentStore({ dir: folder.join('new', 'cache'), log });
    expect(await other.get('a')).toEqual({
      bytes,
      integrity: sri512(bytes),
      metadata: { type: 'svg' },
    });
    expect((await other.get('empty'))?.bytes.length).toBe(0);
    expect(await other.get('b')).toBeUndefined();
    expect(log.warnings).toEqual([]);
  });

  it('takes the last of several contents, and grows by none that is there', async () => {
    await using folder = await createFolder();
    const store = createContentStore({ dir: folder.path, log: createLog() });
    await store.put('a', bytes, { n: 1 });
    const index = await onlyFileOf(folder.path, 'index-v5');
    const { size } = await stat(index);
    await store.put('a', bytes, { n: 1 });
    expect((await stat(index)).size).toBe(size);
    await store.put('a', bytes, { n: 2 });
    expect((await store.get('a'))?.metadata).toEqual({ n: 2 });
    await store.put('a', Buffer.from('new'));
    expect(Buffer.from((await store.get('a'))?.bytes ?? []).toString()).toBe('new');
  });

  it('never gives damaged bytes, whichever byte is hit, and mends them with the next put', async () => {
    await using folder = await createFolder();
    const log = createLog();
    const store = createContentStore({ dir: folder.path, log });
    await store.put('a', bytes);
    const file = await onlyFileOf(folder.path, 'content-v2');
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
      await writeFile(file, flipped);
      expect(await store.get('a'), `byte ${at}`).toBeUndefined();
      await store.put('a', bytes);
      expect((await store.get('a'))?.bytes).toEqual(bytes);
    }
    expect(log.warnings).toHaveLength(bytes.length);
  });

  it.each([
    ['cut short', (file: string) => truncate(file, 3)],
    ['empty', (file: string) => truncate(file, 0)],
    ['longer', (file: string) => writeFile(file, `${bytes.toString()} `)],
    ['gone', (file: string) => rm(file)],
  ])('misses content that is %s', async (_, harm) => {
    await using folder = await createFolder();
    const store = createContentStore({ dir: folder.path, log: createLog() });
    await store.put('a', bytes);
    await harm(await onlyFileOf(folder.path, 'content-v2'));
    expect(await store.get('a')).toBeUndefined();
    await store.put('a', bytes);
    expect((await store.get('a'))?.bytes).toEqual(bytes);
  });

  it('mends damaged content that another key is put with, unasked', async () => {
    await using folder = await createFolder();
    const store = createContentStore({ dir: folder.path, log: createLog() });
    await store.put('a', bytes);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(0, 0);
    await writeFile(await onlyFileOf(folder.path, 'content-v2'), damaged);
    await store.put('b', bytes);
    expect((await store.get('b'))?.bytes).toEqual(bytes);
    expect((await store.get('a'))?.bytes).toEqual(bytes);
  });

  it('misses entries of a damaged index, whichever byte is hit', async () => {
    await using folder = await createFolder();
    const store = createContentStore({ dir: folder.path, log: createLog() });
    await store.put('a', bytes, { n: 1 });
    const file = await onlyFileOf(folder.path, 'index-v5');
    const whole = await readFile(file);
    let misses = 0;
    for (let at = 0; at < whole.length; at += 3) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 4, at);
      await writeFile(file, flipped);
      const found = await store.get('a');
      if (found) expect(found).toEqual({ bytes, integrity: sri512(bytes), metadata: { n: 1 } });
      else misses += 1;
    }
    expect(misses).toBeGreaterThan(whole.length / 4);
    await writeFile(file, Buffer.alloc(500));
    expect(await store.get('a')).toBeUndefined();
  });
});

describe('a folder that cannot be written', () => {
  it('costs one warning, and the run goes on in memory', async () => {
    await using folder = await createFolder();
    await writeFile(folder.join('file'), '');
    const log = createLog();
    const store = createContentStore({ dir: folder.join('file', 'cache'), log });
    expect(await store.get('a')).toBeUndefined();
    for (const key of ['a', 'b', 'c']) await store.put(key, bytes, { key });
    expect(await store.get('b')).toEqual({
      bytes,
      integrity: sri512(bytes),
      metadata: { key: 'b' },
    });
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain('ICON_CATALOG_CACHE_DIR');
  });
});

describe('two processes', () => {
  it('put into one store at once and lose nothing', async () => {
    await using folder = await createFolder();
    const script = folder.join('put.cjs');
    await buildProcess(
      script,
      `import { createContentStore } from './content-store.ts';
      const [, , dir, name] = process.argv;
      const store = createContentStore({ dir, log: { info() {}, warn() { process.exit(3) }, error() {} } });
      async function run() {
        for (let n = 0; n < 20; n += 1) {
          await Promise.all([name + n, 'both' + n].map((key) => store.put(key, Buffer.from('content ' + n))));
        }
      }
      run();`,
    );
    const children = ['x', 'y'].map((name) => fork(script, [folder.path, name]));
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0]);
    const store = createContentStore({ dir: folder.path, log: createLog() });
    for (let n = 0; n < 20; n += 1) {
      for (const name of ['x', 'y'])
        expect((await store.get(`${name}${n}`))?.bytes).toEqual(Buffer.from(`content ${n}`));
      expect((await store.get(`both${n}`))?.bytes).toEqual(Buffer.from(`content ${n}`));
    }
  });
});
