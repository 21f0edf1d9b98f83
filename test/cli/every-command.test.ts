import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { collectionId, embeddedIconId } from '../../src/server/ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';
import { type ProjectRun, runInProject } from './support/project-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const BUS = String(embeddedIconId('maki', 'bus'));

/** A project whose .env.local alone names the catalog. */
async function projectWithEnv(
  more: Record<string, string> = {},
): Promise<(args: string[], terminal: boolean) => Promise<ProjectRun>> {
  const root = await writeProject({
    'src/main.js': `import bus from 'icon:${BUS}';\n`,
    'package.json': '{}',
    'icon-catalog.config.json': '{ "aliases": {} }',
    'page.html': '<p>No icon</p>',
  });
  const lines = Object.entries(catalog.env()).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(root, '.env.local'), lines.join(''));
  const env = { ICON_CATALOG_CACHE_DIR: await temporaryFolder(), ...more };
  return (args, terminal) => runInProject(root, args, { env, terminal });
}

describe.each<[string[], RegExp]>([
  [
    ['search', 'bus'],
    /Write an import: import icon from 'icon:\d+'\. `npx icon-catalog show \d+` says more about it\.$/,
  ],
  [['search', 'xyzzy'], /Try fewer or other words/],
  [['suggest', 'ho'], /Search for one: npx icon-catalog search \S+/],
  [['suggest', 'zzzzz'], /try fewer letters, or search for the whole word\.$/],
  [['show', BUS], /Write an import: import icon from 'icon:\d+'\./],
  [['collections'], /Show the icons of one: npx icon-catalog collection \d+$/],
  [['collection', String(collectionId('maki'))], /Write an import:/],
  [['usage'], /cost no calls/],
  [['blacklist', 'list'], /Searches and lists with --blacklist leave these out\.$/],
  [
    ['download', BUS, '--force', '-o', 'bus.svg'],
    /Or let the build fetch it: import icon from 'icon:\d+'\.$/,
  ],
  [['api', 'GET', '/v2/icon', '--query', 'limit=1'], new RegExp('')],
  [['sync'], /Commit icons\.lock: builds in CI then add nothing to it\.$/],
  [['add', BUS], /Commit icons\.lock, and import the icons/],
  [['add', BUS, '--as', 'ride'], /Put the import into a source file, and commit icons\.lock\.$/],
  [['verify', '--online'], /A build can use it as it is\.$/],
  [['update'], /icons\.lock says what the catalog says: a build can use it as it is\.$/],
  [['prune'], /Every icon of icons\.lock is needed: there is nothing to do\.$/],
  [
    ['html', 'page.html'],
    /A page asks for an icon with <img src="icon:tabler\/home" alt="Home">\.$/,
  ],
])('%j', (args, sentence) => {
  it('finds the catalog of .env.local, and says at a terminal what comes next', async () => {
    const run = await projectWithEnv();
    if (['verify', 'update', 'prune'].includes(args[0] ?? '')) await run(['sync'], false);
    const shown = await run(args, true);
    const words = stripVTControlCharacters(shown.err).replace(/\s+/g, ' ').trim();
    expect([shown.code, words]).toEqual([0, expect.stringMatching(sentence)]);
    const silent = await (await projectWithEnv())(['--json', ...args], false);
    if (args[0] !== 'api') expect(silent.err.replace(/\s+/g, ' ')).not.toMatch(sentence);
  });
});

it.each([
  [['attribution']],
  [['attribution', 'nowhere']],
  [['attribution', 'check', 'nowhere']],
  [['add', BUS, '--as', 'two words']],
  [['doctor']],
  [['show', '1']],
  [['sync', '--config', 'broken.js']],
])('a failure of %j says in JSON what to do', async (args) => {
  const root = await writeProject({
    'broken.js': 'throw new Error("broken on purpose.");',
  });
  const { code, json } = await runInProject(root, ['--json', ...args], { env: catalog.env() });
  const { error } = json as { error: { code: string; message: string; remedy: string } };
  expect(code).toBeGreaterThan(0);
  expect(error.remedy).toMatch(/^\S.*[.`]$/s);
  expect(error.message).toMatch(/[.!?]$/);
});

describe('the mode `offline`', () => {
  it.each([
    [['search', 'bus']],
    [['show', BUS]],
    [['usage']],
    [['download', BUS, '-o', '-']],
    [['api', 'GET', '/v2/icon']],
    [['sync']],
    [['add', BUS]],
  ])('%j sends nothing, and says why', async (args) => {
    const run = await projectWithEnv({ ICON_CATALOG_MODE: 'offline' });
    const { code, err } = await run(args, false);
    const words = err.replace(/\s+/g, ' ');
    expect([code, catalog.calls, words]).toEqual([
      1,
      [],
      expect.stringMatching(/mode (?:is )?`offline`/),
    ]);
  });
});
