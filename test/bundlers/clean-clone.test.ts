import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { withoutNetwork } from '../support/namespace.ts';
import { createProject, type Build, type Bundler, type Project } from './project.ts';
import { creditsOf } from './read-build.ts';

const OPTIONS = { vendor: true };
const COMMITTED = ['icons.lock', 'icons.vendor.ndjson'];

let catalog: CountingCatalog;
let project: Project;
/** The same project on a machine that never saw the catalog: nothing but what is committed. */
let clone: Project;
beforeAll(async () => {
  [catalog, project, clone] = await Promise.all([
    startCountingCatalog(),
    createProject(),
    createProject(),
  ]);
});
afterAll(() => Promise.all([catalog.close(), project.remove(), clone.remove()]));

/** In a network without even a loopback, where this machine grants one. */
function wrap(command: readonly string[]): readonly string[] {
  const wrapped = withoutNetwork(command);
  if (wrapped === undefined) {
    process.stdout.write(
      'This machine grants no network namespace: the mode `offline` alone keeps the build from the network.\n',
    );
  }
  return wrapped ?? command;
}

function expectSame(build: Build, other: Build): void {
  expect([...build.output.keys()].toSorted()).toEqual([...other.output.keys()].toSorted());
  for (const [path, bytes] of build.output)
    expect(bytes.equals(other.output.get(path) ?? Buffer.of()), path).toBe(true);
}

describe.each<Bundler>(['vite', 'webpack', 'esbuild'])('a clean clone, built by %s', (bundler) => {
  it('needs lock and vendor file, no network and no credentials, and ships the same bytes', async () => {
    const online = await project.build(bundler, {
      cache: bundler,
      catalog,
      options: { ...OPTIONS, mode: 'online' },
    });
    expect(online).toMatchObject({ exitCode: 0 });
    expect(creditsOf(online)).not.toEqual([]);
    for (const name of COMMITTED) await cp(join(project.root, name), join(clone.root, name));

    for (const [env, mode] of [
      [{ CI: 'true' }, 'locked'],
      [{ ICON_CATALOG_MODE: 'offline' }, 'offline'],
    ] as const) {
      const cache = `clone-${bundler}-${mode}`;
      const built = await clone.build(bundler, { cache, options: OPTIONS, wrap, env });
      expect(built, mode).toMatchObject({ exitCode: 0 });
      expect(built.said, mode).not.toMatch(/warn/i);
      expectSame(built, online);
    }
  });

  it('says which icons are missing without the vendor file, and what fixes it', async () => {
    await rm(join(clone.root, 'icons.vendor.ndjson'), { force: true });
    const { exitCode, said } = await clone.build(bundler, {
      cache: `bare-${bundler}`,
      options: OPTIONS,
      wrap,
      env: { ICON_CATALOG_MODE: 'offline' },
    });
    expect(exitCode).toBeGreaterThan(0);
    expect(said).toContain('OFFLINE_MISSING');
    expect(said).toContain('npx icon-catalog sync');
    expect(said).toMatch(/src.main\.js/);
  });
});
