import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const SECONDS = 20;
const CONNECTIONS = 16;
const MEBIBYTE = 1024 * 1024;
const script = fileURLToPath(new URL('serve-load.mjs', import.meta.url));
const env = { PATH: process.env['PATH'], BENCH_KEY: 'bench-key', BENCH_SECRET: 'bench-secret' };

interface Measured {
  times: [kind: string, milliseconds: number[]][];
  errors: [status: number | string, count: number][];
}

function start(...args: string[]): ChildProcess {
  const child = fork(script, args, { env, serialization: 'advanced' });
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function report({ times, errors }: Measured, rss: readonly number[]): string {
  const all = times.flatMap(([, values]) => values).toSorted((a, b) => a - b);
  const lines = times.map(([kind, values]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return `  ${kind.padEnd(12)} ${String(sorted.length).padStart(6)} calls  p50 ${quantile(sorted, 0.5)}  p99 ${quantile(sorted, 0.99)}`;
  });
  const memory = rss.filter((_, at) => at % 4 === 0).map((bytes) => Math.round(bytes / MEBIBYTE));
  return [
    `embedded catalog, ${CONNECTIONS} connections for ${SECONDS} s: ${all.length} calls, ${Math.round(all.length / SECONDS)} a second`,
    `  errors ${JSON.stringify(errors)}, p50 ${quantile(all, 0.5)}, p99 ${quantile(all, 0.99)}`,
    ...lines,
    `  RSS in MiB, every 2 s: ${memory.join(' ')}`,
    '',
  ].join('\n');
}

test('the embedded catalog answers 16 connections for 20 s without an error and without growing', async () => {
  const server = start('serve');
  const { url } = await messageOf<{ url: string }>(server);
  const rss: number[] = [];
  server.on('message', (message: { rss: number }) => rss.push(message.rss));
  const measured = await messageOf<Measured>(
    start('load', url, String(SECONDS), String(CONNECTIONS)),
  );
  process.stdout.write(report(measured, rss));

  expect(measured.errors).toEqual([]);
  // The first half warms caches and compiles; from then on nothing may pile up.
  const half = Math.floor(rss.length / 2);
  const quarter = Math.floor(rss.length / 4);
  expect(mean(rss.slice(-quarter))).toBeLessThan(mean(rss.slice(half, half + quarter)) * 1.15);
});
