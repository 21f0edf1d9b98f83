import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DIST = pathToFileURL(resolve('dist/index.js')).href;
const SPECIFIERS = iconIds('tabler', 40).map((id) => `icon:${id}?color=0a0`);

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ latency: 3 });
});
afterAll(() => catalog.close());

const configured = () => ({ baseUrl: catalog.url, key: catalog.key, secret: catalog.secret });

/** A cold build in a process of its own, which is killed when the catalog has answered `calls` calls. */
async function killedAfter(calls: number, cacheDir: string): Promise<void> {
  const script = `
    const { createIcons } = await import(${JSON.stringify(DIST)});
    const icons = createIcons(${JSON.stringify({ catalog: configured(), cacheDir })}, { root: ${JSON.stringify(cacheDir)} });
    await icons.load(${JSON.stringify(SPECIFIERS[0])});
    await icons.sync(${JSON.stringify(SPECIFIERS)});
    await icons.close();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  let seen = 0;
  catalog.intercept = () => {
    seen += 1;
    if (seen === calls) child.kill('SIGKILL');
    return false;
  };
  await once(child, 'exit');
  catalog.reset();
}

async function buildIn(cacheDir: string): Promise<string[]> {
  const icons = createIcons(
    { catalog: configured(), cacheDir },
    { root: cacheDir, env: {}, log: recordingLog() },
  );
  const modules = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
  await icons.close();
  return modules.map(({ code }) => code);
}

describe('a process that is killed in a cold build', () => {
  it('leaves a cache from which the next build is right, and does not pay again for what was there', async () => {
    const right = await buildIn(await temporaryFolder());
    catalog.reset();
    for (const calls of [1, 7, 23, 41, 60, 79]) {
      const cacheDir = await temporaryFolder();
      await killedAfter(calls, cacheDir);
      expect(await buildIn(cacheDir)).toEqual(right);
      // The first icon was there for good before the others were asked for.
      expect(catalog.calls.length).toBeLessThanOrEqual(SPECIFIERS.length * 2 - (calls > 2 ? 2 : 0));
      catalog.reset();
    }
  });
});
