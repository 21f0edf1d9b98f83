import { join } from 'node:path';
import { build } from '@farmfe/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import iconCatalog from '../../../src/farm.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from '../../build/style-project.ts';
import { TestLogger } from './test-logger.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

async function run(root: string): Promise<Map<string, string>> {
  const { url: baseUrl, key, secret } = catalog;
  await build({
    root,
    logger: new TestLogger(),
    compilation: {
      progress: false,
      input: { main: './index.html' },
      output: { path: 'dist' },
      persistentCache: { cacheDir: join(root, '.farm'), envs: {} },
    },
    plugins: [
      iconCatalog({
        catalog: { baseUrl, key, secret },
        aliases: ALIASES,
        cacheDir: join(root, '.cache'),
        logLevel: 'silent',
      }),
    ],
  });
  const tree = await readTree(join(root, 'dist'));
  return new Map([...tree].map(([name, bytes]) => [name, bytes.toString()]));
}

it('style sheets in a build of Farm hold their icons, and are credited, from its cache too', async () => {
  const root = await writeProject({
    ...PLAIN_STYLES,
    'index.html': '<!DOCTYPE html><html><body><script src="./main.js"></script></body></html>',
  });
  const cold = await run(root);
  const css = [...cold].find(([name]) => name.endsWith('.css'))?.[1] ?? '';
  expect(css).toContain('data:image/svg+xml,');
  expect(css.match(/icon:(?!nothing)/g)).toBeNull();
  const { icons } = parseManifest(cold.get('icon-attribution.json') ?? '');
  expect(icons.map(({ title, usedIn }) => [title, usedIn[0]?.kind])).toEqual(
    PLAIN_ICONS.map(titleOf)
      .toSorted()
      .map((title) => [title, 'inline-css']),
  );
  catalog.reset();
  expect([...(await run(root))]).toEqual([...cold]);
  expect(catalog.calls).toEqual([]);
});
