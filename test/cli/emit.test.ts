import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ESLint } from 'eslint';
import react from 'eslint-plugin-react';
import { describe, expect, it } from 'vitest';
import { componentName, settleFolder } from '../../src/project/emit.ts';
import { embeddedIconId } from '../../src/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { runInProject } from './support/project-cli.ts';

describe('the name of a component', () => {
  it.each([
    ['theme-light', 'ThemeLight'],
    ['house', 'House'],
    ['3d', 'Icon3d'],
    ['index', 'IconIndex'],
    ['INDEX', 'IconINDEX'],
    ['aux', 'IconAux'],
    ['com 1', 'IconCom1'],
    ['compass', 'Compass'],
    ['Grüße aus Übersee', 'GruEAusUbersee'],
    ['★', 'Icon'],
    ['star 123', 'Star123'],
  ])('%s is %s', (alias, name) => {
    expect(componentName(alias)).toBe(name);
  });
});

describe('the folder of components', () => {
  it('is brought up to date, and keeps what is not ours', async () => {
    const folder = join(await temporaryFolder(), 'icons');
    const first = new Map([
      ['A.js', 'a'],
      ['B.js', 'b'],
    ]);
    expect(await settleFolder(folder, first)).toMatchObject({ written: ['A.js', 'B.js'] });
    await writeFile(join(folder, 'mine.js'), 'mine');
    const second = new Map([
      ['A.js', 'a2'],
      ['C.js', 'c'],
    ]);
    expect(await settleFolder(folder, second, { isTrial: true })).toEqual({
      written: ['A.js', 'C.js'],
      removed: ['B.js'],
      foreign: [],
    });
    expect(await readFile(join(folder, 'A.js'), 'utf8')).toBe('a');
    await settleFolder(folder, second);
    expect([...(await readTree(folder)).keys()]).toEqual([
      '.icon-catalog.json',
      'A.js',
      'C.js',
      'mine.js',
    ]);
    const before = await readTree(folder);
    expect(await settleFolder(folder, second)).toEqual({ written: [], removed: [], foreign: [] });
    expect(await readTree(folder)).toEqual(before);
  });

  it('touches nothing where a file of somebody else is in the way', async () => {
    const folder = join(await temporaryFolder(), 'icons');
    await settleFolder(folder, new Map([['A.js', 'a']]));
    await writeFile(join(folder, 'A.js'), 'changed by hand');
    await writeFile(join(folder, 'D.js'), 'theirs');
    const before = await readTree(folder);
    const wanted = new Map([
      ['A.js', 'a2'],
      ['D.js', 'd'],
      ['E.js', 'e'],
    ]);
    expect(await settleFolder(folder, wanted)).toMatchObject({ foreign: ['A.js', 'D.js'] });
    expect(await readTree(folder)).toEqual(before);
  });

  it('removes no file outside of it, whatever its ledger says', async () => {
    const root = await temporaryFolder();
    const folder = join(root, 'icons');
    await settleFolder(folder, new Map([['A.js', 'a']]));
    await writeFile(join(root, 'keep.js'), 'a');
    const ledger = await readFile(join(folder, '.icon-catalog.json'), 'utf8');
    await writeFile(join(folder, '.icon-catalog.json'), ledger.replace('A.js', '../keep.js'));
    await settleFolder(folder, new Map());
    expect(await readFile(join(root, 'keep.js'), 'utf8')).toBe('a');
  });
});

const GLOW = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><linearGradient id="a"><stop stop-color="#000"/></linearGradient><path fill="url(#a)" d="M0 0h24v24H0z"/></svg>`;

describe('icon-catalog emit', () => {
  const [star, moon] = ['star', 'moon'].map((name) => embeddedIconId('tabler', name));
  const project = async (aliases: object): Promise<string> =>
    writeProject({
      'icon-catalog.config.json': JSON.stringify({
        catalog: { embedded: { sets: ['tabler'], root: process.cwd() } },
        cacheDir: join(await temporaryFolder(), 'cache'),
        aliases,
      }),
    });

  it.each(['react', 'vue', 'svelte', 'web-component'])(
    'writes every alias for %s, and the same again',
    async (framework) => {
      const root = await project({ star, 'full-moon': moon });
      const args = ['emit', '--out', 'icons', '--framework', framework];
      const { code, out, err } = await runInProject(root, args);
      expect([code, out], err).toEqual([0, 'FullMoon\nStar\n']);
      const written = await readTree(join(root, 'icons'));
      expect([...written.keys()]).toEqual(
        expect.arrayContaining(['FullMoon.js', 'Star.js', 'index.js', 'index.d.ts', 'CREDITS.md']),
      );
      for (const [name, bytes] of written)
        if (name.endsWith('.js')) expect(String(bytes), name).not.toContain('"icon:');
      expect((await runInProject(root, [...args, '--check'])).code).toBe(0);
      await runInProject(root, args);
      expect(await readTree(join(root, 'icons'))).toEqual(written);
    },
  );

  it.each(['react', 'preact', 'vue'])('names components for the tools of %s', async (framework) => {
    const root = await project({ star });
    await runInProject(root, ['emit', '--out', 'icons', '--framework', framework]);
    await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'junction');
    await writeFile(join(root, 'package.json'), '{ "type": "module" }');
    const { default: Star } = (await import(join(root, 'icons/Star.js'))) as { default: object };
    expect(Star).toHaveProperty('displayName', 'Star');
  });

  it.each(['react', 'preact', 'vue', 'solid', 'svelte', 'lit', 'web-component', 'qwik'])(
    'writes files for %s that ESLint leaves alone',
    async (framework) => {
      const root = await writeProject({ 'own/glow.svg': GLOW });
      const embedded = { sets: ['tabler'], root: process.cwd(), folders: [join(root, 'own')] };
      const aliases = { star, glow: embeddedIconId('own', 'glow') };
      const options = { catalog: { embedded }, cacheDir: 'cache', aliases };
      await writeFile(join(root, 'icon-catalog.config.json'), JSON.stringify(options));
      const { err } = await runInProject(root, [
        'emit',
        'star',
        'glow?color=f00',
        '--out',
        'icons',
        '--framework',
        framework,
      ]);
      expect(err).toContain('2 components');
      const eslint = new ESLint({
        cwd: root,
        overrideConfigFile: true,
        overrideConfig: [
          react.configs.flat['recommended'] ?? {},
          { rules: { 'no-unused-vars': 'error' } },
        ],
      });
      const reported = await eslint.lintFiles(['icons/*.js']);
      expect(reported.map(({ filePath }) => basename(filePath)).toSorted()).toEqual([
        'Glow.js',
        'Star.js',
        'index.js',
        'runtime.js',
        'unique.js',
      ]);
      expect(
        reported.flatMap(({ filePath, messages }) =>
          messages.map((one) => [filePath, one.message]),
        ),
      ).toEqual([]);
    },
  );

  it('says with --check that something is to be done, and does nothing', async () => {
    const root = await project({ star });
    const { code, err } = await runInProject(
      root,
      'emit -o icons --framework vue --check'.split(' '),
    );
    expect(code).toBe(1);
    expect(err).toContain('icons is out of date');
    expect((await readTree(join(root, 'icons'))).size).toBe(0);
  });

  it('refuses an installed framework that its components would not work with', async () => {
    const root = await project({ star });
    await writeFiles(root, { 'node_modules/vue/package.json': '{ "version": "2.7.16" }' });
    const args = ['emit', '-o', 'icons', '--framework'];
    const { code, err } = await runInProject(root, [...args, 'vue']);
    expect(code).toBe(1);
    expect(err).toContain('they need vue 3, and 2.7.16 is installed');
    expect((await readTree(join(root, 'icons'))).size).toBe(0);
    expect((await runInProject(root, [...args, 'svelte'])).code).toBe(0);
  });

  it.each([
    [['emit', '--out', 'icons'], 2, '--framework is needed'],
    [['emit', '--out', 'icons', '--framework', 'angular'], 2, '; "angular" is not.'],
    [['emit', '--framework', 'vue'], 2, '--out'],
    [
      ['emit', 'star?filetype=png', '-o', 'icons', '--framework', 'vue'],
      1,
      'only svg icons become components',
    ],
    [['emit', 'star?as=url', '-o', 'icons', '--framework', 'vue'], 1, 'as=url'],
    [['emit', 'stra', '-o', 'icons', '--framework', 'vue'], 1, 'star'],
    [
      ['emit', 'star', 'icon:star?color=f00', '-o', 'icons', '--framework', 'vue'],
      1,
      'a component named `Star`',
    ],
  ])('%j ends with %i', async (args, code, words) => {
    const root = await project({ star });
    const result = await runInProject(root, args);
    expect(result.err).toContain(words);
    expect(result.code).toBe(code);
    expect((await readTree(join(root, 'icons'))).size).toBe(0);
  });
});
