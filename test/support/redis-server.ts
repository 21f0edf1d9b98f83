import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startRespServer, type RespServerOptions } from './resp-server.ts';

export interface RedisServer {
  port: number;
  close(): Promise<void>;
}

export interface RedisKind {
  /** For the names of tests, so that a run says which server it ran on. */
  name: string;
  start(options?: RespServerOptions): Promise<RedisServer>;
}

const INSTALLED = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
const VERSION = /\bv=([\d.]+)/.exec(INSTALLED.stdout ?? '')?.[1];

/** The distribution's Redis where it is installed, and always our own server of its protocol. */
export const redisKinds: RedisKind[] = [
  ...(VERSION === undefined ? [] : [{ name: `Redis ${VERSION}`, start: startRedis }]),
  { name: "this repository's RESP server", start: startRespServer },
];

/** The best there is on this machine. */
export const redis: RedisKind = redisKinds[0] as RedisKind;

/** A real server on a free loopback port, without persistence. */
async function startRedis({
  requirepass,
  maxmemory,
}: RespServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'icon-catalog-redis-'));
  // Somebody else may take the port that was free a moment ago.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = spawn(
      'redis-server',
      [
        `--port ${port} --bind 127.0.0.1 --appendonly no --save`.split(' '),
        ['', '--dir', folder],
        requirepass === undefined ? [] : ['--requirepass', requirepass],
        maxmemory === undefined
          ? []
          : ['--maxmemory', String(maxmemory), '--maxmemory-policy', 'noeviction'],
      ].flat(),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    let isReady = false;
    for await (const line of createInterface(child.stdout)) {
      isReady = line.includes('Ready to accept connections');
      if (isReady) break;
    }
    child.stdout.resume();
    if (isReady) {
      return {
        port,
        async close() {
          child.kill('SIGKILL');
          await exited;
          await rm(folder, { recursive: true, force: true });
        },
      };
    }
    await exited;
    if (attempt === 5) throw new Error('redis-server does not start.');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
