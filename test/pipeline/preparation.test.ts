import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const IDS = [...iconIds('tabler', 450), ...iconIds('game-icons', 30)];
const DRAWINGS = {
  'drawings/active.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><script>alert(1)</script><path d="M2 2h20v20z"/></svg>',
  'drawings/broken.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2h20"></svg>',
};
const SPECIFIERS = [
  ...IDS.map((id) => `icon:${id}`),
  // Last, so that a worker is there by then.
  'icon:drawings/active',
  'icon:drawings/broken',
];

const SCRIPT = `
import { createHash } from 'node:crypto';
import { createIcons } from '${new URL('../../dist/index.js', import.meta.url)}';
const { root, options, specifiers } = JSON.parse(process.env.JOB);
if (process.env.CONFIGURED) options.svg = { optimize: { plugins: ['preset-default'] } };
const lines = [];
const log = { info() {}, warn: (line) => lines.push(line), error: (line) => lines.push(line) };
const icons = createIcons(options, { root, env: {}, log });
await icons.sync(specifiers.slice(0, 360));
// A worker takes its time on a busy machine, and keeps no process alive meanwhile.
const alive = setInterval(() => {}, 1000);
await globalThis.ready;
clearInterval(alive);
const { loaded, failed } = await icons.sync(specifiers);
const hash = createHash('sha256');
for (const each of loaded.sort()) hash.update((await icons.load(each)).code);
await icons.close();
const errors = failed.map(({ error }) => error.message);
const { asked, started } = globalThis;
console.log(JSON.stringify({ asked, started, digest: hash.digest('hex'), failed: errors, lines }));`;

async function optionsOf(svg: Options['svg'] = {}): Promise<{ root: string; options: Options }> {
  const root = await writeProject({ ...DRAWINGS, 'load.mjs': SCRIPT });
  const embedded = {
    root: REPOSITORY,
    sets: ['tabler', 'game-icons'],
    folders: [join(root, 'drawings')],
  };
  return { root, options: { catalog: { embedded }, cacheDir: join(root, 'cache'), svg } };
}

interface Result {
  /** How many files a worker got. */
  asked: number;
  /** How many workers there were. */
  started: number;
  digest: string;
  failed: string[];
  lines: string[];
}

/** Counts what workers are asked; `starts` is done before one starts, and `spoils` is done with one that has been asked twenty times. */
const watching = (starts: string, spoils: string): string => `
import { createRequire, syncBuiltinESMExports } from 'node:module';
const threads = createRequire(process.cwd() + '/')('node:worker_threads');
globalThis.asked = 0;
globalThis.started = 0;
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    ${starts}
    super(...given);
    globalThis.started += 1;
    globalThis.ready = new Promise((resolve) => this.once('message', resolve));
  }
  postMessage(...given) {
    globalThis.asked += 1;
    super.postMessage(...given);
    if (globalThis.asked === 20) { ${spoils} }
  }
};
syncBuiltinESMExports();`;

/** As users have it: the source tree has no file that a worker could be started from. */
async function loadBuilt({
  starts = '',
  spoils = '',
  env = {},
}: { starts?: string; spoils?: string; env?: Record<string, string> } = {}): Promise<Result> {
  const { root, options } = await optionsOf();
  const job = JSON.stringify({ root, options, specifiers: SPECIFIERS });
  const watcher = `data:text/javascript,${encodeURIComponent(watching(starts, spoils))}`;
  const { stdout } = await run(process.execPath, ['--import', watcher, join(root, 'load.mjs')], {
    env: { ...process.env, ...env, JOB: job },
  });
  return JSON.parse(stdout) as Result;
}

async function loadHere(): Promise<Omit<Result, 'asked' | 'started'>> {
  const { root, options } = await optionsOf();
  const { lines, ...log } = recordingLog();
  const icons = createIcons(options, { root, env: {}, log });
  const { loaded, failed } = await icons.sync(SPECIFIERS);
  const hash = createHash('sha256');
  for (const each of loaded.toSorted()) hash.update((await icons.load(each)).code);
  await icons.close();
  return { digest: hash.digest('hex'), failed: failed.map(({ error }) => error.message), lines };
}

it('makes the same of hundreds of files with a worker as without, and reports the same', async () => {
  const here = await loadHere();
  expect(here.failed).toHaveLength(1);
  expect(here.failed[0]).toContain('it ends before its last element is closed');
  expect(here.lines).toHaveLength(1);
  expect(here.lines[0]).toContain('removed 1 <script>');

  const { asked, started, ...built } = await loadBuilt();
  expect(started).toBe(1);
  expect(asked).toBeGreaterThan(50);
  expect(built).toEqual({ ...here, lines: here.lines.map((line) => line.replace('warn ', '')) });

  // What a worker had to do when it ended is done without it.
  for (const spoils of ['this.terminate();', "this.emit('error', new Error('no memory'));"]) {
    const spoiled = await loadBuilt({ spoils });
    expect(spoiled.asked).toBeGreaterThanOrEqual(20);
    expect(spoiled).toMatchObject({ started: 1, digest: here.digest, failed: here.failed });
  }
  // Functions of a configuration of svgo stay in their thread.
  expect((await loadBuilt({ env: { CONFIGURED: '1' } })).asked).toBe(0);
  // As under `node --permission`.
  const starts = "throw new Error('ERR_ACCESS_DENIED');";
  expect(await loadBuilt({ starts })).toMatchObject({ asked: 0, digest: here.digest });
});
