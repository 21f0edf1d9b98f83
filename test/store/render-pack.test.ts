import { Buffer } from 'node:buffer';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as elapsed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSign, createRenderPack, type RenderPack } from '../../src/store/packs.ts';
import type { Log } from '../../src/types.ts';
import {
  buildProcess,
  createFolder,
  createLog,
  createRandom,
  exitOf,
  type Folder,
} from './support.ts';

interface Entry {
  text: string;
}

const KEY = Buffer.alloc(32, 1);

async function openPack(
  file: string,
  options: { identity?: string; log?: Log; maxBytes?: number } = {},
): Promise<RenderPack<Entry>> {
  const pack = createRenderPack<Entry>({
    file,
    identity: 'one',
    key: KEY,
    log: createLog(),
    ...options,
  });
  await pack.open();
  return pack;
}

async function packOf(folder: Folder, texts: Record<string, string>): Promise<string> {
  const file = folder.join('deep', 'icons.pack');
  const pack = await openPack(file);
  for (const [key, text] of Object.entries(texts)) pack.set(key, { text });
  await pack.flush();
  return file;
}

describe('a pack', () => {
  it('gives back what was set, in the next run too', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { 'a:svg': 'ä\t\n★', b: '' });
    const pack = await openPack(file);
    expect(pack.get('a:svg')).toEqual({ text: 'ä\t\n★' });
    expect(pack.get('a:svg')).toBe(pack.get('a:svg'));
    expect(pack.get('b')).toEqual({ text: '' });
    expect(pack.get('c')).toBeUndefined();
    expect(pack.get('__proto__')).toBeUndefined();
    expect(pack.damaged).toBe(0);
    expect(await readdir(folder.join('deep'))).toEqual(['icons.pack']);
  });

  it('is the text that its format says', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: 'x' });
    const header = '{"format":"unplugin-icon-catalog text pack","version":1,"identity":"one"}\n';
    const lines = 'a\t{"text":"x"}\n';
    const signature = createSign(KEY, 'icons.pack')(header, lines);
    expect(await readFile(file, 'utf8')).toBe(`${header}${signature}\n${lines}`);
  });

  it('is not written when nothing changed', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: 'x' });
    const { ino } = await stat(file);
    const pack = await openPack(file);
    pack.get('a');
    await pack.flush();
    pack.set('a', { text: 'x' });
    await pack.flush();
    pack.set('a', { text: 'y' });
    pack.set('a', { text: 'x' });
    await pack.flush();
    expect((await stat(file)).ino).toBe(ino);
    pack.set('a', { text: 'y' });
    await pack.flush();
    expect((await stat(file)).ino).not.toBe(ino);
    expect((await openPack(file)).get('a')).toEqual({ text: 'y' });
  });

  it('keeps every line that it did not change byte for byte', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1', b: '2', c: '3' });
    const before = (await readFile(file, 'utf8')).split('\n');
    const pack = await openPack(file);
    pack.set('b', { text: 'new' });
    await pack.flush();
    const after = (await readFile(file, 'utf8')).split('\n');
    expect([after[0], after[2], after[4]]).toEqual([before[0], before[2], before[4]]);
    expect(after).toHaveLength(6);
  });

  it('keeps what another one wrote meanwhile, and sees it after its own flush', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1' });
    const [one, two] = [await openPack(file), await openPack(file)];
    one.set('one', { text: '1' });
    two.set('two', { text: '2' });
    await Promise.all([one.flush(), two.flush()]);
    const next = await openPack(file);
    expect(['a', 'one', 'two'].map((key) => next.get(key)?.text)).toEqual(['1', '1', '2']);
    one.set('late', { text: '3' });
    await one.flush();
    expect(one.get('two')).toEqual({ text: '2' });
  });

  it('takes what is set during a flush into the next', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1' });
    const pack = await openPack(file);
    pack.set('b', { text: '2' });
    const flushing = pack.flush();
    pack.set('c', { text: '3' });
    await Promise.all([flushing, pack.flush()]);
    expect((await openPack(file)).get('c')).toEqual({ text: '3' });
  });

  it('drops what was not asked for, and only when it grew too large', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { used: 'u'.repeat(100), unused: 'x'.repeat(100) });
    const roomy = await openPack(file, { maxBytes: 10_000 });
    roomy.set('new', { text: 'n' });
    await roomy.flush();
    expect((await openPack(file)).get('unused')).toBeDefined();
    const tight = await openPack(file, { maxBytes: 250 });
    tight.get('used');
    tight.set('newer', { text: 'n' });
    await tight.flush();
    const pack = await openPack(file);
    expect(['used', 'newer', 'unused', 'new'].map((key) => pack.get(key) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(['', 'a b', 'a\tb', 'a\nb', 'ä'])('refuses the key %j', async (key) => {
    await using folder = await createFolder();
    const pack = await openPack(folder.join('pack'));
    expect(() => pack.set(key, { text: '' })).toThrow(TypeError);
  });
});

/** A pack that this machine signed, of another version or identity. */
function signed(other: { version?: number; identity?: string }): Buffer {
  const about = {
    format: 'unplugin-icon-catalog text pack',
    version: 1,
    identity: 'one',
    ...other,
  };
  const header = `${JSON.stringify(about)}\n`;
  const lines = 'a\t{"text":"two"}\n';
  return Buffer.from(`${header}${createSign(KEY, 'pack')(header, lines)}\n${lines}`);
}

describe('a damaged file', () => {
  it('is an empty pack, whichever byte is hit, and is repaired', async () => {
    await using folder = await createFolder();
    const texts = { a: 'first', b: 'second ★', c: 'third' };
    const file = await packOf(folder, texts);
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
      await writeFile(file, flipped);
      const pack = await openPack(file);
      for (const key of Object.keys(texts)) expect(pack.get(key), `byte ${at}`).toBeUndefined();
      for (const [key, text] of Object.entries(texts)) pack.set(key, { text });
      await pack.flush();
      const repaired = await openPack(file);
      for (const [key, text] of Object.entries(texts))
        expect(repaired.get(key), `byte ${at}`).toEqual({ text });
      expect(repaired.damaged).toBe(0);
    }
  });

  it('is counted, and nothing of it is kept with the next flush', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1', b: '2' });
    await writeFile(file, (await readFile(file, 'utf8')).replace('"1"', '"9"'));
    const pack = await openPack(file);
    expect([pack.get('a'), pack.get('b')]).toEqual([undefined, undefined]);
    expect(pack.damaged).toBe(1);
    pack.set('c', { text: '3' });
    await pack.flush();
    expect(await readFile(file, 'utf8')).not.toMatch(/"9"/);
    expect((await openPack(file)).get('c')).toEqual({ text: '3' });
  });

  it('is an empty pack wherever it was cut off', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1', b: '2' });
    const whole = await readFile(file);
    for (let length = 0; length < whole.length; length += 1) {
      await writeFile(file, whole.subarray(0, length));
      const pack = await openPack(file);
      expect([pack.get('a'), pack.get('b')], `length ${length}`).toEqual([undefined, undefined]);
    }
  });

  it.each([
    ['NUL', Buffer.alloc(4096)],
    ['noise', Buffer.from(Array.from({ length: 5000 }, createRandom(7)).map((n) => n * 256))],
    ['a newer version', signed({ version: 2 })],
    ['another identity', signed({ identity: 'two' })],
    ['tabs', Buffer.concat([Buffer.from('\t\t\t\n\t\n\n'), Buffer.alloc(200, 9)])],
  ])('of %s is an empty pack', async (_, bytes) => {
    await using folder = await createFolder();
    const file = folder.join('pack');
    await writeFile(file, bytes);
    const pack = await openPack(file);
    expect(pack.get('a')).toBeUndefined();
    pack.set('a', { text: '1' });
    await pack.flush();
    expect((await openPack(file)).get('a')).toEqual({ text: '1' });
  });
});

describe('a place that cannot be written', () => {
  it.each(['below a file', 'a folder'])('%s: one warning, and the run goes on', async (kind) => {
    await using folder = await createFolder();
    if (kind === 'a folder') await mkdir(folder.join('place'));
    else await writeFile(folder.join('place'), '');
    const log = createLog();
    const pack = await openPack(
      kind === 'a folder' ? folder.join('place') : folder.join('place', 'pack'),
      { log },
    );
    for (const key of ['a', 'b']) {
      pack.set(key, { text: key });
      await pack.flush();
    }
    expect(pack.get('a')).toEqual({ text: 'a' });
    expect(log.warnings).toHaveLength(1);
    expect(await readdir(folder.path)).toEqual(['place']);
  });
});

const WRITER = `
  import { createRenderPack } from './packs.ts';
  const [, , file, name, rounds] = process.argv;
  const log = { info() {}, warn() { process.exit(3) }, error() {} };
  async function run() {
    const pack = createRenderPack({ file, identity: 'one', key: Buffer.alloc(32, 1), log });
    await pack.open();
    process.send('open');
    for (let n = 0; n < Number(rounds); n += 1) {
      for (let k = 0; k < 5; k += 1) pack.set(name + ':' + n + ':' + k, { text: (name + n).repeat(500) });
      await pack.flush();
      if (process.connected) process.send(n);
    }
    process.disconnect();
  }
  run();`;

/** The last round that the process has reported as written. */
function follow(child: ChildProcess): { round: number } {
  const seen = { round: -1 };
  child.on('message', (message) => {
    if (typeof message === 'number') seen.round = message;
  });
  return seen;
}

describe('several processes', () => {
  it('flush at once and lose nothing', async () => {
    await using folder = await createFolder();
    const [script, file] = [folder.join('writer.cjs'), folder.join('pack')];
    await buildProcess(script, WRITER);
    const names = ['x', 'y', 'z'];
    const children = names.map((name) => fork(script, [file, name, '15']));
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0, 0]);
    const pack = await openPack(file);
    for (const name of names) {
      for (let n = 0; n < 15; n += 1)
        expect(pack.get(`${name}:${n}:4`)?.text, `${name}:${n}`).toBe((name + n).repeat(500));
    }
    expect(pack.damaged).toBe(0);
  });

  it('may be killed at any moment: what was written stays, and the next one writes', async () => {
    await using folder = await createFolder();
    const [script, file] = [folder.join('writer.cjs'), folder.join('pack')];
    await buildProcess(script, WRITER);
    const random = createRandom(42);
    for (let run = 0; run < 8; run += 1) {
      const child = fork(script, [file, `run${run}`, '100000']);
      const seen = follow(child);
      await once(child, 'message');
      await elapsed(random() * 60);
      child.kill('SIGKILL');
      expect(await exitOf(child)).toBe('SIGKILL');
      const pack = await openPack(file);
      for (let n = 0; n <= seen.round; n += 1)
        expect(pack.get(`run${run}:${n}:0`)?.text).toBe(`run${run}${n}`.repeat(500));
      pack.set(`after${run}`, { text: 'written' });
      await pack.flush();
      const next = await openPack(file);
      for (let n = 0; n <= run; n += 1) expect(next.get(`after${n}`)).toEqual({ text: 'written' });
      expect([pack.damaged, next.damaged]).toEqual([0, 0]);
      expect((await readdir(folder.path)).sort()).toEqual(['pack', 'writer.cjs']);
    }
  });

  it('wait for a lock that is held elsewhere', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1' });
    await writeFile(`${file}.lock`, '{"host":"elsewhere","pid":1,"token":""}');
    const pack = await openPack(file);
    pack.set('b', { text: '2' });
    const flushing = pack.flush();
    await expect.poll(async () => (await readdir(folder.join('deep'))).length).toBe(2);
    expect((await openPack(file)).get('b')).toBeUndefined();
    await rm(`${file}.lock`);
    await flushing;
    expect((await openPack(file)).get('b')).toEqual({ text: '2' });
  });

  it('remove a lock that a process which has ended, or long ago one elsewhere, left behind', async () => {
    await using folder = await createFolder();
    const file = await packOf(folder, { a: '1' });
    const ended = fork(folder.join('none.cjs'), { silent: true });
    await exitOf(ended);
    const pack = await openPack(file);
    for (const [key, lock] of [
      ['b', { host: hostname(), pid: ended.pid, token: '' }],
      ['c', { host: 'elsewhere', pid: 1, token: '' }],
    ] as const) {
      await writeFile(`${file}.lock`, JSON.stringify(lock));
      if (key === 'c') await utimes(`${file}.lock`, 1, 1);
      pack.set(key, { text: key });
      await pack.flush();
      expect((await openPack(file)).get(key)).toEqual({ text: key });
    }
    expect(await readdir(folder.join('deep'))).toEqual(['icons.pack']);
  });
});
