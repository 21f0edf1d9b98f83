import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createServer } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import iconCatalog from '../../src/vite.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { writeFiles } from '../support/write-project.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median } from './support/rounds.ts';

const ROUNDS = Math.max(9, Number(process.env['BENCH_ROUNDS'] ?? 9));
const VARIANTS = ['without the icon browser', 'with it'] as const;
/** Milliseconds that the start of a dev server may take longer. */
const LIMIT = 5;

let catalog: CountingCatalog;
let root: string;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'] });
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-start-')));
  await writeFiles(root, {
    'package.json': '{"type":"module","private":true}',
    'index.html': '<!doctype html><title>x</title>',
  });
});
afterAll(async () => {
  await catalog.close();
  await rm(root, { recursive: true, force: true });
});

/** Milliseconds from a configuration to addresses on the terminal. */
async function start(variant: (typeof VARIANTS)[number]): Promise<number> {
  const { url: baseUrl, key, secret } = catalog;
  const picker = variant === 'with it';
  const printed: string[] = [];
  const customLogger = createLogger('silent');
  customLogger.info = (line) => void printed.push(line);
  const began = performance.now();
  const server = await createServer({
    root,
    configFile: false,
    customLogger,
    mode: 'development',
    server: { port: 0, host: '127.0.0.1', watch: {} },
    optimizeDeps: { noDiscovery: true },
    plugins: [
      iconCatalog({ catalog: { baseUrl, key, secret }, cacheDir: join(root, '.cache'), picker }),
    ],
  });
  await server.listen();
  server.printUrls();
  const took = performance.now() - began;
  await server.close();
  expect(printed.join('\n').includes('__icon-catalog')).toBe(picker);
  return took;
}

it('the start of a dev server: no call, and next to no time', async () => {
  await inRounds(VARIANTS, 2, start);
  const times = await inRounds(VARIANTS, ROUNDS, start);
  const [without, withIt] = VARIANTS.map((variant) => times[variant]);
  const rows = VARIANTS.map((variant) => [
    variant,
    Math.min(...times[variant]).toFixed(1),
    median(times[variant]).toFixed(1),
  ]);
  printTable(
    `Start of a dev server of Vite, ${ROUNDS} rounds`,
    ['', 'quickest ms', 'median ms'],
    rows,
    [`Signed calls: ${catalog.calls.length}`],
  );
  expect(catalog.calls).toEqual([]);
  // The quickest runs: other work of the machine only slows down.
  expect(Math.min(...(withIt ?? [])) - Math.min(...(without ?? []))).toBeLessThanOrEqual(LIMIT);
});
