import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { parseLockfile } from '../../src/store/parse-lockfile.ts';
import { createVendorFile } from '../../src/store/vendor-file.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';
import { runInProject, type ProjectRun } from './support/project-cli.ts';

const VENDOR = 'icons.vendor.ndjson';
const bus = embeddedIconId('maki', 'bus');
const home = embeddedIconId('tabler', 'home');
const SOURCES = {
  'icon-catalog.config.json': '{"vendor":true}',
  'src/main.js': `import bus from 'icon:${bus}'; import home from 'icon:${home}'`,
};

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

async function project(files: Record<string, string> = SOURCES): Promise<{
  root: string;
  run(args: string, more?: Record<string, string>): Promise<ProjectRun>;
  /** Digests in the vendor file, and those that the lock names. */
  digests(): Promise<{ vendored: string[]; locked: string[] }>;
}> {
  const root = await writeProject(files);
  return {
    root,
    run: (args, more = {}) =>
      runInProject(root, args.split(' '), {
        env: {
          ICON_CATALOG_URL: catalog.url,
          ICON_CATALOG_KEY: catalog.key,
          ICON_CATALOG_SECRET: catalog.secret,
          ICON_CATALOG_CACHE_DIR: join(root, '.cache'),
          ...more,
        },
      }),
    async digests() {
      const file = createVendorFile({ file: join(root, VENDOR), name: VENDOR });
      await file.open();
      const lock = parseLockfile(await readFile(join(root, 'icons.lock')), 'icons.lock');
      const named = [...lock.entries.values()].map(({ integrity }) => integrity);
      const locked = [...named, lock.catalog].filter((digest) => digest !== undefined);
      return { vendored: file.integrities(), locked: locked.toSorted() };
    },
  };
}

describe('the vendor file and the command line', () => {
  it('is filled by sync, and again where a line went away', async () => {
    const { root, run, digests } = await project();
    expect((await run('sync')).code).toBe(0);
    const { vendored, locked } = await digests();
    expect(vendored).toEqual(locked);
    const text = await readFile(join(root, VENDOR), 'utf8');
    await writeFile(join(root, VENDOR), text.split('\n').slice(1).join('\n'));
    await rm(join(root, '.cache'), { recursive: true });
    expect((await run('sync')).code).toBe(0);
    expect(await readFile(join(root, VENDOR), 'utf8')).toBe(text);
  });

  it('is checked by verify, line by line and against the lock', async () => {
    const { root, run } = await project();
    await run('sync');
    expect((await run('verify')).code).toBe(0);
    const text = await readFile(join(root, VENDOR), 'utf8');
    const lines = text.trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('<svg'));

    await writeFile(join(root, VENDOR), text.replace('<svg', '<svG'));
    const damaged = await run('verify');
    expect(damaged.code).toBe(1);
    expect(damaged.err).toContain(`Line ${at + 1} of ${VENDOR} holds other bytes`);

    await writeFile(join(root, VENDOR), lines.filter((_, index) => index !== at).join('\n'));
    const missing = await run('verify');
    expect(missing.code).toBe(1);
    expect(missing.err).toMatch(/icons\.vendor\.ndjson has no line with the bytes of "\d+:svg"/);
  });

  it.each(['online', 'offline'])('loses with prune what the lock loses, %s', async (mode) => {
    const { root, run, digests } = await project();
    await run('sync');
    await writeFiles(root, { 'src/main.js': `import bus from 'icon:${bus}'` });
    catalog.reset();
    expect((await run('prune --yes', { ICON_CATALOG_MODE: mode })).code).toBe(0);
    expect(catalog.calls).toEqual([]);
    const { vendored, locked } = await digests();
    expect(locked).toHaveLength(2);
    expect(vendored).toEqual(locked);
  });

  it('gets REUSE files on request, which name the texts that are missing', async () => {
    const { root, run } = await project();
    const { code, err } = await run('sync --reuse');
    expect(code).toBe(0);
    expect(err).toContain('REUSE.toml, LICENSES/LicenseRef-catalog-public-domain.txt written.');
    expect(err).toContain('LICENSES/ lacks the texts of MIT: install spdx-license-list');
    expect(await readFile(join(root, 'REUSE.toml'), 'utf8')).toContain(
      `path = ["icons.lock", "${VENDOR}"]`,
    );
    expect((await run('sync --reuse')).err).toContain('REUSE files are up to date.');
  });

  // REUSE.toml came with the fourth version of the tool.
  const reuse = spawnSync('reuse', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const isInstalled = Number(/version (\d+)/.exec(reuse)?.[1]) >= 4;
  it.runIf(isInstalled)(
    `passes \`reuse lint\` with the lock, beside what the project says of its own files${isInstalled ? '' : ' (skipped: reuse 4 is not installed)'}`,
    async () => {
      const own = `version = 1\n\n[[annotations]]\npath = "**"\nSPDX-FileCopyrightText = "The project"\nSPDX-License-Identifier = "MIT"\n`;
      const { root, run } = await project({
        ...SOURCES,
        'REUSE.toml': own,
        '.gitignore': '.cache',
      });
      spawnSync('git', ['init', '--quiet'], { cwd: root });
      await run('sync --reuse');
      await writeFiles(root, { 'LICENSES/MIT.txt': 'The text of the MIT licence.\n' });
      const { stdout } = spawnSync('reuse', ['lint', '--json'], { cwd: root, encoding: 'utf8' });
      const { files, summary } = JSON.parse(stdout) as {
        files: { path: string; spdx_expressions: { value: string }[] }[];
        summary: { compliant: boolean };
      };
      const ours = files
        .filter(({ path }) => path.startsWith('icons.'))
        .map(({ spdx_expressions }) =>
          spdx_expressions
            .map(({ value }) => value)
            .sort()
            .join(),
        );
      expect(ours).toEqual(Array(2).fill('LicenseRef-catalog-public-domain,MIT'));
      expect(summary.compliant).toBe(true);
    },
  );

  it('has no REUSE files if it does not exist, and says what to set', async () => {
    const { run } = await project({ 'src/main.js': `import bus from 'icon:${bus}'` });
    const { code, err } = await run('sync --reuse');
    expect(code).toBe(1);
    expect(err).toContain('Set `vendor: true` in the options');
  });
});
