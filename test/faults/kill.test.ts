import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree } from '../support/write-project.ts';
import { createRandom } from '../store/support.ts';
import { leftovers, LOCK, VENDOR, wholeState } from './support/project-state.ts';
import { buildCommand, outputOf, runBuild, startBuild } from './support/run-build.ts';

/** FAULT_SEED runs other moments, FAULT_KILLS more of them. */
const SEED = Number(process.env['FAULT_SEED'] ?? 20_261);
const KILLS = Number(process.env['FAULT_KILLS'] ?? 50);
const SPECIFIERS = iconIds('tabler', 24).map((id) => `icon:${id}?color=0a0`);
const CALLS = 2 * SPECIFIERS.length;

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ latency: 4 });
});
afterAll(() => catalog.close());

const optionsOf = (cacheDir: string): Options => ({
  catalog: { baseUrl: catalog.url, key: catalog.key, secret: catalog.secret },
  vendor: true,
  mode: 'online',
  cacheDir,
});

async function freshJob(): Promise<{ root: string; options: Options; specifiers: string[] }> {
  return {
    root: await temporaryFolder(),
    options: optionsOf(await temporaryFolder()),
    specifiers: SPECIFIERS,
  };
}

/** Starts the build and kills it after `milliseconds`, counted from its first output where it says `ready`. */
async function killAfter(
  milliseconds: number,
  command: readonly string[],
  saysReady: boolean,
): Promise<void> {
  const child = startBuild(command);
  const gone = once(child, 'close');
  if (saysReady) await Promise.race([once(child.stdout!, 'data'), gone]);
  await Promise.race([later(milliseconds), gone]);
  child.kill('SIGKILL');
  await gone;
}

/** Answers that the cache has in its index; a file that is still empty holds none. */
async function keptAnswers(cacheDir = ''): Promise<number> {
  const index = await readTree(join(cacheDir, 'content', 'index-v5')).catch(() => new Map());
  return [...index.values()].filter((bytes: Buffer) => bytes.length > 0).length;
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

describe(`a build that is killed (FAULT_SEED=${SEED}, ${KILLS} moments)`, () => {
  const random = createRandom(SEED);

  it('leaves lock, vendor file and cache from which the next build is right, and pays for nothing twice', async () => {
    const right = await freshJob();
    const built = await runBuild(right);
    expect(built.failed).toEqual([]);
    const whole = await wholeState(right.root);
    expect(whole.keys).toHaveLength(SPECIFIERS.length);
    const timed = await freshJob();
    const duration = await timeOf(() => runBuild(timed));

    const seen = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const job = await freshJob();
      catalog.reset();
      const moment = random() * duration;
      await killAfter(moment, buildCommand(job), false);
      const about = `killed after ${moment.toFixed(1)} ms`;
      const { lock } = await wholeState(job.root);
      const answered = catalog.calls.length;
      const kept = await keptAnswers(job.options.cacheDir);
      seen.add(lock === whole.lock ? 'lock written' : answered === 0 ? 'no call' : 'in the middle');
      expect(['', whole.lock], about).toContain(lock);

      catalog.reset();
      const { codes, failed } = await runBuild(job);
      expect(failed, about).toEqual([]);
      expect(codes, about).toEqual(built.codes);
      expect(await wholeState(job.root), about).toEqual(whole);
      expect(await leftovers(job.root), about).toEqual([]);
      expect(catalog.calls.length, about).toBeLessThanOrEqual(Math.max(0, CALLS - kept));
    }
    // The moments were spread over all of the build.
    if (KILLS >= 50) expect([...seen]).toContain('in the middle');
  }, 300_000);

  it('in the middle of writing leaves the lock as it was before or after, icon by icon', async () => {
    const right = await freshJob();
    const { codes } = await runBuild(right);
    const whole = await wholeState(right.root);
    const lines = new Set(whole.lock.split('\n'));
    const { cacheDir = '' } = right.options;
    const root = await temporaryFolder();
    const command = buildCommand({ ...right, root, oneByOne: true });
    const timed = startBuild(command);
    const done = outputOf(timed);
    await once(timed.stdout!, 'data');
    const duration = await timeOf(() => done);

    const sizes = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const name of [LOCK, VENDOR]) await rm(join(root, name), { force: true });
      // Without its packs the project's modules are made anew, from the same bytes.
      await rm(join(cacheDir, 'packs'), { recursive: true, force: true });
      const moment = random() * duration;
      await killAfter(moment, command, true);
      const about = `killed ${moment.toFixed(1)} ms after the first write could begin`;
      const { lock, keys } = await wholeState(root);
      sizes.add(keys.length);
      // Each line is one of the whole file: nothing was cut off, nothing was mixed.
      for (const line of lock.split('\n')) expect(lines, about).toContain(line);
    }
    if (KILLS >= 50) expect(sizes.size).toBeGreaterThan(3);

    catalog.reset();
    const job = { ...right, root };
    expect((await runBuild(job)).codes).toEqual(codes);
    expect(await wholeState(root)).toEqual(whole);
    expect(await leftovers(root)).toEqual([]);
    expect(catalog.calls).toEqual([]);
  }, 300_000);
});
