import { spawn } from 'node:child_process';
import { parse } from 'node:path';
import { createFrameReader, toFrame } from './raster-frames.ts';
import { DRAWN, RASTER_SCRIPT, UNLOADABLE } from './raster-script.ts';

/** A PNG file, or why there is none. */
export type RasterReply = Uint8Array | RasterFailure;
export type RasterFailure =
  /** The markup is no drawable SVG. */
  | 'refused'
  /** The renderer's module could not be loaded. */
  | 'unloadable'
  /** Time ran out; the process was killed. */
  | 'late'
  /** The process ended before it answered. */
  | 'died'
  /** There is no process. */
  | 'unstarted';

export interface RasterProcess {
  readonly pid: number | undefined;
  isAlive(): boolean;
  /** One drawing at a time. Never rejects; `timeout` in milliseconds. */
  draw(svg: string, timeout: number): Promise<RasterReply>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** What the runtime itself may need. Nothing else of the environment, credentials among it, is any of the child's business. */
const INHERITED = ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * Starts a process that draws with the module at `renderer`, a path. It never keeps this process alive, and ends with it
 * however that ends.
 */
export function startRasterProcess(renderer: string): RasterProcess {
  const child = spawn(process.execPath, ['-e', RASTER_SCRIPT], {
    // Not the project's folder: runtimes read configuration and `.env` files where they are started.
    cwd: parse(process.execPath).root,
    env: childEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'ignore'],
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
    // Also what a failed kill is told with; the process is there all the same then.
    child.on('error', () => {
      if (child.pid === undefined) leave();
    });
  });
  // After `exit`: the last answer may still be in the pipe.
  child.once('close', () => settle?.(child.pid === undefined ? 'unstarted' : 'died'));
  child.stdout.on(
    'data',
    createFrameReader((message) => settle?.(readReply(message))),
  );
  child.stdin.on('error', ignore);
  child.stdout.on('error', ignore);
  for (const handle of [child, child.stdin, child.stdout] as { unref?: () => void }[])
    handle.unref?.();
  child.stdin.write(toFrame(renderer));

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
        // This timer keeps the process alive while it waits; nothing of the child does.
        const timer = setTimeout(() => {
          // Where this process itself was busy for so long, the answer may be there, not read yet.
          setImmediate(() => {
            if (settle !== answer) return;
            alive = false;
            child.kill('SIGKILL');
            answer('late');
          });
        }, timeout);
        settle = answer;
        if (alive) child.stdin.write(toFrame(svg));
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

/** The rest of a pipe that broke is told by the end of the process. */
function ignore(): void {}

function readReply(message: Uint8Array): RasterReply {
  if (message[0] === DRAWN) return new Uint8Array(message.subarray(1));
  return message[0] === UNLOADABLE ? 'unloadable' : 'refused';
}

function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Where the host is an application with a runtime inside, these make the runtime of it.
  const own: NodeJS.ProcessEnv = { ELECTRON_RUN_AS_NODE: '1', BUN_BE_BUN: '1' };
  // Plug'n'Play reads packages through a hook; other options (debuggers, loaders) are not for this process.
  const names = process.versions['pnp'] === undefined ? INHERITED : [...INHERITED, 'NODE_OPTIONS'];
  for (const name of names) if (env[name] !== undefined) own[name] = env[name];
  return own;
}
