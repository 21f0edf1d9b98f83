// The floor of a cold run: the same calls with the same signer and the same sockets, and all answers in one file. Nothing is
// checked, drawn, locked or credited. Arguments: file with JSON of { root, options, ids }. Result: { milliseconds, cpu }.
import { Buffer } from 'node:buffer';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner } from '../../../src/catalog/signer.ts';
import { createHttpWire } from '../../../src/catalog/wire.ts';

interface Job {
  root: string;
  options: { catalog: { baseUrl: string; key: string; secret: string }; concurrency: number };
  ids: number[];
}

const NEVER = new AbortController().signal;

async function run({ root, options: { catalog, concurrency }, ids }: Job): Promise<void> {
  const signer = createSigner({ ...catalog, now: Date.now });
  const wire = createHttpWire({ concurrency, env: {} });
  const file = openSync(join(root, 'floor'), 'w');
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const url = new URL(catalog.baseUrl + path);
    const { authorization } = signer.sign('GET', url);
    const headers = { accept: 'application/json', authorization };
    const { body } = await wire.send({
      method: 'GET',
      url,
      headers,
      body: undefined,
      signal: NEVER,
    });
    return JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
  };
  const waiting = ids.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const id of waiting) {
        const record = await ask(`/v2/icon/${id}`);
        const answer = await ask(`/v2/icon/${id}/download?filetype=svg&color=ff0000`);
        writeSync(file, `${JSON.stringify(record)}\n`);
        writeSync(file, Buffer.from(String(answer['base64_encoded_file']), 'base64'));
      }
    }),
  );
  closeSync(file);
  await wire.close();
}

const startedAt = performance.now();
void run(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Job).then(() => {
  const milliseconds = performance.now() - startedAt;
  const { user, system } = process.cpuUsage();
  process.stdout.write(JSON.stringify({ milliseconds, cpu: (user + system) / 1000 }));
});
