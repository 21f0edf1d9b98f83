import { spawnSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../src/project/doctor.ts';
import { GENERATOR } from '../../src/version.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';
import { type ProjectRun, runInProject } from './support/project-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

interface Check {
  name: string;
  status: string;
  message: string;
  remedy?: string;
}

/** A project that is right, with some of its files replaced. */
async function projectWith(files: Record<string, string> = {}): Promise<string> {
  const root = await writeProject({
    'package.json': '{ "type": "module", "devDependencies": { "vite": "8", "typescript": "7" } }',
    'vite.config.js':
      "import iconCatalog from 'unplugin-icon-catalog/vite';\nexport default { plugins: [iconCatalog()] };\n",
    'icon-catalog.config.json': '{ "catalog": "embedded" }',
    'src/icon-catalog-env.d.ts': '/// <reference types="unplugin-icon-catalog/types" />\n',
    [`node_modules/unplugin-icon-catalog/package.json`]: JSON.stringify({
      name: 'unplugin-icon-catalog',
      version: GENERATOR.version,
    }),
    'node_modules/vite/package.json': '{ "version": "8.1.0" }',
    ...files,
  });
  await symlink(
    join(MODULES, '@iconify-json'),
    join(root, 'node_modules/@iconify-json'),
    'junction',
  );
  return root;
}

async function doctor(
  root: string,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: string[] } = {},
): Promise<ProjectRun & { checks: Record<string, Check> }> {
  const cache = { ICON_CATALOG_CACHE_DIR: await temporaryFolder() };
  const run = await runInProject(root, ['doctor', '--json', ...args], {
    env: { ...cache, ...env },
  });
  const { checks } = run.json as { checks: Check[] };
  return { ...run, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

/** `vite.config.js` cannot be loaded in these folders, so that the options are in a file of their own. */
const REMOTE = { 'icon-catalog.config.json': '{}' };

describe('doctor', () => {
  it('finds a project with an embedded catalog well', async () => {
    const { code, checks, err } = await doctor(await projectWith());
    expect(Object.values(checks).map(({ name, status }) => `${name} ${status}`)).toEqual(
      ['Node', 'package', 'bundler', 'types', 'options', 'catalog', 'cache', 'lock'].map(
        (name) => `${name} ok`,
      ),
    );
    expect([code, err]).toEqual([0, 'All is well.\n']);
    expect(checks['bundler']?.message).toBe('Vite 8.1.0, with the plugin in vite.config.js');
    expect(checks['options']?.message).toContain('icon-catalog.config.json; the mode is online');
  });

  it('names a folder of SVG files as the set that it is', async () => {
    const options = '{ "catalog": { "embedded": { "sets": [], "folders": ["src/icons"] } } }';
    const { checks } = await doctor(await projectWith({ 'icon-catalog.config.json': options }));
    expect(checks['catalog']?.message).toBe('embedded, 1 icon set: src/icons');
  });

  it('asks a service for its time, key and quota, and shows no credentials', async () => {
    const env = catalog.env();
    const { code, checks, out, err } = await doctor(await projectWith(REMOTE), { env });
    expect(code).toBe(0);
    expect(checks['clock']).toMatchObject({ status: 'ok' });
    expect(checks['key']).toMatchObject({ status: 'ok' });
    expect(checks['quota']?.message).toMatch(/^\d+ of 1000000 calls made this month$/);
    for (const secret of [env['ICON_CATALOG_KEY'], env['ICON_CATALOG_SECRET']])
      expect(`${out}${err}`).not.toContain(secret);
    const before = catalog.calls.length;
    const offline = await doctor(await projectWith(REMOTE), { env, args: ['--offline'] });
    expect(catalog.calls).toHaveLength(before);
    expect(offline.checks['key']).toMatchObject({ status: 'not checked' });
  });

  it('says how far the clock is off', async () => {
    catalog.intercept = ({ url }) =>
      new URL(url).pathname === '/'
        ? new Response('', { headers: { date: new Date(Date.now() - 3_600_000).toUTCString() } })
        : undefined;
    const { code, checks, json } = await doctor(await projectWith(REMOTE), { env: catalog.env() });
    expect(code).toBe(1);
    expect(checks['clock']).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('Set the clock') as string,
    });
    expect(checks['clock']?.message).toMatch(
      /^This machine's clock is 3(?:599|600|601) seconds ahead of/,
    );
    expect(json).toMatchObject({
      ok: false,
      error: {
        code: 'FAILED',
        message: '1 check found a problem: clock.',
        remedy: expect.stringContaining('again'),
      },
    });
  });

  it.each<[string, Record<string, string>, Record<string, string>, string, Partial<Check>]>([
    [
      'no catalog',
      REMOTE,
      {},
      'catalog',
      { status: 'problem', message: expect.stringContaining('ICON_CATALOG_KEY') as string },
    ],
    [
      'a set that is missing',
      { 'icon-catalog.config.json': '{ "catalog": { "embedded": { "sets": ["nowhere"] } } }' },
      {},
      'catalog',
      { status: 'problem', remedy: 'Run `npm install -D @iconify-json/nowhere`.' },
    ],
    [
      'an old bundler',
      { 'node_modules/vite/package.json': '{ "version": "4.5.14" }' },
      {},
      'bundler',
      {
        status: 'warning',
        message: 'Vite 4.5.14 is older than what this package is tried with: 5.0.0 and later.',
      },
    ],
    [
      'no plugin',
      { 'vite.config.js': 'export default {}' },
      {},
      'bundler',
      { status: 'warning', remedy: expect.stringContaining('icon-catalog init') as string },
    ],
    ['no types', { 'src/icon-catalog-env.d.ts': '' }, {}, 'types', { status: 'warning' }],
    [
      'types that TypeScript does not read',
      { 'tsconfig.json': '{ "include": ["app"] }', 'app/main.ts': '' },
      {},
      'types',
      {
        status: 'warning',
        message:
          'The configuration of TypeScript does not include src/icon-catalog-env.d.ts, which declares `icon:` imports.',
        remedy: 'Add it to `include` in tsconfig.json, or move it to app/.',
      },
    ],
    [
      'types beside files that are named',
      { 'tsconfig.json': '{ "files": ["src/main.ts"] }' },
      {},
      'types',
      { status: 'warning', remedy: 'Add it to `include` in tsconfig.json.' },
    ],
    [
      'another version',
      { 'node_modules/unplugin-icon-catalog/package.json': '{ "version": "0.0.1" }' },
      {},
      'package',
      { status: 'warning' },
    ],
    [
      'a wrong option',
      { 'icon-catalog.config.json': '{ "catlog": "embedded" }' },
      {},
      'options',
      { status: 'problem', message: expect.stringContaining('catlog') as string },
    ],
    [
      'a broken lock',
      { 'icons.lock': '{' },
      {},
      'lock',
      { status: 'problem', message: expect.stringContaining('icons.lock') as string },
    ],
    [
      'a cache that is a file',
      {},
      { ICON_CATALOG_CACHE_DIR: fileURLToPath(import.meta.url) },
      'cache',
      { status: 'problem' },
    ],
  ])('reports %s', async (_, files, env, name, expected) => {
    const { code, checks } = await doctor(await projectWith(files), { env });
    expect(checks[name]).toMatchObject(expected);
    expect(code).toBe(expected.status === 'problem' ? 1 : 0);
  });

  it.each<[string, Record<string, string>]>([
    [
      'in the folder that it includes',
      {
        'tsconfig.json': '{ "include": ["app"] }',
        'app/icon-catalog-env.d.ts': '/// <reference types="unplugin-icon-catalog/types" />\n',
      },
    ],
    [
      'by its own configuration',
      {
        'tsconfig.json':
          '{ "compilerOptions": { "types": ["unplugin-icon-catalog/types"] }, "include": ["app"] }',
      },
    ],
  ])('finds the types that TypeScript is given %s', async (_, files) => {
    const { checks } = await doctor(
      await projectWith({ 'src/icon-catalog-env.d.ts': '', ...files }),
    );
    expect(checks['types']).toMatchObject({ status: 'ok' });
  });

  it('reports a key that the catalog refuses', async () => {
    const env = { ...catalog.env(), ICON_CATALOG_SECRET: 'not-the-secret' };
    const { code, checks, out } = await doctor(await projectWith(REMOTE), { env });
    expect([code, checks['key']?.status]).toEqual([1, 'problem']);
    expect(out).not.toContain('not-the-secret');
  });

  it('says that the package is not installed, in words and columns', async () => {
    const root = await projectWith();
    await rm(join(root, 'node_modules'), { recursive: true });
    await mkdir(join(root, 'node_modules'));
    await writeFile(join(root, 'pnpm-lock.yaml'), '');
    const { code, out, err } = await runInProject(root, ['doctor']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^problem +package +unplugin-icon-catalog is not installed in this project\.\n +Run `pnpm add -D unplugin-icon-catalog`\.$/m,
    );
    expect(err).toMatch(/^error \d checks found a problem: package, /);
  });

  it('finds packages where a package manager has no node_modules', async () => {
    const root = await writeProject({
      'package.json': '{ "devDependencies": { "@iconify-json/maki": "1", "not-installed": "1" } }',
      'icon-catalog.config.json': '{ "catalog": "embedded" }',
    });
    // Node then finds packages in another way, as it does with Yarn's Plug'n'Play.
    const elsewhere = await writeProject({
      'unplugin-icon-catalog/package.json': JSON.stringify({ version: GENERATOR.version }),
    });
    await symlink(join(MODULES, '@iconify-json'), join(elsewhere, '@iconify-json'), 'junction');
    const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [command, 'doctor', '--json'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_PATH: elsewhere, ICON_CATALOG_CACHE_DIR: join(root, '.cache') },
    });
    const { checks } = JSON.parse(stdout) as { checks: Check[] };
    const messageOf = (name: string) => checks.find((check) => check.name === name)?.message;
    expect(messageOf('package')).toBe(`unplugin-icon-catalog ${GENERATOR.version}`);
    // Of the sets that are there, only those that the project names.
    expect(messageOf('catalog')).toBe('embedded, 1 icon set: maki');
  });

  it.each([
    ['20.18.9', 'problem'],
    ['20.19.0', 'ok'],
    ['21.9.0', 'problem'],
    ['22.11.9', 'problem'],
    ['22.12.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('Node %s: %s', (version, status) => expect(checkNode(version).status).toBe(status));
});
