import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ContentStore, createContentStore } from '../../src/store/content-store.ts';
import { sri512 } from '../../src/store/hash.ts';
import { buildProcess, createFolder, createLog, exitOf, type Folder } from './support.ts';

const bytes = Buffer.from('<svg>star</svg>');

/** The one file of the store. */
const FILE = 'icons-1.pack';

/** A store that has written what is put into it. */
async function storeWith(dir: string, contents: Record<string, Uint8Array>): Promise<ContentStore> {
  const store = createContentStore({ dir, log: createLog() });
  for (const [key, content] of Object.entries(contents)) store.put(key, content);
  await store.flush();
  return store;
}

const textOf = (store: ContentStore, key: string): string | undefined => {
  const found = store.get(key);
  return found && Buffer.from(found.bytes).toString();
};

describe('a store', () => {
  it('gives back what was put, also to another one', async () => {
    await using folder = await createFolder();
    const log = createLog();
    const dir = folder.join('new', 'cache');
    const store = createContentStore({ dir, log });
    expect(store.get('a')).toBeUndefined();
    const contents = {
      a: bytes,
      empty: new Uint8Array(),
      lines: Buffer.from('<svg>\n\tstar\r\n</svg>\n'),
      words: Buffer.from('<svg>ä 星 =</svg>'),
      png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0, 9, 61]),
    };
    for (const [key, content] of Object.entries(contents)) store.put(key, content);
    // What is not written yet is there too.
    expect(store.get('a')).toEqual({ bytes, integrity: sri512(bytes) });
    await store.close();
    const other = createContentStore({ dir, log });
    for (const [key, content] of Object.entries(contents)) {
      const integrity = sri512(content);
      for (const name of [key, integrity]) {
        expect(other.has(name), name).toBe(true);
        const found = other.get(name);
        expect(found?.integrity, name).toBe(integrity);
        expect(Buffer.from(found?.bytes ?? []).equals(content), name).toBe(true);
      }
    }
    expect(other.get('b')).toBeUndefined();
    expect(other.has('b')).toBe(false);
    expect(log.warnings).toEqual([]);
    await other.close();
    expect(await readdir(dir)).toEqual([FILE]);
  });

  it('takes the last of several contents, and grows by none that is there', async () => {
    await using folder = await createFolder();
    const store = await storeWith(folder.path, { a: bytes });
    const { size } = await stat(folder.join(FILE));
    store.put('a', bytes);
    await store.flush();
    expect((await stat(folder.join(FILE))).size).toBe(size);
    store.put('a', Buffer.from('new'));
    expect(textOf(store, 'a')).toBe('new');
    await store.flush();
    expect(textOf(store, 'a')).toBe('new');
    expect(textOf(await storeWith(folder.path, {}), 'a')).toBe('new');
  });

  it('finds what another one wrote after it was opened, and a file in the place of its own', async () => {
    await using folder = await createFolder();
    const [one, other] = [await storeWith(folder.path, {}), await storeWith(folder.path, {})];
    expect(one.get('a')).toBeUndefined();
    other.put('a', bytes);
    await other.flush();
    await expect.poll(() => one.get('a')?.bytes).toEqual(bytes);
    await rm(folder.join(FILE));
    await expect.poll(() => one.get('a')).toBeUndefined();
    other.put('b', bytes);
    await other.flush();
    await expect.poll(() => one.get('b')?.bytes).toEqual(bytes);
    expect(one.get('a')).toBeUndefined();
  });

  it('reads a file that is longer than what it reads at a time, and lines that are', async () => {
    await using folder = await createFolder();
    const large = Buffer.alloc(3_000_000, 'x');
    const contents: Record<string, Uint8Array> = { large };
    for (let n = 0; n < 2000; n += 1) contents[`${n}`] = Buffer.from(`${n} `.repeat(300));
    await (await storeWith(folder.path, contents)).close();
    const store = await storeWith(folder.path, {});
    for (const [key, content] of Object.entries(contents))
      expect(content.length === store.get(key)?.bytes.length, key).toBe(true);
  });

  it('never gives damaged bytes, whichever byte of the file is hit, and repairs them with the next put', async () => {
    await using folder = await createFolder();
    await (await storeWith(folder.path, { a: bytes, c: Buffer.from('c') })).close();
    const whole = await readFile(folder.join(FILE));
    let misses = 0;
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
      await writeFile(folder.join(FILE), flipped);
      const log = createLog();
      const store = createContentStore({ dir: folder.path, log });
      const found = store.get('a');
      if (found === undefined) misses += 1;
      else expect(found, `byte ${at}`).toEqual({ bytes, integrity: sri512(bytes) });
      // Nor are they those of another key.
      expect([undefined, 'c'], `byte ${at}`).toContain(textOf(store, 'c'));
      for (const key of ['', 'b', 'd', 'e', 'A', 'C']) expect(store.get(key)).toBeUndefined();
      expect(log.warnings.length).toBeLessThanOrEqual(2);
      store.put('a', bytes);
      store.put('c', Buffer.from('c'));
      await store.close();
      const after = await storeWith(folder.path, {});
      expect([textOf(after, 'a'), textOf(after, 'c')], `byte ${at}`).toEqual([
        bytes.toString(),
        'c',
      ]);
      await after.close();
    }
    expect(misses).toBeGreaterThan(whole.length / 3);
  });

  it.each([
    ['cut short', (file: string) => truncate(file, 150)],
    ['empty', (file: string) => truncate(file, 0)],
    [
      'filled with zeros',
      async (file: string) => writeFile(file, Buffer.alloc((await stat(file)).size)),
    ],
    ['gone', (file: string) => rm(file)],
  ])('misses content of a file that is %s, and heals', async (_, harm) => {
    await using folder = await createFolder();
    const store = await storeWith(folder.path, { a: bytes });
    await harm(folder.join(FILE));
    await expect.poll(() => store.get('a')).toBeUndefined();
    store.put('a', bytes);
    await store.flush();
    expect(store.get('a')?.bytes).toEqual(bytes);
    expect(textOf(await storeWith(folder.path, {}), 'a')).toBe(bytes.toString());
  });

  it('reports a damaged entry once and finds its bytes under the key that was put since', async () => {
    await using folder = await createFolder();
    await (await storeWith(folder.path, { a: bytes })).close();
    const whole = await readFile(folder.join(FILE));
    await writeFile(
      folder.join(FILE),
      whole.fill('#', whole.indexOf('star'), whole.indexOf('star') + 1),
    );
    const log = createLog();
    const store = createContentStore({ dir: folder.path, log });
    expect([store.get('a'), store.get('a')]).toEqual([undefined, undefined]);
    expect(log.warnings).toEqual([expect.stringContaining('A damaged entry of the icon cache')]);
    store.put('b', bytes);
    await store.flush();
    expect(store.get('b')?.bytes).toEqual(bytes);
    expect(store.get(sri512(bytes))?.bytes).toEqual(bytes);
  });
});

describe('a folder that cannot be written', () => {
  it('costs one warning, and the run goes on in memory', async () => {
    await using folder = await createFolder();
    await writeFile(folder.join('file'), '');
    const log = createLog();
    const store = createContentStore({ dir: folder.join('file', 'cache'), log });
    expect(store.get('a')).toBeUndefined();
    for (const key of ['a', 'b', 'c']) store.put(key, bytes);
    await store.flush();
    store.put('d', bytes);
    expect(await store.withLock('e', async () => 'done')).toBe('done');
    for (const name of ['b', 'd', sri512(bytes)])
      expect(store.get(name)).toEqual({ bytes, integrity: sri512(bytes) });
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain('ICON_CATALOG_CACHE_DIR');
    await store.close();
  });
});

describe('two processes', () => {
  /** Runs `source` in two processes, which have a store and their name and begin at the same moment. */
  async function runTwo(folder: Folder, source: string): Promise<string[]> {
    const script = folder.join('run.cjs');
    await buildProcess(
      script,
      `import { type ContentStore, createContentStore } from './content-store.ts';
      import { setTimeout as wait } from 'node:timers/promises';
      const [, , dir, name] = process.argv;
      const log = { info() {}, warn() { process.exit(3) }, error() {} };
      const store = createContentStore({ dir, log });
      async function run() {
        process.send('ready');
        await new Promise((go) => process.once('message', go));
        process.disconnect();
        ${source}
        await store.close();
      }
      run();`,
    );
    const children = ['x', 'y'].map((name) =>
      fork(script, [folder.join('cache'), name], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }),
    );
    const said = children.map(() => '');
    for (const [at, { stdout }] of children.entries())
      stdout?.on('data', (text) => (said[at] += String(text)));
    await Promise.all(children.map((child) => once(child, 'message')));
    const ended = Promise.all(children.map(exitOf));
    for (const child of children) child.send('go');
    expect(await ended).toEqual([0, 0]);
    expect(await readdir(folder.join('cache'))).toEqual([FILE]);
    return said;
  }

  it('put into one store at once and lose nothing', async () => {
    await using folder = await createFolder();
    await runTwo(
      folder,
      `for (let n = 0; n < 20; n += 1) {
        for (const key of [name + n, 'both' + n]) store.put(key, Buffer.from('content ' + n));
        await (n % 3 === 0 ? store.flush() : wait(3));
      }`,
    );
    const store = createContentStore({ dir: folder.join('cache'), log: createLog() });
    for (let n = 0; n < 20; n += 1) {
      for (const name of ['x', 'y', 'both'])
        expect(textOf(store, `${name}${n}`)).toBe(`content ${n}`);
    }
  });

  it('do the same work once, and the second one finds what the first one put', async () => {
    await using folder = await createFolder();
    const said = await runTwo(
      folder,
      `await Promise.all(Array.from({ length: 40 }, (_, n) => store.withLock('key' + n, async () => {
        if (store.get('key' + n) !== undefined) return;
        await wait(5);
        store.put('key' + n, Buffer.from('content ' + n));
        process.stdout.write('key' + n + '\\n');
      })));`,
    );
    const all = said.join('').trim().split('\n');
    expect(all.toSorted()).toEqual(Array.from({ length: 40 }, (_, n) => `key${n}`).toSorted());
  });

  it('do not wait for one that was killed while it worked', async () => {
    await using folder = await createFolder();
    const dir = folder.join('cache');
    const script = folder.join('killed.cjs');
    await buildProcess(
      script,
      `import { type ContentStore, createContentStore } from './content-store.ts';
      const store = createContentStore({ dir: process.argv[2], log: console });
      store.withLock('a', () => process.kill(process.pid, 'SIGKILL'));`,
    );
    expect(await exitOf(fork(script, [dir]))).toBe('SIGKILL');
    expect((await readdir(dir)).filter((name) => name.endsWith('.claims'))).toHaveLength(1);
    const store = createContentStore({ dir, log: createLog() });
    expect(await store.withLock('a', async () => 'done')).toBe('done');
    await store.close();
    expect((await readdir(dir)).filter((name) => name !== FILE)).toEqual([]);
  });

  it('go on where another one ends between the names of its claims and the claims', async () => {
    await using folder = await createFolder();
    const log = createLog();
    const store = createContentStore({ dir: folder.path, log });
    // A name without a file behind it, as it is in that moment.
    await symlink(folder.join('gone'), folder.join('another.claims'));
    await store.withLock('a', async () => store.put('a', bytes));
    await store.close();
    expect(log.warnings).toEqual([]);
    expect(textOf(await storeWith(folder.path, {}), 'a')).toBe(bytes.toString());
  });

  it('write nothing after they have closed the store', async () => {
    await using folder = await createFolder();
    const script = folder.join('closed.cjs');
    await buildProcess(
      script,
      `import { rmSync } from 'node:fs';
      import { createContentStore } from './content-store.ts';
      const store = createContentStore({ dir: process.argv[2], log: console });
      async function run() {
        await store.withLock('a', async () => store.put('a', Buffer.from('content')));
        await store.close();
        rmSync(process.argv[2], { recursive: true });
      }
      run();`,
    );
    // The process ends when no timer of the store is left.
    expect(await exitOf(fork(script, [folder.join('cache')]))).toBe(0);
    expect(await readdir(folder.path)).not.toContain('cache');
  });
});
