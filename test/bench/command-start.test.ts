import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createCatalogServer } from '../../src/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median } from './support/rounds.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = join(REPOSITORY, 'test/bench/support/report-cpu.cjs');
/** The same search of a service, whose answer of an earlier run is kept. */
const KEPT = 'search home (kept)';
const COMMANDS = [
  '(node alone)',
  '--version',
  '--help',
  'sync --help',
  'verify',
  'sync',
  'search home',
  KEPT,
];

interface Cpu {
  first: number;
  all: number;
}

/** CPU time of one command in a project with one icon set, one source and a lock. */
async function measure(
  command: string,
  { cwd, service }: { cwd: string; service: Record<string, string> },
): Promise<Cpu> {
  const args = command.startsWith('(')
    ? ['-e', '0']
    : [join(REPOSITORY, 'dist/cli.js'), ...command.replace(/ \(.*/, '').split(' ')];
  const { CI: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--require', REPORT, ...args], {
    cwd: command === KEPT ? join(cwd, 'service') : cwd,
    env: { ...env, ...service, ICON_CATALOG_CACHE_DIR: join(cwd, '.cache') },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const reported = text(child.stdio[3] as Readable);
  const [code] = (await once(child, 'close')) as [number];
  expect([command, code]).toEqual([command, 0]);
  return JSON.parse(await reported) as Cpu;
}

it('starting the command line', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules/@iconify-json'), { recursive: true });
  await symlink(
    join(REPOSITORY, 'node_modules/@iconify-json/tabler'),
    join(root, 'node_modules/@iconify-json/tabler'),
    'junction',
  );
  await writeFile(join(root, 'icon-catalog.config.json'), '{ "catalog": "embedded" }');
  await writeFile(join(root, 'main.js'), "import star from 'icon:tabler/star';\n");
  await mkdir(join(root, 'service'));
  await writeFile(join(root, 'service/icon-catalog.config.json'), '{}');
  const server = createCatalogServer({ root, sets: ['tabler'] });
  const { url, close } = await server.listen();
  onTestFinished(close);
  const { key, secret } = server.credentials();
  const service = {
    ICON_CATALOG_URL: url,
    ICON_CATALOG_KEY: key,
    ICON_CATALOG_SECRET: secret,
  };
  const place = { cwd: root, service };
  await measure('sync', place);
  await inRounds(COMMANDS, 1, (command) => measure(command, place));
  const runs = await inRounds(COMMANDS, ROUNDS, (command) => measure(command, place));
  printTable(
    `CPU time of a command in ms, quickest and median of ${ROUNDS} rounds`,
    ['', 'first output', 'median', 'end', 'median'],
    COMMANDS.map((command) => {
      const [first, all] = (['first', 'all'] as const).map((part) =>
        runs[command]!.map((run) => run[part]),
      );
      return [
        command,
        ...[first!, all!].flatMap((times) => [
          Math.min(...times).toFixed(0),
          median(times).toFixed(0),
        ]),
      ];
    }),
  );
  for (const command of COMMANDS) expect(runs[command]).toHaveLength(ROUNDS);
});
