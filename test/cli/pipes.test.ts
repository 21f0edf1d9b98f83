import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CLI, FOLDER } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const run = promisify(execFile);
const { env } = catalogOnPort({ sets: ['tabler'] });

it('ends quietly where the reader has seen enough', async () => {
  // Some 3 MB: far more than a pipe holds, so that the write really meets a closed pipe.
  const script = `"${process.execPath}" "${CLI}" search --limit 1000 --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script], {
    cwd: FOLDER,
    env: { PATH: process.env['PATH'], ...env() },
  });
  expect(stdout).toBe('[\n0\n');
  expect(stderr).not.toMatch(/EPIPE|error/i);
});

it('writes all of a long document into a pipe', async () => {
  const script = `"${process.execPath}" "${CLI}" search --limit 1000 --json | { read -r first; cat; }`;
  const { stdout } = await run('bash', ['--norc', '-c', script], {
    cwd: FOLDER,
    env: { PATH: process.env['PATH'], ...env() },
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(JSON.parse(`[${stdout}`)).toHaveLength(1000);
});
