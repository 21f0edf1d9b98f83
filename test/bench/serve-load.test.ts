import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const CONNECTIONS = 16;
const MEBIBYTE = 1024 * 1024;
const script = fileURLToPath(new URL('serve-load.mjs', import.meta.url));
const bin = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const key = 'bench-key';
const secret = 'bench-secret';
const env = {
  PATH: process.env['PATH'],
  BENCH_KEY: key,
  BENCH_SECRET: secret,
  ICON_CATALOG_KEY: key,
  ICON_CATALOG_SECRET: secret,
};

/** Bytes. */
interface Memory {
  rss: number[];
  /** The heap after a collection. */
  held: number[];
}

interface Measured {
  times: [kind: string, milliseconds: number[]][];
  errors: [status: number | string, count: number][];
}

function start(path: string, args: string[], execArgv: string[] = []): ChildProcess {
  const child = fork(path, args, {
    env,
    serialization: 'advanced',
    execArgv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill();
  });
  return child;
}

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${String(code)} before it answered.`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message];
  return message;
}

function quantile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return `${(value ?? Number.NaN).toFixed(1)} ms`;
}

function report({ times, errors }: Measured, { rss, held }: Memory): string {
  const all = times.flatMap(([, values]) => values).toSorted((a, b) => a - b);
  const lines = times.map(([kind, values]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return `  ${kind.padEnd(12)} ${String(sorted.length).padStart(6)} calls  p50 ${quantile(sorted, 0.5)}  p99 ${quantile(sorted, 0.99)}`;
  });
  const inMebibytes = (values: readonly number[]): string =>
    values.map((bytes) => Math.round(bytes / MEBIBYTE)).join(' ');
  return [
    `embedded catalog, ${CONNECTIONS} connections for ${SECONDS} s: ${all.length} calls, ${Math.round(all.length / SECONDS)} a second`,
    `  errors ${JSON.stringify(errors)}, p50 ${quantile(all, 0.5)}, p99 ${quantile(all, 0.99)}`,
    ...lines,
    `  RSS in MiB, every 2 s: ${inMebibytes(rss.filter((_, at) => at % 4 === 0))}`,
    `  heap in MiB after a collection, every ${SECONDS / 4} s: ${inMebibytes(held)}`,
    '',
  ].join('\n');
}

test('`icon-catalog serve` answers 16 connections for 20 s without an error and without growing', async () => {
  const preload = pathToFileURL(script).href;
  const server = start(
    bin,
    ['serve', '--json', '--monthly-limit', '100000000'],
    ['--expose-gc', '--import', preload],
  );
  const [line] = (await once(server.stdout as Readable, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const memory: Memory = { rss: [], held: [] };
  server.on('message', ({ rss, held }: { rss?: number; held?: number }) => {
    if (rss !== undefined) memory.rss.push(rss);
    if (held !== undefined) memory.held.push(held);
  });
  const load = start(script, ['load', url, String(SECONDS), String(CONNECTIONS)]);
  const collecting = setInterval(() => server.send('collect'), (SECONDS / 4) * 1000);
  const measured = await messageOf<Measured>(load).finally(() => clearInterval(collecting));
  process.stdout.write(report(measured, memory));

  expect(measured.errors).toEqual([]);
  // RSS is what the collector leaves for later; what is held must not pile up once caches are warm and searches indexed.
  const [, half = Number.NaN] = memory.held;
  expect(memory.held.length).toBeGreaterThanOrEqual(3);
  expect(memory.held.at(-1)).toBeLessThan(half * 1.15);
});
