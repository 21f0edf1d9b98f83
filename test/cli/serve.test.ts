import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createCatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli, startCli, type CliOptions } from './support/run-cli.ts';

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
  const child = startCli(['serve', ...args], options);
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
