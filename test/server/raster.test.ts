import { expect, test } from 'vitest';
import { rasterize } from '../../src/server/raster.ts';
import { readLibrary } from '../../src/server/read-library.ts';
import { referenceCost } from '../../src/server/reference-cost.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';

async function anyIcon() {
  const [icon] = (await readLibrary({ sets: ['maki'] })).icons;
  if (!icon) throw new Error('maki is not installed');
  return icon;
}

test('without the renderer, the answer says how to get it', async () => {
  const load = () => Promise.reject(new Error("Cannot find package '@resvg/resvg-js'"));
  await expect(rasterize({ icon: await anyIcon(), svg, size: 20, load })).rejects.toMatchObject({
    status: 501,
    message: expect.stringContaining('npm i -D @resvg/resvg-js'),
  });
});

test('what the renderer throws names the icon and not the renderer', async () => {
  const icon = await anyIcon();
  const load = () =>
    Promise.resolve({ renderAsync: () => Promise.reject(new Error('panicked at /home/x.rs')) });
  await expect(rasterize({ icon, svg, size: 20, load })).rejects.toMatchObject({
    status: 422,
    message: `Icon ${icon.id} cannot be drawn as PNG: it is no drawable SVG.`,
  });
});

test.each([
  ['no references', '<svg><path/></svg>', 1],
  ['one', '<svg><path id="a"/><use href="#a"/></svg>', 2],
  [
    'nested',
    '<svg><path id="a"/><g id="b"><use href="#a"/><use href="#a"/></g><use href="#b"/></svg>',
    1 + 2 + 3,
  ],
  [
    'paint',
    '<svg><linearGradient id="a"/><path fill="url(#a)"/><path style="fill:url(\'#a\')"/></svg>',
    3,
  ],
  [
    'names of any script',
    '<svg><x:g é="1" id="ü"><path mask="url(#q)"/></x:g><use xlink:href="#ü"/></svg>',
    1 + 1 + 2,
  ],
  ['a circle', '<svg><g id="a"><use href="#a"/></g></svg>', Number.POSITIVE_INFINITY],
])('reference cost: %s', (_, markup, cost) => {
  expect(referenceCost(markup)).toBe(cost);
});
