import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { createIconProject, type IconProject } from './support/icon-project.ts';
import { type Figures, printFigures } from './support/print-table.ts';
import { inRounds } from './support/rounds.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNT = Number(process.env['BENCH_ICONS'] ?? 500);
const SCRIPT = fileURLToPath(new URL('support/serve-once.mjs', import.meta.url));
/** `cold`: no lock and no cache, which lies within the root. */
const VARIANTS = ['constants', 'unplugin-icons', 'ours', 'ours, cold'] as const;
const STEPS = [
  'first page, from the start of the server',
  'first page, from the request',
  'icon of a saved import',
] as const;

let project: IconProject;
let browser: Browser;
beforeAll(async () => {
  [project, browser] = await Promise.all([createIconProject(COUNT), launchBrowser()]);
});
afterAll(() => Promise.all([project.remove(), browser.close()]));

/** What the script of the page says once its icons are there. */
const SHOWN = 'globalThis.shown = icons.length; globalThis.shownAt = performance.now();';
const LATE = 'zzz';

async function serve(variant: (typeof VARIANTS)[number]): Promise<Record<string, Figures>> {
  const { root } = project;
  const name = variant === 'ours, cold' ? 'ours' : variant;
  const entry = await readFile(join(root, `${name}.js`), 'utf8');
  const script = entry.replace('console.log(', 'const icons = (').concat(SHOWN);
  await writeFile(
    join(root, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  );
  await writeFile(join(root, 'page.js'), script);
  if (variant === 'ours, cold')
    for (const path of ['cache', 'icons.lock'])
      await rm(join(root, path), { recursive: true, force: true });

  const started = performance.now();
  const child = spawn(process.execPath, [SCRIPT, root, name], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const next = async <Value>(): Promise<Value> =>
    JSON.parse(String((await once(lines, 'line'))[0])) as Value;
  const page = await browser.newPage();
  try {
    const used = (): Promise<Omit<Figures, 'milliseconds'>> => {
      const answer = next<Omit<Figures, 'milliseconds'>>();
      child.stdin.write('\n');
      return answer;
    };
    const { url } = await next<{ url: string }>();
    await page.goto(url);
    await page.waitForFunction((count) => Reflect.get(globalThis, 'shown') === count, COUNT);
    const fromStart = performance.now() - started;
    const fromRequest = await page.evaluate(() => Number(Reflect.get(globalThis, 'shownAt')));
    const usage = await used();

    const specifier =
      name === 'unplugin-icons'
        ? `~icons/tabler/${LATE}?raw`
        : `icon:${embeddedIconId('tabler', LATE)}`;
    const saved = performance.now();
    await writeFile(
      join(root, 'page.js'),
      `import late from '${specifier}';\n${script.replace('[i0', '[late, i0')}`,
    );
    await page.waitForFunction((count) => Reflect.get(globalThis, 'shown') === count, COUNT + 1);
    const fromSave = performance.now() - saved;
    const after = await used();
    const [start, request, save] = STEPS;
    return {
      [start]: { ...usage, milliseconds: fromStart },
      [request]: { ...usage, milliseconds: fromRequest },
      [save]: { ...after, cpu: after.cpu - usage.cpu, milliseconds: fromSave },
    };
  } finally {
    await page.close();
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  }
}

it(`a dev server with ${COUNT} icons`, async () => {
  await inRounds(VARIANTS, 1, serve);
  const runs = await inRounds(VARIANTS, ROUNDS, serve);
  for (const step of STEPS) {
    const results = Object.fromEntries(
      VARIANTS.map((variant) => [variant, runs[variant].flatMap((run) => run[step] ?? [])]),
    );
    printFigures(`Dev server of Vite with ${COUNT} icons: ${step}`, results, 'unplugin-icons');
    for (const variant of VARIANTS) expect(results[variant]).toHaveLength(ROUNDS);
  }
});
