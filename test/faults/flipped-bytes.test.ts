import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree } from '../support/write-project.ts';
import { LOCK, VENDOR } from './support/project-state.ts';

/** One of the shortest drawings: a build is made for each of its bytes. */
const SPECIFIERS = [`icon:${embeddedIconId('maki', 'shelter')}?color=0a0`];

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

interface Built {
  /** Markup of each icon, or the code of its error. */
  drawn: string[];
  codes: string[];
}

async function build(root: string, options: Options): Promise<Built> {
  const { url: baseUrl, key, secret } = catalog;
  const icons = createIcons(
    { catalog: { baseUrl, key, secret }, ...options },
    { root, env: {}, log: recordingLog() },
  );
  const built: Built = { drawn: [], codes: [] };
  for (const specifier of SPECIFIERS) {
    try {
      const { svg, code } = await icons.load(specifier);
      built.drawn.push(svg ?? '');
      built.codes.push(code);
    } catch (error) {
      built.drawn.push((error as { code: string }).code);
    }
  }
  await icons.close().catch((error: { code: string }) => built.drawn.push(error.code));
  return built;
}

/** A project with lock and vendor file, its cache, and what it ships. */
async function wholeProject(): Promise<{ root: string; cacheDir: string; right: Built }> {
  const [root, cacheDir] = [await temporaryFolder(), await temporaryFolder()];
  const right = await build(root, { cacheDir, vendor: true, mode: 'online' });
  expect(right.codes).toHaveLength(SPECIFIERS.length);
  return { root, cacheDir, right };
}

/** The same bytes but for one bit, which differs from place to place. */
function flipped(bytes: Uint8Array, at: number): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
  return damaged;
}

/** Each drawing is right, or its place tells one of these errors. */
function expectRightOr(codes: readonly string[], { drawn }: Built, right: Built, at: string): void {
  for (const [index, markup] of drawn.entries())
    if (markup !== right.drawn[index]) expect(codes, at).toContain(markup);
}

describe('a byte that is not what it was', () => {
  it('in the vendor file gives the right icon or an error', async () => {
    const { root, right } = await wholeProject();
    const whole = await readFile(join(root, VENDOR));
    const errors = ['LOCK_MISMATCH', 'LOCK_INVALID', 'OFFLINE_MISSING'];
    for (let at = 0; at < whole.length; at += 1) {
      await writeFile(join(root, VENDOR), flipped(whole, at));
      const cacheDir = join(await temporaryFolder(), 'cache');
      const built = await build(root, { cacheDir, vendor: true, mode: 'offline' });
      expectRightOr(errors, built, right, `${VENDOR} byte ${at}`);
      for (const code of built.codes) expect(right.codes).toContain(code);
    }
  }, 300_000);

  it('in the lock file gives the right icon with the right credit or an error', async () => {
    const { root, cacheDir, right } = await wholeProject();
    const whole = await readFile(join(root, LOCK));
    const errors = ['LOCK_MISMATCH', 'LOCK_INVALID', 'LOCK_MISSING'];
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = flipped(whole, at);
      await writeFile(join(root, LOCK), damaged);
      const built = await build(root, { cacheDir, mode: 'locked' });
      expectRightOr(errors, built, right, `${LOCK} byte ${at}`);
      for (const code of built.codes) expect(right.codes, `${LOCK} byte ${at}`).toContain(code);
      expect(await readFile(join(root, LOCK)), `byte ${at}`).toEqual(damaged);
    }
  }, 300_000);

  it('in the cache is repaired: every build is right', async () => {
    const { root, cacheDir, right } = await wholeProject();
    await rm(join(root, VENDOR));
    const whole = await readTree(cacheDir);
    expect(whole.size).toBeGreaterThan(4);
    const lock = await readFile(join(root, LOCK), 'utf8');
    const [integrity = ''] = /sha512-[^"]+/.exec(lock) ?? [];
    let healed = 0;
    for (const [path, bytes] of whole) {
      // Every byte of the icon's own file and of its line in the index; of the others one now and then.
      const isOwn = [integrity, '<svg '].some((text) => bytes.includes(text));
      const step = path.startsWith('content/') && isOwn ? 1 : 11;
      for (let at = 0; at < bytes.length; at += step) {
        await writeFile(join(cacheDir, path), flipped(bytes, at));
        const built = await build(root, { cacheDir, mode: 'locked' });
        expect(built, `${path} byte ${at}`).toEqual(right);
        if (at % 55 === 0) {
          catalog.reset();
          expect(await build(root, { cacheDir, mode: 'locked' }), path).toEqual(right);
          expect(catalog.calls, `${path} byte ${at}, the build after`).toEqual([]);
          healed += 1;
        }
        for (const [name, original] of whole) {
          await mkdir(dirname(join(cacheDir, name)), { recursive: true });
          await writeFile(join(cacheDir, name), original);
        }
      }
    }
    expect(healed).toBeGreaterThan(10);
  }, 300_000);
});
