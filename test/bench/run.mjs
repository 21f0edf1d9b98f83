// `npm run bench [-- --publish] [--quick] [files]`: runs the benches one after the other. With `--publish` every measurement
// has at least nine rounds, and its tables take the place of those of the same name in the documentation. With `--quick`
// each bench measures little; what the environment sets goes before that.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../docs/project/benchmarks.md', import.meta.url));
const START = '<!-- Tables: written by `npm run bench -- --publish` -->';
const END = '<!-- End of tables -->';
const VERSIONS = [
  'vite',
  'rollup',
  'rolldown',
  'webpack',
  '@rspack/core',
  'esbuild',
  '@farmfe/core',
  'bun',
  'astro',
  'unplugin-icons',
  '@svgr/core',
  'astro-icon',
];

const QUICK = {
  BENCH_ROUNDS: '1',
  BENCH_COUNTS: '200,500',
  BENCH_LATENCIES: '0',
  BENCH_ICONS: '40',
  BENCH_STRIDE: '60',
  BENCH_SECONDS: '3',
};

/** It installs packages of hundreds of megabytes, and prepares every icon of them. */
const SLOW = ['--exclude', 'test/bench/icon-sets.test.ts'];

const args = process.argv.slice(2);
const isPublished = args.includes('--publish');
const scratch = mkdtempSync(join(tmpdir(), 'icon-catalog-bench-'));
const tables = join(scratch, 'tables.ndjson');
const environment = { ...(args.includes('--quick') && QUICK), ...process.env };
const rounds = isPublished ? Math.max(9, Number(process.env.BENCH_ROUNDS ?? 9)) : undefined;
const loadBefore = os.loadavg();
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url)),
    'run',
    '--config',
    '.config/vitest.bench.ts',
    ...args.filter((each) => each !== '--publish' && each !== '--quick'),
    ...(args.includes('--quick') ? SLOW : []),
  ],
  {
    stdio: 'inherit',
    env: { ...environment, BENCH_TABLES: tables, ...(rounds && { BENCH_ROUNDS: String(rounds) }) },
  },
);
if (isPublished && existsSync(tables)) publish();
rmSync(scratch, { recursive: true, force: true });
process.exitCode = status ?? 1;

function publish() {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(START);
  const [old, after] = rest?.split(END) ?? [];
  if (after === undefined)
    throw new Error(`${PAGE} lacks the two marks between which tables stand`);
  const found = readFileSync(tables, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isNew = (section) => found.some(({ title }) => section.startsWith(`${title}\n`));
  // Tables of benches that did not run now stay, below the machine that measured them.
  const kept = old
    .split(/^(?=## )/m)
    .slice(1)
    .flatMap((group) => {
      const [head, ...sections] = group.split(/^### /m).map((part) => part.trim());
      const staying = sections.filter((section) => !isNew(section));
      return staying.length > 0 ? [[head, ...staying].join('\n\n### ')] : [];
    });
  const text = [...kept, machine(), ...found.map(toMarkdown)].join('\n\n');
  writeFileSync(PAGE, `${before}${START}\n\n${text}\n\n${END}${after}`);
  spawnSync('npx', ['oxfmt', PAGE], { stdio: 'inherit' });
}

function machine() {
  const cpus = os.cpus();
  const versionOf = (name) =>
    JSON.parse(
      readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
    ).version;
  const gigabytes = (os.totalmem() / 2 ** 30).toFixed(0);
  const load = (loads) => loads.map((each) => each.toFixed(1)).join(', ');
  return [
    `## Measured on ${new Date().toISOString().slice(0, 16).replace('T', ' at ')} UTC`,
    '',
    `- Machine: ${cpus[0]?.model ?? 'unknown processor'}, ${cpus.length} cores, ${gigabytes} GB, ${os.type()} ${os.release()}`,
    `- Load of the machine (1, 5 and 15 minutes) before: ${load(loadBefore)}; after: ${load(os.loadavg())}`,
    `- Node.js ${process.versions.node}, ${VERSIONS.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `- Rounds: ${rounds}, in turn`,
  ].join('\n');
}

function toMarkdown({ title, head, rows, notes }) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  const below = notes.flatMap((note) => ['', note]);
  // A header without words has no meaning for a screen reader.
  const named = head.map((name) => name || 'What');
  return [`### ${title}`, '', line(named), line(rule), ...rows.map(line), ...below].join('\n');
}
