import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import { writeProject } from '../support/write-project.ts';
import { runInProject, type ProjectRun } from './support/project-cli.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const id = {
  bus: embeddedIconId('maki', 'bus'),
  cafe: embeddedIconId('maki', 'cafe'),
  home: embeddedIconId('tabler', 'home'),
  lion: embeddedIconId('game-icons', 'lion'),
};

const SOURCES = {
  'icon-catalog.config.json': JSON.stringify({
    catalog: { embedded: { sets: ['maki', 'tabler', 'game-icons'], root: process.cwd() } },
    aliases: { bus: id.bus, lion: id.lion },
  }),
  'src/main.ts': `import bus from 'icon:bus?color=ff0000';\nimport lion from 'icon:lion?filetype=png&size=64&color=00f';\n`,
  'src/style.css': `a { background: url(icon:${id.home}?size=20) }`,
  'src/page.html': `<img src="icon:bus?size=40" alt="">`,
};

interface Project {
  root: string;
  run(args: string): Promise<ProjectRun>;
  list(args?: string): Promise<Manifest>;
}

/** A project whose icons are pinned, one of which (`cafe`) no source refers to. */
async function pinned(files: Record<string, string> = SOURCES): Promise<Project> {
  const root = await writeProject(files);
  const env = { ICON_CATALOG_CACHE_DIR: join(root, '.cache') };
  const run = (args: string): Promise<ProjectRun> => runInProject(root, args.split(' '), { env });
  expect((await run('sync')).code).toBe(0);
  expect((await run(`add ${id.cafe}`)).code).toBe(0);
  const list = async (args = 'attribution --format json'): Promise<Manifest> =>
    parseManifest((await run(args)).out);
  return { root, run, list };
}

function places({ icons }: Manifest): Record<string, string[]> {
  return Object.fromEntries(
    icons.map((icon) => [icon.id, icon.usedIn.map(({ file, kind }) => `${file} ${kind}`)]),
  );
}

function changes({ icons }: Manifest, of: number): string[] {
  return (icons.find((icon) => icon.id === String(of))?.changes ?? []).map(
    ({ summary }) => summary,
  );
}

describe('icon-catalog attribution without a build', () => {
  it('lists what the lock file has, with what each import changes', async () => {
    const { run, list } = await pinned();
    const reported = await run('attribution --format md');
    expect(reported.code).toBe(0);
    expect(reported.out).toMatch(/^# Icon credits\n\n4 icons by 3 creators under 3 licences\./);
    expect(reported.err).toBe(
      '4 icons of icons.lock, 1 of them referred to by no source (--used leaves them out). For the icons that a build ships, run: icon-catalog attribution <folder>\n',
    );
    const manifest = await list();
    expect([manifest.complete, manifest.builds]).toEqual([
      true,
      [{ id: 'project', bundler: 'none', consumer: 'client', precision: 'requested' }],
    ]);
    expect(places(manifest)).toEqual({
      [id.bus]: ['src/main.ts inline-js', 'src/page.html asset'],
      [id.cafe]: ['icons.lock asset'],
      [id.home]: ['src/style.css inline-css'],
      [id.lion]: ['src/main.ts asset'],
    });
    expect(changes(manifest, id.lion)).toEqual(['recoloured', 'rasterised']);
    expect(changes(manifest, id.bus)).toContain('credit added to the file');
    expect(changes(manifest, id.cafe)).toEqual(['recoloured', 'canvas resized', 'optimised']);
    expect(manifest.icons.every(({ source }) => !/^0+$/.test(source.sha256))).toBe(true);
    expect(JSON.stringify(await list())).toBe(JSON.stringify(manifest));
  });

  it('writes every format, in the one that the file’s name says, with drawings', async () => {
    const { root, run } = await pinned();
    const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');
    const formats = {
      'a.html': /^<!DOCTYPE html>/,
      'a.md': /^# Icon credits/,
      'a.txt': /^Icon credits\n/,
      'a.json': /^\{\n {2}"schemaVersion"/,
      'a.spdx.json': /"spdxVersion": "SPDX-2.3"/,
      'a.cdx.json': /"bomFormat": "CycloneDX"/,
    };
    for (const [name, expected] of Object.entries(formats)) {
      const { code, out, err } = await run(`attribution -o ${name}`);
      expect([code, out]).toEqual([0, '']);
      expect(err).toContain(`\n${name}: 4 icons.\n`);
      expect(await read(name)).toMatch(expected);
    }
    const page = await read('a.html');
    expect(page.match(/class="tile[^"]*" aria-hidden="true"><(?:svg|img)/g)).toHaveLength(4);
    expect(page).toContain('from what the project asks for');
    const { out } = await run('attribution --format fragment --out b.html');
    expect([out, await read('b.html')]).toEqual(['', expect.stringMatching(/^<section/)]);
    expect((await run('attribution --used')).out).toContain('3 icons by');
  });

  it('needs neither files nor a catalog: credits then stand without drawing and digest', async () => {
    const { root, run, list } = await pinned();
    const before = await list();
    await rm(join(root, '.cache'), { recursive: true });
    await writeFile(join(root, 'icon-catalog.config.json'), '{}');
    await writeFile(join(root, 'src/main.ts'), `import bus from 'icon:${id.bus}?color=ff0000'`);
    const { code, out, err } = await run('attribution --format json');
    expect(code).toBe(1);
    expect(err).toContain('4 icons not on this machine, credited without drawing and digest');
    // `icon:bus` of the page is no alias any more.
    expect(err).toMatch(/SPECIFIER_INVALID[^]*page\.html/);
    const after = parseManifest(out);
    expect(after.complete).toBe(false);
    expect(
      after.icons.map(({ id: each, title, credit }) => [each, title, credit.requested]),
    ).toEqual(before.icons.map(({ id: each, title, credit }) => [each, title, credit.requested]));
    expect(changes(after, id.home)).toEqual(changes(before, id.home));
  });

  it('is one in part where references have no line, and says which', async () => {
    const { root, run } = await pinned();
    await writeFile(
      join(root, 'src/new.ts'),
      `import camera from 'icon:${embeddedIconId('maki', 'school')}'`,
    );
    const { code, out, err } = await run('attribution');
    expect(code).toBe(1);
    expect(out).toMatch(/^Icon credits\n\n4 icons/);
    expect(err).toMatch(/LOCK_MISSING[^]*src\/new\.ts:1:/);
  });

  it('holds icons to the licence policy, as a build does', async () => {
    const { root, run } = await pinned();
    const options = JSON.parse(SOURCES['icon-catalog.config.json']) as object;
    const licenses = { allow: ['public-domain', 'creative-commons-attribution'] };
    await writeFile(
      join(root, 'icon-catalog.config.json'),
      JSON.stringify({ ...options, licenses }),
    );
    const { code, json } = await run('attribution --json');
    expect([code, json]).toEqual([
      1,
      expect.objectContaining({
        icons: 3,
        problems: [expect.objectContaining({ code: 'LICENSE_REFUSED', icon: String(id.home) })],
      }),
    ]);
  });

  it('says what to do where nothing is pinned', async () => {
    const root = await writeProject({});
    const { code, err } = await runInProject(root, ['attribution']);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('icons.lock has no icons.\n  Run `npx icon-catalog sync`'),
    ]);
    expect((await runInProject(root, ['attribution', '--format', 'pdf'])).code).toBe(2);
  });
});
