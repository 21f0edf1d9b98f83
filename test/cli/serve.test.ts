import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli, startCli, type CliOptions } from './support/run-cli.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Starts in one project share what they keep. */
const cacheEnv: Record<string, string> = {};
beforeEach(async () => {
  cacheEnv['ICON_CATALOG_CACHE_DIR'] = await temporaryFolder();
  cacheEnv['XDG_CONFIG_HOME'] = await temporaryFolder();
});

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Served {
  child: ChildProcess;
  /** What it writes when it has started. */
  first: string;
  ended: Promise<[code: number | null, signal: string | null]>;
  stderr: Promise<string>;
}

async function serve(args: readonly string[], options?: CliOptions): Promise<Served> {
  const child = startCli(['serve', ...args], { ...options, env: { ...cacheEnv, ...options?.env } });
  children.push(child);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The command has no pipes.');
  const ended = once(child, 'close') as Served['ended'];
  const reported = text(stderr);
  const [chunk] = (await Promise.race([
    once(stdout, 'data'),
    ended.then(async () => {
      throw new Error(await reported);
    }),
  ])) as [Buffer];
  return { child, first: chunk.toString('utf8'), ended, stderr: reported };
}

/** The files below a folder that contain a text. */
async function filesWith(text: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return paths.filter((_, at) => contents[at]?.includes(text));
}

describe('serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints what a shell may evaluate, serves, and ends with 0 at %s',
    async (signal) => {
      const { child, first, ended, stderr } = await serve(['--set', 'maki']);
      const values = Object.fromEntries(
        [...first.matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
      ) as Record<string, string>;
      expect(Object.keys(values)).toEqual([
        'ICON_CATALOG_URL',
        'ICON_CATALOG_KEY',
        'ICON_CATALOG_SECRET',
        'ICON_CATALOG_SITE_URL',
      ]);
      const searched = await runCli(['search', 'home', '--limit=1', '--json'], { env: values });
      expect(searched.code).toBe(0);
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(await stderr).toMatch(/^Serving on http:\/\/127\.0\.0\.1:\d+, .+\nStopped\.\n$/);
    },
  );

  it('keeps port and key for the next start in the project, and writes them into .env.local', async () => {
    const root = await temporaryFolder();
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const file = join(root, '.env.local');
    const documents: object[] = [];
    for (const end of ['\r\n', '\n']) {
      const lines = ['# mine', 'OTHER=1', 'ICON_CATALOG_URL=http://localhost:1', ''];
      await writeFile(file, lines.join(end));
      const { child, first, ended } = await serve(['--set=maki', '--write-env', '--json'], {
        cwd: root,
        env: cacheEnv,
      });
      documents.push(JSON.parse(first) as object);
      const text = await readFile(file, 'utf8');
      expect(text.split('\n').every((line) => line === '' || line.endsWith('\r'))).toBe(
        end === '\r\n',
      );
      expect(text.replaceAll('\r', '')).toMatch(
        /^# mine\nOTHER=1\nICON_CATALOG_URL=http:\/\/127\.0\.0\.1:\d+\nICON_CATALOG_KEY=\w+\nICON_CATALOG_SECRET=\w+\nICON_CATALOG_SITE_URL=https:\/\/\S+\n$/,
      );
      // A command in this folder needs nothing exported.
      const searched = await runCli(['search', 'home', '--limit=1', '--json'], {
        cwd: root,
        env: cacheEnv,
      });
      expect([searched.code, searched.stderr]).toEqual([0, expect.any(String)]);
      child.kill('SIGINT');
      await ended;
    }
    expect(documents[0]).toMatchObject({ env: '.env.local' });
    expect(documents[1]).toMatchObject({ url: (documents[0] as { url: string }).url });
  });

  it('keeps the key outside the cache folder, readable by its owner alone', async () => {
    const { child, first, ended } = await serve(['--set=maki', '--json']);
    child.kill('SIGINT');
    await ended;
    const { secret } = JSON.parse(first) as { secret: string };
    const { ICON_CATALOG_CACHE_DIR: cache = '', XDG_CONFIG_HOME: config = '' } = cacheEnv;
    expect(await filesWith(secret, cache)).toEqual([]);
    const [file = '', ...others] = await filesWith(secret, config);
    expect(others).toEqual([]);
    const { mode } = await stat(dirname(file));
    if (process.platform !== 'win32') expect(mode & 0o77).toBe(0);
  });

  it('takes another port while that of the last start is in use, and reports it', async () => {
    const root = await temporaryFolder();
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const options = { cwd: root, env: cacheEnv };
    const one = await serve(['--set=maki'], options);
    const two = await serve(['--set=maki'], options);
    const port = /URL=http:\/\/127\.0\.0\.1:(\d+)/;
    const [first, second] = [one, two].map((each) => port.exec(each.first)?.[1]);
    expect(second).not.toBe(first);
    for (const { child, ended } of [one, two]) {
      child.kill('SIGINT');
      await ended;
    }
    expect(await two.stderr).toContain(
      `Port ${first} of the last start is in use, so this is port ${second}.`,
    );
  });

  it('leaves an .env.local with the credentials of a service as it is', async () => {
    const root = await temporaryFolder();
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const text =
      'ICON_CATALOG_URL=https://catalog.example\nICON_CATALOG_KEY=k\nICON_CATALOG_SECRET=s\n';
    await writeFile(join(root, '.env.local'), text);
    const { code, stdout, stderr } = await runCli(['serve', '--set=maki', '--write-env'], {
      cwd: root,
      env: cacheEnv,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('.env.local names a catalog that is not on this machine');
    expect(await readFile(join(root, '.env.local'), 'utf8')).toBe(text);
  });

  it('serves the sets that the options of the project name', async () => {
    const root = await temporaryFolder();
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    await writeFile(
      join(root, 'icon-catalog.config.json'),
      '{ "catalog": { "embedded": { "sets": ["maki"] } } }',
    );
    const { child, first, ended } = await serve([], { cwd: root, env: cacheEnv });
    const values = Object.fromEntries(
      [...first.matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    await unlink(join(root, 'icon-catalog.config.json'));
    const { stdout } = await runCli(['collections', '--json'], {
      cwd: root,
      env: { ...cacheEnv, ...values },
    });
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['Maki']);
    child.kill('SIGINT');
    await ended;
  });

  it('takes key and secret of the environment, and shows neither', async () => {
    const env = { ICON_CATALOG_KEY: 'own-key', ICON_CATALOG_SECRET: 'own-secret' };
    const { child, first, ended, stderr } = await serve(['--json', '--set=maki'], { env });
    const document = JSON.parse(first) as { url: string };
    expect(Object.keys(document)).toEqual(['url', 'site']);
    const client = createCatalogClient({
      baseUrl: document.url,
      key: 'own-key',
      secret: 'own-secret',
    });
    expect((await client.icons({ limit: 1 })).icons).toHaveLength(1);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await stderr).not.toMatch(/own-/);
  });

  it('keeps blacklists in a folder of its state', async () => {
    const state = await temporaryFolder();
    const keys = { ICON_CATALOG_KEY: 'own-key', ICON_CATALOG_SECRET: 'own-secret' };
    const lists: string[] = [];
    for (const args of [['add', '7'], ['list']]) {
      const { child, first, ended } = await serve(['--set=maki', '--state', state], { env: keys });
      const url = /URL=(\S+)/.exec(first)?.[1] ?? '';
      const { stdout } = await runCli(['blacklist', ...args, '--json'], {
        env: { ...keys, ICON_CATALOG_URL: url },
      });
      lists.push(stdout);
      child.kill('SIGINT');
      await ended;
    }
    expect(JSON.parse(lists[1] ?? '')).toMatchObject({ icon_ids: [7] });
  });

  it('says which icon set is missing', async () => {
    const { code, stdout, stderr } = await runCli(['serve', '--set', 'nowhere']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[OPTIONS_INVALID]');
    expect(stderr).toContain('nowhere');
  });

  it('says that the port is in use', async () => {
    const { url, close } = await createCatalogServer({ sets: ['maki'] }).listen();
    const { code, stderr } = await runCli(['serve', '--set=maki', '--port', new URL(url).port]);
    await close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error Port \d+ of 127\.0\.0\.1 is in use\.\n/);
  });
});
