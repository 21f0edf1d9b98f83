import { expect, test } from 'vitest';
import { readLibrary } from '../../src/server/create-app.ts';
import { createHarness } from '../server/support.ts';
import { createFolder, fakeSet } from '../server/project.ts';

const ICONS = 100_000;
const QUERIES = [
  'arrow',
  'house',
  'arrow left',
  'he',
  'swrod',
  'dragon head',
  'brand',
  'circle',
  'bus',
  'chevron down',
  'battle axe',
  'restaurant',
  'xyzzy',
  'user',
  'mail',
  'clock',
  'heart filled',
  'tree',
  'car',
  'cam',
];

/** Start-up and search time of the embedded catalog over 100,000 icons, copies of the installed ones. */
test('the embedded catalog of 100,000 icons', async () => {
  const { icons: installed } = await readLibrary({});
  const bodies = installed.map(({ name }) => [
    name,
    { body: '<path fill="currentColor" d="M13 5H8V2.6a1 1 0 0 0 .42-.46l5.08-.64"/>' },
  ]);
  const files: Record<string, string> = {};
  for (let count = 0; count < ICONS; count += installed.length) {
    Object.assign(
      files,
      fakeSet(`set-${count}`, { icons: Object.fromEntries(bodies.slice(0, ICONS - count)) }),
    );
  }
  const { get } = createHarness({ root: await createFolder(files) });
  const time = async (path: string): Promise<number> => {
    const start = performance.now();
    const { status } = await get(path);
    expect(status).toBe(200);
    return performance.now() - start;
  };
  const started = await time('/v2/collection');
  const indexed = await time('/v2/icon?query=anything');
  const times: number[] = [];
  for (const query of QUERIES)
    times.push(await time(`/v2/icon?query=${encodeURIComponent(query)}`));
  const median = times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  const round = (ms: number): string => `${ms.toFixed(1)} ms`;
  process.stdout.write(
    `embedded catalog, ${ICONS} icons: start ${round(started)}, index ${round(indexed)}, median search ${round(median)}\n`,
  );
}, 120_000);
