import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  createRasterQueue,
  type RasterProcess,
  type RasterQueue,
  type RasterQueueOptions,
  startRasterProcess,
} from '../../src/server/raster-process.ts';
import { endRasterizing } from '../../src/server/raster.ts';
import { createCatalogServer, embeddedIconId } from '../../src/server.ts';
import { createFolder } from './project.ts';
import { BUN } from '../support/bun.ts';

const RENDERER = createRequire(import.meta.url).resolve('@resvg/resvg-js');
const svg = (size: number, body = '<path d="M0 0h9v9z"/>'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="${size}" height="${size}">${body}</svg>`;
/** Keeps the renderer busy for longer than any test lasts. */
const ENDLESS = svg(
  200,
  '<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="999999999"/></filter><path filter="url(#f)" d="M0 0h9v9H0z"/>',
);

/** A renderer that writes down its process and, the first time, never answers. */
const SLOW_ONCE = `const { renderAsync } = require(${JSON.stringify(RENDERER)});
  const { existsSync, writeFileSync } = require('node:fs');
  exports.renderAsync = async (svg, options) => {
    if (existsSync(__dirname + '/pid')) return renderAsync(svg, options);
    writeFileSync(__dirname + '/pid', String(process.pid));
    return renderAsync(${JSON.stringify(ENDLESS)}, options);
  };`;

/** Waits until `SLOW_ONCE` is busy. */
function readPid(root: string): Promise<number> {
  return vi.waitFor(
    () => {
      const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    },
    { timeout: 20_000 },
  );
}

/** On a busy machine the start alone may exceed a short limit, which is meant for `ENDLESS`. */
function inNoHurry(renderer: string): RasterProcess {
  const child = startRasterProcess(renderer);
  return {
    ...child,
    draw: (text, timeout) => child.draw(text, text === ENDLESS ? timeout : 100_000),
  };
}

/** A renderer that writes a file with the number of each drawing once the answer is sent. */
const TRACED = `const { renderAsync } = require(${JSON.stringify(RENDERER)});
  const { writeFileSync } = require('node:fs');
  let count = 0;
  exports.renderAsync = async (...given) => {
    const drawn = await renderAsync(...given);
    count += 1;
    setTimeout(() => writeFileSync(__dirname + '/sent-' + count, ''), 20);
    return drawn;
  };`;

interface Tracked extends RasterQueue {
  /** Of every process that was started, in order. */
  started: RasterProcess[];
}

function createTracked(options: RasterQueueOptions = {}): Tracked {
  const started: RasterProcess[] = [];
  const queue = createRasterQueue({
    ...options,
    start(renderer) {
      const child = (options.start ?? startRasterProcess)(renderer);
      started.push(child);
      return child;
    },
  });
  onTestFinished(() => queue.end());
  return { ...queue, started };
}

/** False for processes that ended, also if their result was not asked for yet. */
function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const sideOf = (reply: unknown): unknown =>
  reply instanceof Uint8Array ? Buffer.from(reply).readUInt32BE(16) : reply;

test('one process draws them all, each answer for its question', async () => {
  const { draw, started } = createTracked();
  const sizes = Array.from({ length: 30 }, (_, at) => 20 + at);
  const replies = await Promise.all(sizes.map((size) => draw(svg(size))));
  expect(replies.map(sideOf)).toEqual(sizes);
  expect(started).toHaveLength(1);
});

test('what is no SVG is refused, and the process stays', async () => {
  const { draw, started } = createTracked();
  expect(await draw('<html/>')).toBe('refused');
  expect(await draw('')).toBe('refused');
  expect(sideOf(await draw(svg(20)))).toBe(20);
  expect(started).toHaveLength(1);
});

test('an endless drawing is stopped, its process goes, those that wait are drawn by another', async () => {
  const { draw, started } = createTracked({ timeout: 1500, start: inNoHurry });
  const replies = await Promise.all([draw(svg(20)), draw(ENDLESS), draw(svg(30)), draw(svg(40))]);
  expect(replies.map(sideOf)).toEqual([20, 'late', 30, 40]);
  expect(started).toHaveLength(2);
  await vi.waitFor(() => expect(isRunning(started[0]?.pid)).toBe(false));
});

test('a process that somebody killed between drawings is replaced', async () => {
  const { draw, started } = createTracked();
  await draw(svg(20));
  process.kill(started[0]?.pid ?? Number.NaN, 'SIGKILL');
  expect(sideOf(await draw(svg(30)))).toBe(30);
  expect(started.map(({ pid }) => isRunning(pid))).toEqual([false, true]);
});

test('a drawing in the middle of which the process is killed is drawn by another', async () => {
  const root = await createFolder({ 'renderer.cjs': SLOW_ONCE });
  const { draw, started } = createTracked({ find: () => join(root, 'renderer.cjs') });
  const drawing = draw(svg(30));
  const pid = await readPid(root);
  expect(pid).toBe(started[0]?.pid);
  process.kill(pid, 'SIGKILL');
  expect(sideOf(await drawing)).toBe(30);
  expect(started.map(({ pid: each }) => isRunning(each))).toEqual([false, true]);
});

test('an answer that came in time counts, however late this process reads it', async () => {
  const root = await createFolder({ 'renderer.cjs': TRACED });
  const child = startRasterProcess(join(root, 'renderer.cjs'));
  onTestFinished(() => child.kill());
  await child.draw(svg(20), 100_000);
  const limit = 300;
  const drawing = child.draw(svg(30), limit);
  const asked = performance.now();
  // This process is busy until the answer is there and the limit is over.
  const isOver = (): boolean =>
    existsSync(join(root, 'sent-2')) && performance.now() - asked > 2 * limit;
  for (let rounds = 0; rounds < 5000 && !isOver(); rounds += 1)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  expect(sideOf(await drawing)).toBe(30);
});

test('a drawing that ends two processes is given up', async () => {
  const gone: RasterProcess = {
    pid: undefined,
    isAlive: () => false,
    draw: () => Promise.resolve('died'),
    kill: () => Promise.resolve(),
  };
  const { draw, started } = createTracked({ start: () => gone });
  expect(await draw(svg(20))).toBe('died');
  expect(started).toHaveLength(2);
});

test('end: after what was asked for, the process is gone; the next drawing starts another', async () => {
  const { draw, end, started } = createTracked();
  const drawing = draw(svg(20));
  await end();
  expect(sideOf(await drawing)).toBe(20);
  expect(isRunning(started[0]?.pid)).toBe(false);
  expect(sideOf(await draw(svg(30)))).toBe(30);
  expect(started).toHaveLength(2);
});

test('a process without work ends by itself', async () => {
  const { draw, started } = createTracked({ idle: 0 });
  await draw(svg(20));
  await vi.waitFor(() => expect(isRunning(started[0]?.pid)).toBe(false));
});

test('an installation of the renderer counts at once', async () => {
  const root = await createFolder({ 'broken.cjs': 'throw new Error("no binary")' });
  const paths = [undefined, join(root, 'broken.cjs'), RENDERER];
  const { draw, started } = createTracked({ find: () => paths.shift() });
  expect(await draw(svg(20))).toBe('missing');
  expect(started).toHaveLength(0);
  expect(await draw(svg(20))).toBe('unloadable');
  expect(isRunning(started[0]?.pid)).toBe(false);
  expect(sideOf(await draw(svg(20)))).toBe(20);
});

test('the child sees none of the environment that it does not need', async () => {
  const root = await createFolder({
    'tell.cjs': `exports.renderAsync = async () => ({ asPng: () => Buffer.from(JSON.stringify([Object.keys(process.env), process.cwd()])) })`,
  });
  vi.stubEnv('ICON_CATALOG_SECRET', 'never to be seen');
  vi.stubEnv('NODE_OPTIONS', '--require=/nothing/there.cjs --input-type=module');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { draw } = createTracked({ find: () => join(root, 'tell.cjs') });
  const reply = await draw(svg(20));
  expect(reply).toBeInstanceOf(Uint8Array);
  const [names, folder] = JSON.parse(Buffer.from(reply as Uint8Array).toString()) as [
    string[],
    string,
  ];
  expect(names).toContain('PATH');
  expect(names.filter((name) => /ICON_CATALOG|NODE_OPTIONS|HOME|VITEST/.test(name))).toEqual([]);
  expect(folder).not.toBe(process.cwd());
});

test.runIf(process.platform === 'linux')("the server's close ends the process", async () => {
  // All catalogs of a process share it: one of an earlier file may still have it.
  await endRasterizing();
  const { url, close } = await createCatalogServer({ sets: ['maki'] }).listen();
  const children = (): string[] =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ');
  const before = children();
  const id = embeddedIconId('maki', 'aerialway');
  expect((await fetch(`${url}/asset/thumbnail/${id}-42.png`)).status).toBe(200);
  // Processes of other tests in this process may end meanwhile.
  const started = children().filter((child) => !before.includes(child));
  expect(started).not.toEqual([]);
  await close();
  expect(children().filter((child) => started.includes(child))).toEqual([]);
});

/** The process that draws as a bundle, run by hosts of their own: what is in `dist` behaves so. */
let bundle = '';
beforeAll(async () => {
  const { output } = await build({
    input: fileURLToPath(new URL('../../src/server/raster-process.ts', import.meta.url)),
    platform: 'node',
    write: false,
  });
  bundle = output[0].code;
});

const HOSTS: [string, string, string[]][] = [
  ['Node.js', process.execPath, []],
  [
    'Node.js with options',
    process.execPath,
    ['--conditions=odd', '--import=data:text/javascript,'],
  ],
  ['Bun', BUN, []],
];

interface Host {
  output: () => string;
  code: Promise<number | null>;
  kill(): void;
}

async function runHost([command, options, body]: [string, string[], string]): Promise<Host> {
  const root = await createFolder({
    'queue.mjs': bundle,
    'host.mjs': `import { createRasterQueue } from './queue.mjs';
      const find = () => ${JSON.stringify(RENDERER)};
      const queue = createRasterQueue({ find });
      const svg = ${JSON.stringify(svg(33))};
      ${body}`,
  });
  const host = spawn(command, [...options, join(root, 'host.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  let text = '';
  host.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  return {
    output: () => text,
    code: new Promise((resolve) => host.once('close', resolve)),
    kill: () => void host.kill('SIGKILL'),
  };
}

test.each(HOSTS)(
  '%s: draws, and ends by itself although the process is there',
  async (_, command, options) => {
    const { output, code } = await runHost([
      command,
      options,
      `const png = await queue.draw(svg);
    console.log(Buffer.from(png).readUInt32BE(16));`,
    ]);
    expect(await code).toBe(0);
    expect(output().trim()).toBe('33');
  },
);

test.each(HOSTS)(
  '%s: waits for the end of the process and no longer',
  async (_, command, options) => {
    const { output, code } = await runHost([
      command,
      options,
      `await queue.draw(svg); await queue.end(); console.log('ended');`,
    ]);
    expect(await code).toBe(0);
    expect(output().trim()).toBe('ended');
  },
);

test.each(HOSTS)(
  '%s: killed in the middle of an endless drawing, leaves no process',
  async (_, command, options) => {
    const root = await createFolder({ 'renderer.cjs': SLOW_ONCE });
    const host = await runHost([
      command,
      options,
      `const own = createRasterQueue({ find: () => ${JSON.stringify(join(root, 'renderer.cjs'))} });
      await own.draw(svg);`,
    ]);
    const pid = await readPid(root);
    expect(isRunning(pid)).toBe(true);
    host.kill();
    await host.code;
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
  },
);
