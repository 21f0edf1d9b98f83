import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { parse } from 'node:path';
import pLimit from 'p-limit';

/** A PNG file, or the reason why there is none. */
export type RasterReply = Uint8Array | RasterFailure;
export type RasterFailure =
  /** The markup is not a drawable SVG. */
  | 'refused'
  /** The renderer's module could not be loaded. */
  | 'unloadable'
  /** The time ran out and the process was killed. */
  | 'late'
  /** The process ended before it answered. */
  | 'died'
  /** There is no process. */
  | 'unstarted';

export interface RasterProcess {
  readonly pid: number | undefined;
  isAlive(): boolean;
  /** Draws one picture at a time. Never rejects; `timeout` is in milliseconds. */
  draw(svg: string, timeout: number): Promise<RasterReply>;
  /** Resolves when the process has ended. */
  kill(): Promise<void>;
}

/**
 * The variables that the runtime itself may need. The child gets no others, credentials among them.
 */
const INHERITED = ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * Starts a process that draws with the module at `renderer`, a path. It never keeps this process
 * alive, and ends when this process ends, even by a crash.
 */
export function startRasterProcess(renderer: string): RasterProcess {
  const child = spawn(process.execPath, ['-e', RASTER_SCRIPT], {
    // The project's folder is avoided: runtimes read configuration and `.env` files where they are
    // started.
    cwd: parse(process.execPath).root,
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  let alive = child.pid !== undefined;
  let exited = !alive;
  let settle: ((reply: RasterReply) => void) | undefined;

  const gone = new Promise<void>((resolve) => {
    const leave = (): void => {
      alive = false;
      exited = true;
      resolve();
    };
    child.once('exit', leave);
    // A failed kill also emits this error; in that case the process still exists.
    child.on('error', () => {
      if (child.pid === undefined) leave();
    });
  });
  // This waits for `close`, which follows `exit`: the last answer may still be in the channel.
  child.once('close', () => settle?.(child.pid === undefined ? 'unstarted' : 'died'));
  child.on('message', (reply: RasterReply) =>
    settle?.(typeof reply === 'string' ? reply : new Uint8Array(reply)),
  );
  child.unref();
  child.channel?.unref?.();

  return {
    pid: child.pid,
    isAlive: () => alive,
    draw(svg, timeout) {
      return new Promise((resolve) => {
        const answer = (reply: RasterReply): void => {
          clearTimeout(timer);
          settle = undefined;
          resolve(reply);
        };
        // This timer keeps the process alive while it waits; the child does not.
        const timer = setTimeout(() => {
          // If this process itself was busy for so long, the answer may have arrived without having
          // been read.
          setImmediate(() => {
            if (settle !== answer) return;
            alive = false;
            child.kill('SIGKILL');
            answer('late');
          });
        }, timeout);
        settle = answer;
        // A closed channel needs no handler of its own: the process ends then, and that is reported.
        if (alive) child.send([renderer, svg], () => undefined);
        else answer(child.pid === undefined ? 'unstarted' : 'died');
      });
    },
    async kill() {
      alive = false;
      if (!exited) child.ref();
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // If the host is an application with a runtime inside, these variables make it behave as the
  // runtime.
  const own: NodeJS.ProcessEnv = { ELECTRON_RUN_AS_NODE: '1', BUN_BE_BUN: '1' };
  // Plug'n'Play reads packages through a hook; other options (debuggers, loaders) are not for this process.
  const names = process.versions['pnp'] === undefined ? INHERITED : [...INHERITED, 'NODE_OPTIONS'];
  for (const name of names) if (env[name] !== undefined) own[name] = env[name];
  return own;
}

/**
 * The program of the child that draws: it takes the path of the renderer with a drawing, and sends a
 * PNG file, or why there is none. It is text, handed over with `-e`, because bundled code has no
 * file of its own to start; it asks for nothing but built-in modules, so that Node.js (CommonJS or
 * not) and Bun run it as it stands.
 * Drawing happens on a thread of the pool: the main thread stays responsive and ends the process as
 * soon as the channel to the parent closes, even if the renderer is busy. An ordinary exit would
 * wait for that thread.
 */
const RASTER_SCRIPT: string = `
const { createRequire } = process.getBuiltinModule('node:module');

async function draw([renderer, svg]) {
  let renderAsync;
  try {
    ({ renderAsync } = createRequire(renderer)(renderer));
  } catch {
    return 'unloadable';
  }
  try {
    return (await renderAsync(svg, { font: { loadSystemFonts: false }, logLevel: 'off' })).asPng();
  } catch {
    return 'refused';
  }
}

process.on('message', (asked) => draw(asked).then((reply) => process.send(reply)));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
`;

export interface RasterQueue {
  /** Never rejects. `missing`: the renderer is not installed. */
  draw(svg: string): Promise<RasterReply | 'missing'>;
  /** Ends the process when the requested pictures are drawn; the next drawing starts another. */
  end(): Promise<void>;
}

export interface RasterQueueOptions {
  /**
   * The time limit of one drawing in milliseconds, the start of the process included. @default
   * 10000
   */
  timeout?: number;
  /** Milliseconds after which a process without work is ended. @default 60000 */
  idle?: number;
  start?: (renderer: string) => RasterProcess;
  /** The path of the renderer's module; undefined if it is not installed. */
  find?: () => string | undefined;
}

/**
 * Draws one picture after the other in a process that is started when it is needed and replaced if
 * it died.
 */
export function createRasterQueue({
  timeout = 10_000,
  idle = 60_000,
  start = startRasterProcess,
  find = findRenderer,
}: RasterQueueOptions = {}): RasterQueue {
  const inTurn = pLimit(1);
  let current: RasterProcess | undefined;
  let rest: NodeJS.Timeout | undefined;

  async function drawNow(svg: string): Promise<RasterReply | 'missing'> {
    const path = find();
    if (path === undefined) return 'missing';
    const drawer = current?.isAlive() ? current : start(path);
    current = drawer;
    const reply = await drawer.draw(svg, timeout);
    // A repaired installation is used at once.
    if (reply === 'unloadable') await endNow();
    return reply;
  }

  async function endNow(): Promise<void> {
    const ended = current;
    current = undefined;
    await ended?.kill();
  }

  function endWhenIdle(): void {
    clearTimeout(rest);
    rest = setTimeout(() => void inTurn(endNow), idle);
    rest.unref();
  }

  return {
    draw: (svg) =>
      inTurn(async () => {
        clearTimeout(rest);
        const reply = await drawNow(svg);
        // The process may have died before this drawing was sent, for another reason.
        const answer = reply === 'died' ? await drawNow(svg) : reply;
        endWhenIdle();
        return answer;
      }),
    async end() {
      clearTimeout(rest);
      await inTurn(endNow);
    },
  };
}

function findRenderer(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@resvg/resvg-js');
  } catch {
    return undefined;
  }
}
