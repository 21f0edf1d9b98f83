import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { bundleBuild } from './support/bundle-build.ts';

const PROCESSES = 8;
const IDS = iconIds('tabler', 30);

let catalog: CountingCatalog;
let script: string;
beforeAll(async () => {
  [catalog, script] = await Promise.all([startCountingCatalog({ latency: 20 }), bundleBuild()]);
});
afterAll(() => catalog.close());

/** Waits until all others are there too. */
const BUILD = `
  import { rollup } from ${JSON.stringify(pathToFileURL(resolve('node_modules/rollup/dist/es/rollup.js')).href)};
  const { default: iconCatalog } = await import(${JSON.stringify(pathToFileURL(resolve('dist/rollup.js')).href)});
  process.stdout.write('ready');
  await new Promise((go) => process.stdin.once('data', go));
  process.stdin.destroy();
  const bundle = await rollup({ input: 'main.js', plugins: [iconCatalog({ cacheDir: 'cache' })] });
  await bundle.write({ dir: process.env.OUT, format: 'es' });
  await bundle.close();
`;

it('eight processes that build one project at once fetch each icon once, and agree', async () => {
  const imports = IDS.map(
    (id, at) => `export { default as i${at}, credit as c${at} } from 'icon:${id}?color=0a0';`,
  );
  const root = await writeProject({ 'main.js': imports.join('\n'), 'build.mjs': BUILD });
  const { PATH = '' } = process.env;
  const children = Array.from({ length: PROCESSES }, (_, number) =>
    spawn(process.execPath, ['build.mjs'], {
      cwd: root,
      env: {
        PATH,
        HOME: root,
        OUT: `out/${number}`,
        ICON_CATALOG_URL: catalog.url,
        ICON_CATALOG_KEY: catalog.key,
        ICON_CATALOG_SECRET: catalog.secret,
      },
    }),
  );
  const said = children.map(() => '');
  for (const [number, { stderr }] of children.entries())
    stderr.on('data', (text) => (said[number] += String(text)));
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  const ended = children.map((child) => once(child, 'close'));
  for (const { stdin } of children) stdin.end('go');
  const codes = (await Promise.all(ended)).map(([code]) => code as number);
  expect({ codes, said }).toMatchObject({ codes: codes.map(() => 0) });

  const expected = IDS.flatMap((id) => [`GET /v2/icon/${id}`, `GET /v2/icon/${id}/download`]);
  expect(catalog.calls.toSorted()).toEqual(expected.toSorted());
  const lines = (await readFile(join(root, 'icons.lock'), 'utf8')).match(/^"\d+:svg":/gm) ?? [];
  expect(lines).toEqual([...IDS].toSorted((a, b) => a - b).map((id) => `"${id}:svg":`));
  const [first, ...others] = await Promise.all(
    children.map((_, number) => readTree(join(root, 'out', String(number)))),
  );
  expect([...(first?.keys() ?? [])]).toContain('main.js');
  for (const other of others) expect(other).toEqual(first);
  const left = [...(await readTree(root)).keys()].filter((name) =>
    /\.(lock\.|tmp|claims)|pack\.lock/.test(name),
  );
  expect(left).toEqual([]);
});

it('two processes that pin different bytes for one icon: the second one fails, and the lock keeps the first', async () => {
  const root = await writeProject({});
  const [id = 0] = IDS;
  const waiting: ServerResponse[] = [];
  // Both are answered once both have asked: neither has seen what the other pins.
  catalog.intercept = (path, response) => {
    if (!path.includes('/download')) return false;
    if (waiting.push(response) < 2) return true;
    for (const [at, each] of waiting.entries()) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 ${at}h2v2z"/></svg>`;
      const body = {
        base64_encoded_file: Buffer.from(svg).toString('base64'),
        content_type: 'image/svg+xml',
        usage_limits: { monthly: { limit: 9, usage: 1 } },
      };
      each.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    return true;
  };
  onTestFinished(() => catalog.reset());
  const { url: baseUrl, key, secret } = catalog;
  const ended = await Promise.all(
    ['one', 'two'].map(async (cache) => {
      const options = { catalog: { baseUrl, key, secret }, cacheDir: join(root, cache) };
      const given = { root, options: { ...options, mode: 'online' }, specifiers: [`icon:${id}`] };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [script, JSON.stringify(given)],
        { cwd: root, env: { PATH: process.env['PATH'] } },
      );
      return JSON.parse(stdout) as { codes: Record<string, string>; failed: string[] };
    }),
  );
  const failures = ended.flatMap(({ failed }) => failed);
  expect(failures).toEqual([
    expect.stringMatching(
      new RegExp(`^LOCK_MISMATCH.*Another process wrote other bytes for "${id}:svg"`, 's'),
    ),
  ]);
  const winner = ended.find(({ failed }) => failed.length === 0);
  expect(Object.keys(winner?.codes ?? {})).toEqual([`icon:${id}`]);
  const lock = await readFile(join(root, 'icons.lock'), 'utf8');
  expect(lock.match(/"integrity"/g)).toHaveLength(1);
});
