import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { withMounts } from '../support/namespace.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { bundleBuild } from './support/bundle-build.ts';
import { leftovers, wholeState } from './support/project-state.ts';
import {
  buildCommand,
  outputOf,
  runBuild,
  startBuild,
  type BuildResult,
} from './support/run-build.ts';

const SPECIFIERS = iconIds('game-icons', 12).map((id) => `icon:${id}?color=0a0`);
const OLD = SPECIFIERS.slice(0, 3);

let catalog: CountingCatalog;
let right: BuildResult;
let rightLock: string;
let script: string;
beforeAll(async () => {
  script = await bundleBuild();
  catalog = await startCountingCatalog();
  const root = await mkdtemp(join(tmpdir(), 'icon-catalog-'));
  right = await runBuild({ root, options: optionsOf(root), specifiers: SPECIFIERS }, script);
  ({ lock: rightLock } = await wholeState(root));
  expect(right.failed).toEqual([]);
  return () => removeFolder(root);
});
afterAll(() => catalog.close());

/** Cache and project share the disk. */
function optionsOf(root: string): Options {
  const { url: baseUrl, key, secret } = catalog;
  return {
    catalog: { baseUrl, key, secret },
    vendor: true,
    mode: 'online',
    cacheDir: join(root, '.cache'),
  };
}

/** Lock and vendor file of the first three icons, as an earlier build wrote them. */
async function oldFiles(): Promise<string> {
  const root = await temporaryFolder();
  const options = { ...optionsOf(root), cacheDir: await temporaryFolder() };
  await runBuild({ root, options, specifiers: OLD }, script);
  return root;
}

/**
 * `$1` disk, `$2` its size, `$3` old files, `$4` results; behind them the build. One on the full disk, one after space was freed, and what lay on the disk after each.
 */
const FULL = `
  disk="$1"; size="$2"; old="$3"; results="$4"; shift 4
  mount -t tmpfs -o size="$size",mode=700 none "$disk"
  cp "$old"/icons.* "$disk"
  "$@" > "$results/full.json"
  mkdir "$results/full" && cp "$disk"/icons.* "$results/full"
  mount -o remount,size=64m "$disk"
  "$@" > "$results/room.json"
  mkdir "$results/room" && cp "$disk"/icons.* "$results/room"
`;

/** `$1` largest file in blocks of 512 bytes, at which a write is cut off in the middle; `$2` …: the build. */
const LIMITED = 'limit="$1"; shift; ulimit -f "$limit"; "$@" | cat';

describe('a disk that is full', () => {
  const sizes = ['32k', '96k', '192k'];

  it('costs what could not be kept, never a wrong icon, and recovers when there is space', async () => {
    const old = await oldFiles();
    const full = new Set<boolean>();
    for (const size of sizes) {
      const [disk, results] = [await temporaryFolder(), await temporaryFolder()];
      const job = { root: disk, options: optionsOf(disk), specifiers: SPECIFIERS };
      const command = withMounts(FULL, [disk, size, old, results, ...buildCommand(job, script)]);
      if (command === undefined) {
        process.stdout.write(
          'This machine allows no mount a disk: only the limit on the size of files was tried.\n',
        );
        return;
      }
      await outputOf(startBuild(command));
      const read = async (name: string): Promise<BuildResult> =>
        JSON.parse(await readFile(join(results, `${name}.json`), 'utf8')) as BuildResult;

      const built = await read('full');
      expect(built.failed, size).toEqual([]);
      expect(built.codes, size).toEqual(right.codes);
      const after = await wholeState(join(results, 'full'));
      expect(after.keys.length, size).toBeGreaterThanOrEqual(OLD.length);
      full.add(built.log.some((line) => line.startsWith('warn ') && line.includes('ENOSPC')));

      const room = await read('room');
      expect(room.codes, size).toEqual(right.codes);
      expect(room.log.filter((line) => line.includes('ENOSPC'))).toEqual([]);
      expect((await wholeState(join(results, 'room'))).lock, size).toBe(rightLock);
      expect(await leftovers(join(results, 'room')), size).toEqual([]);
    }
    expect(full).toContain(true);
  });

  it('cuts no file off where it ends in the middle of a write', async () => {
    for (const blocks of ['2', '16']) {
      const root = await oldFiles();
      const options = optionsOf(root);
      const job = { root, options, specifiers: SPECIFIERS };
      const command = ['sh', '-euc', LIMITED, 'sh', blocks, ...buildCommand(job, script)];
      const built = JSON.parse(await outputOf(startBuild(command))) as BuildResult;
      expect(built.codes, blocks).toEqual(right.codes);
      expect((await wholeState(root)).keys.length, blocks).toBeGreaterThanOrEqual(OLD.length);

      const { codes } = await runBuild({ root, options, specifiers: SPECIFIERS }, script);
      expect(codes, blocks).toEqual(right.codes);
      expect((await wholeState(root)).lock, blocks).toBe(rightLock);
      expect(await leftovers(root), blocks).toEqual([]);
    }
  });
});
