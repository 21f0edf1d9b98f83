import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createCatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const runner = join(root, 'node_modules/vitest/vitest.mjs');
const KEY = { key: 'own-key', secret: 'own-secret' };
const BLACKLIST = { collection_ids: [5], icon_ids: [3, 4], search_terms: ['kept as it was'] };

interface Report {
  numFailedTests: number;
  numPassedTests: number;
  numPendingTests: number;
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

/** A catalog on a port with a blacklist, as a service that somebody has a key of. */
async function startService() {
  const keys = [{ ...KEY, monthlyLimit: 1_000_000 }];
  const server = createCatalogServer({ sets: ['game-icons', 'maki', 'tabler'], keys });
  const { url, close } = await server.listen();
  onTestFinished(close);
  const client = createCatalogClient({ baseUrl: url, ...KEY });
  await client.blacklistIds(BLACKLIST.icon_ids);
  await client.blacklistIds(BLACKLIST.collection_ids, { type: 'collection' });
  await client.blacklistTerms(BLACKLIST.search_terms);
  const blacklist = async () => (await client.blacklistTerms([])).blacklist;
  return { url, blacklist };
}

/** Runs tests of this folder in a process of their own, against the service that the environment names. */
async function runSuite(files: string[], variables: Record<string, string>): Promise<Report> {
  const output = join(await temporaryFolder(), 'report.json');
  const paths = files.map((name) => `test/conformance/${name}.test.ts`);
  const flags = ['--config', '.config/vitest.ts', '--reporter=json', `--outputFile=${output}`];
  const done = run(execPath, [runner, 'run', ...paths, ...flags], {
    cwd: root,
    env: { PATH: env['PATH'], ...variables },
  });
  // A failing suite ends with 1; the report says which tests.
  await done.catch(() => undefined);
  return JSON.parse(await readFile(output, 'utf8')) as Report;
}

function failuresOf({ testResults }: Report): string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}

const READING = [
  'v2-endpoints',
  'v2-conventions',
  'rules',
  'v1-endpoints',
  'resources',
  'authentication',
  'errors',
  'limits',
  'service',
];

test('any service can be checked by its address and a key, and nothing is written there', async () => {
  const { url, blacklist } = await startService();
  const report = await runSuite(READING, {
    CONFORMANCE_URL: `${url}/`,
    CONFORMANCE_KEY: KEY.key,
    CONFORMANCE_SECRET: KEY.secret,
  });
  expect(failuresOf(report)).toEqual([]);
  expect(report.numPassedTests).toBeGreaterThan(200);
  // Writes, and what needs a clock or limits of one's own.
  expect(report.numPendingTests).toBeGreaterThan(20);
  expect(await blacklist()).toEqual(BLACKLIST);
}, 120_000);

test('with leave to write, blacklists are as before afterwards', async () => {
  const { url, blacklist } = await startService();
  const report = await runSuite(['rules', 'v2-endpoints'], {
    CONFORMANCE_URL: url,
    CONFORMANCE_KEY: KEY.key,
    CONFORMANCE_SECRET: KEY.secret,
    CONFORMANCE_WRITE: '1',
  });
  expect(failuresOf(report)).toEqual([]);
  expect(report.numPendingTests).toBeLessThan(3);
  expect(await blacklist()).toEqual(BLACKLIST);
}, 120_000);

test('a service that does not conform is reported by the row', async () => {
  const { url } = await startService();
  const report = await runSuite(['authentication'], {
    CONFORMANCE_URL: url,
    CONFORMANCE_KEY: KEY.key,
    CONFORMANCE_SECRET: 'another-secret',
  });
  expect(failuresOf(report).join('\n')).toContain('Authentication 3: a nonce has at least 8');
}, 120_000);
