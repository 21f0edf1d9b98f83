import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redis } from '../../support/redis-server.ts';
import { startS3Server } from '../../support/s3-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { buildProcess } from '../support.ts';
import { files, give, machine, take } from './support.ts';

/** Exit code of a process that puts and gets and never closes the cache; `null` where it had to be killed. */
async function exitCode(address: string): Promise<number | null> {
  const folder = await temporaryFolder();
  const file = `${folder}/machine.cjs`;
  await buildProcess(
    file,
    `import { createSharedCache } from './shared-cache/create-shared-cache.ts';
    import { parseAddress } from './shared-cache/parse-address.ts';
    import { sri512 } from './hash.ts';
    const log = { info() {}, warn: (message) => console.log(message), error() {} };
    const address = parseAddress(${JSON.stringify(address)}, { root: '/', env: process.env });
    const cache = createSharedCache({ address, project: 'shop', log, timeout: 200 });
    const bytes = Buffer.from('<svg/>');
    async function run() {
      await cache.put(sri512(bytes), bytes);
      await cache.flush();
      await cache.get(sri512(bytes));
      process.exitCode = 7;
    }
    void run();`,
  );
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 20_000,
    env: { ...process.env, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('a process that never closes its shared cache', () => {
  it('ends by itself with a Redis server', async () => {
    const server = await redis.start();
    onTestFinished(() => server.close());
    expect(await exitCode(`redis://127.0.0.1:${server.port}`)).toBe(7);
  });

  it('ends by itself with a bucket', async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    expect(await exitCode(`s3://icons?endpoint=${server.url}`)).toBe(7);
  });

  it.each(['redis://', 's3://icons?endpoint=http://'])(
    'ends by itself with a server that answers nothing: %s',
    async (start) => {
      const silent = createServer();
      silent.removeAllListeners('request');
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      onTestFinished(() => {
        silent.close();
        silent.closeAllConnections();
      });
      const proxy = await startTcpProxy((silent.address() as { port: number }).port);
      onTestFinished(() => proxy.close());
      proxy.mode = 'stalled';
      expect(await exitCode(`${start}127.0.0.1:${proxy.port}`)).toBe(7);
    },
  );
});

describe('calls to a bucket', () => {
  it('are signed as AWS Signature Version 4 says, session token and payload included', async () => {
    const seen: { method: string; path: string; authorization: string; expected: string }[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat((await request.toArray()) as Buffer[]);
        const { method = '', url = '', headers } = request;
        const { authorization = '' } = headers;
        seen.push({ method, path: url, authorization, expected: signatureOf(request, body) });
        response.writeHead(method === 'GET' ? 404 : 200).end();
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const cache = machine(
      `s3://icons/our team?endpoint=http://127.0.0.1:${port}&region=eu-west-3`,
      {
        env: {
          AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
          AWS_SECRET_ACCESS_KEY: SECRET,
          AWS_SESSION_TOKEN: 'token',
        },
      },
    );
    await take(cache, files(1));
    await give(cache, files(1));
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'PUT']);
    for (const { authorization, expected, path } of seen) {
      expect(path).toMatch(/^\/icons\/our%20team\/icon-catalog\/1\/(icon|bundle)\/[0-9a-f]+$/);
      expect(authorization).toContain('/eu-west-3/s3/aws4_request');
      expect(authorization).toContain('x-amz-security-token');
      expect(authorization.split('Signature=')[1]).toBe(expected);
    }
  });

  it('are not signed where there are no keys', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    await take(machine(`s3://icons?endpoint=http://127.0.0.1:${port}`), files(1));
    expect(seen).toEqual([undefined]);
  });
});

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

/** Written after the specification alone: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function signatureOf({ method, url = '', headers }: IncomingMessage, body: Buffer): string {
  const { authorization = '' } = headers;
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string): Buffer =>
    createHmac('sha256', key).update(data).digest();
  const canonicalHeaders = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', canonicalHeaders.join(''), names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
  return hmac(key, text).toString('hex');
}
