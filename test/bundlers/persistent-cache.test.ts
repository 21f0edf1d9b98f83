import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { unchecked } from '../support/unchecked.ts';
import { ALIASES, createProject, SHIPPED } from './project.ts';
import type { Build, Bundler, Project, Shown } from './project.ts';
import { creditedIds } from './read-build.ts';

const WITH_CACHE: Bundler[] = ['webpack', 'rspack', 'farm'];

let catalog: CountingCatalog;
let project: Project;
beforeAll(async () => {
  [catalog, project] = await Promise.all([startCountingCatalog(), createProject()]);
});
afterAll(async () => {
  await project.remove();
  await catalog.close();
});

describe.each(WITH_CACHE)('%s with its own cache on disk', (bundler) => {
  const build = async (options: Options = {}): Promise<Build> => {
    const built = await project.build(bundler, {
      cache: bundler,
      persistent: true,
      options,
      catalog,
    });
    expect({ exitCode: built.exitCode, said: built.said }).toMatchObject({ exitCode: 0 });
    return built;
  };

  /** The first build, and what its script shows. */
  let cold: Build;
  let shownCold: Shown;
  beforeAll(async () => {
    cold = await build();
    shownCold = await project.show(bundler);
  });

  it('builds a second and a third time without a call, the same bytes, all credited', async () => {
    expect(creditedIds(cold)).toEqual(SHIPPED);
    for (const run of ['second', 'third']) {
      const warm = await build();
      expect(warm.calls, run).toEqual([]);
      expect(warm.output, run).toEqual(cold.output);
      expect(await project.show(bundler), run).toEqual(shownCold);
    }
    // If the icons' own cache is gone, the bundler's cache alone must not leave credits out.
    const emptied = await project.build(bundler, {
      cache: `${bundler}-emptied`,
      persistent: true,
      catalog,
    });
    expect(emptied.output).toEqual(cold.output);
  });

  it('forgets what an option changes, and finds it again when the option is back', async () => {
    const { moon = 0, ...others } = ALIASES;
    const changed = { ...others, moon, bell: moon };
    await build({ aliases: changed, defaults: { class: 'mine', color: '123456' } });
    const shown = await project.show(bundler);
    expect(shown.markup['bell']).toContain('#123456');
    expect(shown.markup['bell']).toContain('class="mine"');
    expect(shown.markup['settings']).toContain('class="icon icon--big"');
    const ids = shown.credits.map(({ id }) => id);
    expect(ids).toContain(String(moon));
    expect(ids).not.toContain(String(ALIASES['bell']));

    const back = await build();
    expect(back.calls).toEqual([]);
    expect(back.output).toEqual(cold.output);
    expect(await project.show(bundler)).toEqual(shownCold);
  });

  it('draws again what an option draws in another way under the same name', async () => {
    // The request is the same, so nothing but the option can tell the bundler.
    const changed = await build({ svg: { optimize: false } });
    expect(changed.calls).toEqual([]);
    const { markup } = await project.show(bundler);
    expect(markup['user']).not.toBe(shownCold.markup['user']);
    expect(markup['user']).toContain('M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0');
  });
});

it('farm with its own cache on disk forgets what the lock says otherwise', async () => {
  const build = (): Promise<Build> =>
    project.build('farm', { cache: 'farm', persistent: true, catalog });
  await build();
  const lockfile = join(project.root, 'icons.lock');
  const lock = unchecked(await readFile(lockfile, 'utf8'));
  const line = new RegExp(`^("${ALIASES['lion']}:svg":.*?"term":)"[^"]*"`, 'm');
  await writeFile(lockfile, lock.replace(line, '$1"as the lock says"'));
  const { exitCode, calls } = await build();
  expect({ exitCode, calls }).toEqual({ exitCode: 0, calls: [] });
  expect(JSON.stringify((await project.show('farm')).named)).toContain('as the lock says');
});
