import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { freePort } from './dev-server.ts';

export interface RedisServer {
  port: number;
  close(): Promise<void>;
}

export interface RedisSettings {
  requirepass?: string;
  /** Bytes; a SET beyond them is refused. */
  maxmemory?: number;
}

export interface RedisKind {
  /** For the names of tests, so that a run says which server it ran on. */
  name: string;
  start(settings?: RedisSettings): Promise<RedisServer>;
}

const INSTALLED = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
const VERSION = /\bv=([\d.]+)/.exec(INSTALLED.stdout ?? '')?.[1];
const VALKEY = fileURLToPath(new URL('valkey.mjs', import.meta.url));

/** The distribution's Redis where it is installed, and always Valkey from npm. */
export const redisKinds: RedisKind[] = [
  ...(VERSION === undefined
    ? []
    : [
        {
          name: `Redis ${VERSION}`,
          start: starter('redis-server', redisArguments, 'Ready to accept connections'),
        },
      ]),
  {
    name: 'Valkey',
    start: starter(process.execPath, (port) => ['--no-warnings', VALKEY, `${port}`], 'LISTENING'),
  },
];

/** The best there is on this machine. */
export const redis: RedisKind = redisKinds[0] as RedisKind;

function redisArguments(port: number): string[] {
  const options = `--port ${port} --bind 127.0.0.1 --appendonly no --dir`;
  return [...options.split(' '), tmpdir(), '--save', ''];
}

/**
 * Starts real servers on free loopback ports, without persistence.
 * @param ready part of the line that reports it
 */
function starter(command: string, toArguments: (port: number) => string[], ready: string) {
  return async (settings: RedisSettings = {}): Promise<RedisServer> => {
    // Somebody else may take the port that was free a moment ago.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const port = await freePort();
      const child = spawn(command, toArguments(port), { stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      const close = async (): Promise<void> => {
        child.kill('SIGKILL');
        await exited;
      };
      if (await isReady(child, ready)) {
        await configure(port, settings);
        return { port, close };
      }
      await close();
    }
    throw new Error(`${command} does not start.`);
  };
}

async function isReady(child: ChildProcess, ready: string): Promise<boolean> {
  if (child.stdout === null) return false;
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes(ready)) continue;
    // What is not read any more must not fill the pipe.
    child.stdout.resume();
    return true;
  }
  return false;
}

async function configure(port: number, { requirepass, maxmemory }: RedisSettings): Promise<void> {
  if (requirepass === undefined && maxmemory === undefined) return;
  const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true });
  await client.connect();
  if (maxmemory !== undefined) {
    await client.config('SET', 'maxmemory-policy', 'noeviction', 'maxmemory', maxmemory);
  }
  if (requirepass !== undefined) await client.config('SET', 'requirepass', requirepass);
  client.disconnect();
}
