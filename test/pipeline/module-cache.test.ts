import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { createSession } from '../../src/build/session.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { embeddedIconId } from '../../src/server.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-project.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

const STAR =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 2l3 7h7l-6 5 2 8z"/></svg>';

const BUILD = { id: 'build', bundler: 'none', consumer: 'client', precision: 'emitted' } as const;

interface Built {
  codes: string[];
  files: string[];
  lines: string[];
}

/** One build of a bundler that ships everything it imports. */
async function build(
  root: string,
  specifiers: readonly string[],
  options: Options = {},
): Promise<Built> {
  const { url: baseUrl, key, secret } = catalog;
  const log = recordingLog();
  const session = createSession(
    { catalog: { baseUrl, key, secret }, cacheDir: join(root, 'cache'), ...options },
    'none',
  );
  session.configure({ root, env: {}, log });
  session.begin();
  try {
    const ids = specifiers.map((specifier) => session.resolve(specifier, 'main.js'));
    const modules = await Promise.all(ids.map((id) => session.load(id)));
    const usages = ids.map((id) => ({ id, file: 'main.js', kind: 'inline-js' as const }));
    const files = await session.attributionFiles(usages, BUILD);
    await session.end(files.map(({ fileName }) => fileName));
    const codes = modules.map((module) =>
      module.kind === 'code' ? module.code : module.code('"address"'),
    );
    return { codes, files: files.map(({ source }) => source.toString()), lines: log.lines };
  } finally {
    await session.close();
  }
}

function variants(id: number): string[] {
  return [
    '',
    '?color=f00',
    '?size=32&title=%E2%98%85%20%22%3C%2Fscript%3E',
    '?as=data&color=00f',
    '?as=url',
    '?as=meta',
  ].map((query) => `icon:${id}${query}`);
}

describe('a second build', () => {
  it('makes the same modules and credits of what the first one finished', async () => {
    const root = await temporaryFolder();
    const specifiers = [...iconIds('tabler', 5), ...iconIds('game-icons', 5)].flatMap(variants);
    const cold = await build(root, specifiers);
    catalog.reset();
    const warm = await build(root, specifiers);
    expect(warm.codes).toEqual(cold.codes);
    expect(warm.files).toEqual(cold.files);
    expect(catalog.calls).toEqual([]);
  });

  it('has components of its own framework, whichever framework finished them before', async () => {
    const root = await temporaryFolder();
    const specifiers = iconIds('tabler', 2).map((id) => `icon:${id}?component`);
    const react = await build(root, specifiers, { framework: 'react' });
    const vue = await build(await temporaryFolder(), specifiers, { framework: 'vue' });
    expect(vue.codes).not.toEqual(react.codes);
    expect((await build(root, specifiers, { framework: 'vue' })).codes).toEqual(vue.codes);
    expect((await build(root, specifiers, { framework: 'react' })).codes).toEqual(react.codes);
  });

  it('says again that versions of licences are not stated', async () => {
    const root = await temporaryFolder();
    const specifiers = iconIds('game-icons', 3).map((id) => `icon:${id}`);
    const reported = (lines: string[]): string[] => lines.filter((line) => line.startsWith('warn'));
    const cold = reported((await build(root, specifiers)).lines);
    const warm = reported((await build(root, specifiers)).lines);
    expect(warm).toEqual(cold);
  });

  it.each([
    ['GPL-3.0-only', /GPL-3\.0-only/],
    ['royalty-free', /royalty-free/],
  ])('warns again about the licence %s', async (license, pattern) => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'art/star.svg': STAR });
    const options: Options = {
      catalog: { embedded: { sets: [], folders: [{ path: 'art', name: 'art', license }] } },
      licenses: { unknown: 'warn' },
    };
    const star = [`icon:${embeddedIconId('art', 'star')}`];
    const warned = ({ lines }: Built): string[] => lines.filter((line) => line.startsWith('warn'));
    const cold = warned(await build(root, star, options));
    expect(cold.join('\n')).toMatch(pattern);
    expect(warned(await build(root, star, options))).toEqual(cold);
  });

  it('does not ship what the licence policy has come to refuse', async () => {
    const root = await temporaryFolder();
    const [id = 0] = iconIds('tabler', 1);
    await build(root, [`icon:${id}`], { licenses: { allow: ['MIT'] } });
    const refused = build(root, [`icon:${id}`], { licenses: { allow: ['public-domain'] } });
    await expect(refused).rejects.toMatchObject({ code: 'LICENSE_REFUSED' });
  });

  it('credits by what the project has come to assert', async () => {
    const root = await temporaryFolder();
    const [id = 0] = iconIds('tabler', 1);
    await build(root, [`icon:${id}`]);
    const assertion = { license: 'ISC', by: 'the project', evidence: 'a letter' };
    const { codes, files } = await build(root, [`icon:${id}`], {
      licenses: { assert: { [id]: assertion } },
    });
    expect(codes[0]).toContain('a letter');
    expect(files[0]).toContain('ISC');
  });

  it('runs a transform again, as its answer may have changed', async () => {
    const root = await temporaryFolder();
    const [id = 0] = iconIds('tabler', 1);
    let runs = 0;
    const transform = (): string => `<svg id="${(runs += 1)}"/>`;
    const first = await build(root, [`icon:${id}`], { svg: { transform } });
    const second = await build(root, [`icon:${id}`], { svg: { transform } });
    expect(first.codes[0]).not.toBe(second.codes[0]);
  });

  it('runs a transform that is new, and no longer one that is gone', async () => {
    const root = await temporaryFolder();
    const [id = 0] = iconIds('tabler', 1);
    const specifiers = [`icon:${id}`, `icon:${id}?as=component`, `icon:${id}?as=data`];
    const framework = 'react' as const;
    const plain = await build(root, specifiers, { framework });
    const transform = (svg: string): string => svg.replace('<path', '<path data-own="1"');
    const own = await build(root, specifiers, { framework, svg: { transform } });
    for (const code of own.codes) expect(code).toContain('data-own');
    expect(own.files[0]).toContain('"kind":"transform"');
    expect(await build(root, specifiers, { framework })).toMatchObject({
      codes: plain.codes,
      files: plain.files,
    });
  });

  it('repairs finished modules that were damaged', async () => {
    const root = await temporaryFolder();
    const specifiers = iconIds('tabler', 3).map((id) => `icon:${id}`);
    const cold = await build(root, specifiers);
    const folder = join(root, 'cache', 'packs');
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.replaceAll('currentColor', 'currentHolor'));
    }
    const repaired = await build(root, specifiers);
    expect(repaired.codes).toEqual(cold.codes);
    expect(repaired.files).toEqual(cold.files);
  });
});
