import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median } from './support/rounds.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = pathToFileURL(join(REPOSITORY, 'test/bench/support/report-cpu.mjs')).href;
const COMMANDS = [
  '(node alone)',
  '--version',
  '--help',
  'sync --help',
  'verify',
  'sync',
  'search home',
];

interface Cpu {
  first: number;
  all: number;
}

/** CPU time of one command in a project with one icon set, one source and a lock. */
async function measure(command: string, cwd: string): Promise<Cpu> {
  const args = command.startsWith('(')
    ? ['-e', '0']
    : [join(REPOSITORY, 'dist/cli.js'), ...command.split(' ')];
  const { CI: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', REPORT, ...args], {
    cwd,
    env: { ...env, ICON_CATALOG_CACHE_DIR: join(cwd, '.cache') },
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
  await measure('sync', root);
  await inRounds(COMMANDS, 1, (command) => measure(command, root));
  const runs = await inRounds(COMMANDS, ROUNDS, (command) => measure(command, root));
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
