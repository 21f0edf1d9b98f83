import { expect, test } from 'vitest';
import { createHarness } from './support.ts';
import { createFolder, fakeSet } from './project.ts';

const ICONS = 100_000;
const ADJECTIVES = [
  'big',
  'small',
  'round',
  'filled',
  'open',
  'broken',
  'smart',
  'double',
  'left',
  'right',
  'high',
  'low',
  'new',
  'old',
  'dark',
  'bright',
  'fast',
  'slow',
  'flat',
  'outlined',
];
const NOUNS = [
  'arrow',
  'house',
  'cloud',
  'dragon',
  'mail',
  'clock',
  'car',
  'bike',
  'heart',
  'star',
  'tree',
  'sword',
  'phone',
  'lamp',
  'chair',
  'table',
  'cup',
  'bottle',
  'camera',
  'bus',
];

/** Prints start-up and search time over 100,000 generated icons; fails only far beyond them, since tests share their machine. */
test('100,000 icons start at once and are searched in a moment', async () => {
  const files: Record<string, string> = {};
  for (let set = 0; set < 10; set++) {
    const icons: Record<string, object> = {};
    for (let at = 0; at < ICONS / 10; at++) {
      const [noun, adjective, other] = [
        NOUNS[at % 20],
        ADJECTIVES[Math.floor(at / 20) % 20],
        NOUNS[Math.floor(at / 400) % 20],
      ];
      icons[`${noun}-${adjective}-${other}-${at}`] = {
        body: '<path fill="currentColor" d="M13 5H8V2.6a1 1 0 0 0 .42-.46l5.08-.64"/>',
      };
    }
    Object.assign(files, fakeSet(`set-${set}`, { icons }));
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
  for (const noun of NOUNS) {
    for (const query of [noun, `${noun} round`, noun.slice(0, 3)])
      times.push(await time(`/v2/icon?query=${encodeURIComponent(query)}`));
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  const round = (ms: number): string => `${ms.toFixed(1)} ms`;
  process.stdout.write(
    `embedded catalog, ${ICONS} icons: start ${round(started)}, index ${round(indexed)}, median search ${round(median)}\n`,
  );
  expect(started).toBeLessThan(20_000);
  expect(median).toBeLessThan(2000);
}, 120_000);
