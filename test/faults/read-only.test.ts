import { chmod, cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { withMounts } from '../support/namespace.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { readTree } from '../support/write-project.ts';
import { bundleBuild } from './support/bundle-build.ts';
import { LOCK, VENDOR, wholeState } from './support/project-state.ts';
import {
  buildCommand,
  outputOf,
  runBuild,
  startBuild,
  type BuildResult,
} from './support/run-build.ts';

const SPECIFIERS = iconIds('maki', 8).map((id) => `icon:${id}?color=0a0`);

let catalog: CountingCatalog;
let right: BuildResult;
/** A project with lock and vendor file, and a cache that holds everything. */
let project: string;
let cache: string;
let script: string;
beforeAll(async () => {
  script = await bundleBuild();
  catalog = await startCountingCatalog();
  [project, cache] = await Promise.all([cachedFolder(), cachedFolder()]);
  right = await runBuild(
    { root: project, options: optionsOf(cache), specifiers: SPECIFIERS },
    script,
  );
  expect(right.failed).toEqual([]);
});
afterAll(async () => {
  await catalog.close();
  for (const folder of [project, cache]) await removeFolder(folder);
});
beforeEach(() => catalog.reset());

/** A folder for all tests of this file. */
const cachedFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'icon-catalog-'));

function optionsOf(cacheDir: string, mode: 'online' | 'locked' = 'online'): Options {
  const { url: baseUrl, key, secret } = catalog;
  return { catalog: { baseUrl, key, secret }, vendor: true, mode, cacheDir };
}

/** `$1` … up to `--`: folders that cannot be written, not even by root. Behind it: the command. */
const READ_ONLY = `
  while [ "$1" != -- ]; do
    mount --bind "$1" "$1"
    mount -o remount,bind,ro "$1"
    shift
  done
  shift
  "$@"
`;

/** One build in which these folders are read-only; `undefined` if this machine allows no mount. */
async function buildWith(
  readOnly: readonly string[],
  root: string,
  options: Options,
): Promise<BuildResult | undefined> {
  const job = { root, options, specifiers: SPECIFIERS };
  const command = withMounts(READ_ONLY, [...readOnly, '--', ...buildCommand(job, script)]);
  if (command !== undefined) return JSON.parse(await outputOf(startBuild(command))) as BuildResult;
  process.stdout.write(
    'This machine allows no mount: files in place of folders stand for read-only ones.\n',
  );
  return undefined;
}

const warnings = ({ log }: BuildResult): string[] => log.filter((line) => line.startsWith('warn'));

describe('a cache that cannot be written', () => {
  it('costs calls or nothing, and warnings, never an icon', async () => {
    const empty = await temporaryFolder();
    const root = await temporaryFolder();
    const built = await buildWith([empty], root, optionsOf(empty));
    if (built === undefined) return;
    expect(built.failed).toEqual([]);
    expect(built.codes).toEqual(right.codes);
    expect(warnings(built).join('\n')).toContain('cannot be used');
    expect((await wholeState(root)).keys).toHaveLength(SPECIFIERS.length);
    expect(catalog.calls).toHaveLength(2 * SPECIFIERS.length);
    expect([...(await readTree(empty)).keys()]).toEqual([]);
  });

  it('is read all the same: a warm one needs no call and says nothing', async () => {
    const before = await readTree(cache);
    const built = await buildWith([cache], project, optionsOf(cache));
    if (built === undefined) return;
    expect(built.codes).toEqual(right.codes);
    expect(warnings(built)).toEqual([]);
    expect(catalog.calls).toEqual([]);
    expect(await readTree(cache)).toEqual(before);
  });

  it('is not missed where a vendor file is committed', async () => {
    const empty = await temporaryFolder();
    const built = await buildWith([empty, project], project, optionsOf(empty, 'locked'));
    if (built === undefined) return;
    expect(built.failed).toEqual([]);
    expect(built.codes).toEqual(right.codes);
    expect(catalog.calls).toEqual([]);
  });
});

describe('a user whom the system does not know', () => {
  // Only root may become one; for others the user has a home folder after all.
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: 54_321, gid: 54_321 } : {};
  const build = async (cacheDir?: string): Promise<BuildResult> => {
    const root = await temporaryFolder();
    for (const folder of [root, ...(cacheDir === undefined ? [] : [cacheDir])])
      await chmod(folder, 0o777);
    const { cacheDir: _, ...options } = optionsOf('');
    const job = { root, options: { ...options, ...(cacheDir && { cacheDir }) } };
    // Not the bundled one: this user cannot look into that folder.
    const command = buildCommand({ ...job, specifiers: SPECIFIERS.slice(0, 2) });
    const built = JSON.parse(await outputOf(startBuild(command, user))) as BuildResult;
    expect(built.failed).toEqual([]);
    expect((await wholeState(root)).keys).toHaveLength(2);
    expect([...(await readTree(root)).keys()].toSorted()).toEqual([LOCK, VENDOR]);
    return built;
  };

  it('keeps icons in memory, with a warning', async () => {
    if (!isRoot) {
      process.stdout.write('Only root can start a process for a user without a home folder.\n');
      return;
    }
    const said = warnings(await build());
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('HOME is not set');
    expect(catalog.calls).toHaveLength(4);
  });

  it('keeps them in the folder that is named, without the warning', async () => {
    const named = await temporaryFolder();
    // The key of the cache has no place outside of it.
    const said = warnings(await build(named)).filter((line) => !line.includes('The key of the'));
    expect(said).toEqual([]);
    expect([...(await readTree(named)).keys()]).not.toEqual([]);
  });
});

describe('a project that cannot be written', () => {
  it('is built, and warned that its lock does not grow', async () => {
    const root = await temporaryFolder();
    const built = await buildWith([root], root, optionsOf(await temporaryFolder()));
    if (built === undefined) return;
    expect(built.failed).toEqual([]);
    expect(built.codes).toEqual(right.codes);
    expect(warnings(built).join('\n')).toMatch(
      /icons\.lock cannot be written \(EROFS, it is read-only\)/,
    );
    expect([...(await readTree(root)).keys()]).toEqual([]);
  });

  it('is built without a word where its lock says everything', async () => {
    const root = join(await temporaryFolder(), 'copy');
    await mkdir(root);
    for (const name of [LOCK, VENDOR]) await cp(join(project, name), join(root, name));
    for (const mode of ['online', 'locked'] as const) {
      const built = await buildWith([root], root, optionsOf(cache, mode));
      if (built === undefined) return;
      expect(built.failed, mode).toEqual([]);
      expect(built.codes, mode).toEqual(right.codes);
      expect(warnings(built), mode).toEqual([]);
    }
    expect(catalog.calls).toEqual([]);
  });
});
