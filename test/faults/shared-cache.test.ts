import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { redis } from '../support/redis-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { wholeState } from './support/project-state.ts';

const SPECIFIERS = iconIds('maki', 30).map((id) => `icon:${id}?color=0a0`);

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'] });
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

async function build(
  root: string,
  options: Options,
): Promise<{ codes: string[]; warnings: string[] }> {
  const { url: baseUrl, key, secret } = catalog;
  const log = recordingLog();
  const icons = createIcons(
    { catalog: { baseUrl, key, secret }, cacheDir: await temporaryFolder(), ...options },
    { root, env: {}, log },
  );
  const modules = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
  await icons.close();
  return { codes: modules.map(({ code }) => code), warnings: log.lines };
}

describe('a shared cache that is poisoned', () => {
  it('can only miss: every build is right, and the lock stays', async () => {
    const [root, sharedCache] = [await temporaryFolder(), await temporaryFolder()];
    const { codes } = await build(root, { sharedCache });
    const { lock } = await wholeState(root);
    const names = await readdir(sharedCache, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(SPECIFIERS.length);
    const contents = await Promise.all(
      files.map(({ parentPath, name }) => readFile(join(parentPath, name))),
    );
    const poisons: ((bytes: Buffer, at: number) => Buffer)[] = [
      // Another icon's value under this name, half a value, none, one byte of each, something else.
      (_, at) => contents[(at + 1) % contents.length] ?? Buffer.of(),
      (bytes) => bytes.subarray(0, bytes.length >> 1),
      () => Buffer.of(),
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
      () => Buffer.from('<svg onload="alert(1)"/>'),
    ];
    for (const poison of poisons) {
      for (const [at, { parentPath, name }] of files.entries())
        await writeFile(join(parentPath, name), poison(contents[at] ?? Buffer.of(), at));
      for (const mode of ['locked', 'online'] as const) {
        const built = await build(root, { sharedCache, mode });
        expect(built.codes).toEqual(codes);
        expect((await wholeState(root)).lock).toBe(lock);
      }
    }
  });
});

describe(`${redis.name} that goes away in the middle of a build`, () => {
  it.each([1, 4, 12, 25])(
    'after %i commands costs calls, not the build, and is reported once',
    async (commands) => {
      const server = await redis.start();
      onTestFinished(() => server.close());
      const proxy = await startTcpProxy(server.port);
      onTestFinished(() => proxy.close());
      const sharedCache = `redis://127.0.0.1:${proxy.port}`;
      const root = await temporaryFolder();
      const { codes } = await build(root, { sharedCache });
      const { lock } = await wholeState(root);

      const before = proxy.commands.length;
      proxy.onData = () => {
        if (proxy.commands.length - before >= commands) proxy.mode = 'gone';
      };
      catalog.reset();
      const built = await build(root, { sharedCache, mode: 'locked' });
      expect(built.codes).toEqual(codes);
      expect(built.warnings.length).toBeLessThanOrEqual(1);
      expect(catalog.calls.every((call) => call.endsWith('/download'))).toBe(true);
      expect((await wholeState(root)).lock).toBe(lock);

      proxy.mode = 'open';
      proxy.onData = undefined;
      catalog.reset();
      expect(await build(root, { sharedCache, mode: 'locked' })).toEqual({ codes, warnings: [] });
      expect(catalog.calls).toEqual([]);
    },
  );
});
