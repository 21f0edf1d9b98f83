import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { afterAll, expect, test } from 'vitest';
import { colorize } from '../../src/server/paint.ts';
import type { Icon } from '../../src/server/library.ts';
import { endRasterizing, rasterize } from '../../src/server/raster.ts';
import { readLibrary } from '../../src/server/create-app.ts';
import { createRasterQueue, startRasterProcess } from '../../src/server/raster-process.ts';

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}
const { PNG } = createRequire(import.meta.url)('pngjs') as {
  PNG: { sync: { read(bytes: Buffer): Pixels } };
};
const read = (png: Uint8Array): Pixels => PNG.sync.read(Buffer.from(png));
const library = await readLibrary({ sets: ['game-icons', 'maki', 'tabler'] });
afterAll(endRasterizing);

const wrap = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">${body}</svg>`;
const SQUARE = wrap('<path d="M0 0h9v9H0z"/>');

function anyIcon(): Icon {
  const [icon] = library.icons;
  if (!icon) throw new Error('no set is installed');
  return icon;
}

test.each(['missing', 'unloadable'] as const)('renderer %s: how to get it', async (reply) => {
  const queue = { draw: () => Promise.resolve(reply) };
  await expect(rasterize({ icon: anyIcon(), svg: SQUARE, size: 20, queue })).rejects.toMatchObject({
    status: 501,
    message: expect.stringContaining('npm i -D @resvg/resvg-js'),
  });
});

test.each([
  ['refused', 422, 'it is not a drawable SVG.'],
  ['late', 422, 'it takes too long to draw.'],
  ['died', 422, 'the renderer breaks down on it.'],
  ['unstarted', 500, 'could not be started'],
] as const)('%s is answered with %i', async (reply, status, reason) => {
  const queue = { draw: () => Promise.resolve(reply) };
  await expect(rasterize({ icon: anyIcon(), svg: SQUARE, size: 20, queue })).rejects.toMatchObject({
    status,
    message: expect.stringContaining(reason),
  });
});

test.each([
  [wrap('<script>1</script><path d="M0 0h9"/>'), 'it has active content: 1 <script>.'],
  [
    wrap('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    'its references form a circle.',
  ],
  [wrap('<path d="M0 0h9"'), 'it is not well-formed XML.'],
])('%s is refused with a reason', async (svg, reason) => {
  const icon = anyIcon();
  await expect(rasterize({ icon, svg, size: 20 })).rejects.toMatchObject({
    status: 422,
    message: `Icon ${icon.id} cannot be drawn as PNG: ${reason}`,
  });
});

const SHAPE = '<path d="M0 0h9v9z"/>';
test.each([
  ['an image', `${SHAPE}<image href="/etc/passwd" width="9" height="9"/>`],
  ['an image of old', `${SHAPE}<image xlink:href="/etc/passwd" width="9" height="9"/>`],
  ['an image by file:', `${SHAPE}<image href="file:///etc/passwd" width="9" height="9"/>`],
  [
    'a prefixed image',
    `${SHAPE}<s:image xmlns:s="http://www.w3.org/2000/svg" href="/etc/passwd"/>`,
  ],
  [
    'an image in a pattern',
    `<pattern id="p"><image href="/etc/passwd"/></pattern><path fill="url(#p)" d="M0 0h9v9z"/>`,
  ],
  ['an encoded image', `${SHAPE}<image href="&#47;etc&#47;passwd"/>`],
  [
    'SVG in an image',
    `${SHAPE}<image href="data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%3E%3Cimage%20href='/etc/passwd'/%3E%3C/svg%3E"/>`,
  ],
  [
    'feImage',
    `<filter id="f"><feImage href="/etc/passwd"/></filter><g filter="url(#f)">${SHAPE}</g>`,
  ],
  ['use', `${SHAPE}<use href="/etc/passwd#a"/>`],
  ['a paint', `${SHAPE}<path fill="url(/etc/passwd#a)" d="M0 0h9"/>`],
  ['an import', `<style>@import "/etc/passwd"; path { fill: url(/etc/passwd) }</style>${SHAPE}`],
  ['a font', `<style>@font-face { font-family: a; src: url(/etc/passwd) }</style>${SHAPE}`],
  [
    'HTML',
    `${SHAPE}<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="/etc/passwd"/></foreignObject>`,
  ],
])('%s of this machine never reaches the renderer', async (_, body) => {
  const given: string[] = [];
  const queue = {
    draw(svg: string) {
      given.push(svg);
      return Promise.resolve(new Uint8Array());
    },
  };
  const answer = await rasterize({ icon: anyIcon(), svg: wrap(body), size: 20, queue }).catch(
    (error: unknown) => error,
  );
  if (given.length === 0) expect(answer).toMatchObject({ status: 422 });
  else
    expect(given.join('')).not.toMatch(
      /passwd|image|data:|import|http:(?!\/\/www\.w3\.org\/2000\/svg")/i,
    );
});

test.each([
  ['turbulence', '<feTurbulence baseFrequency="0.05" numOctaves="8"/>'.repeat(5)],
  ['boundless turbulence', '<feTurbulence baseFrequency="0.05" numOctaves="999999999"/>'],
  ['morphology', '<feMorphology operator="dilate" radius="99"/>'.repeat(5)],
  // Many large kernels do not pass the sanitiser at all.
  ['convolution', `<feConvolveMatrix order="3" kernelMatrix="${'1 '.repeat(9)}"/>`.repeat(2)],
  ['light', '<feSpecularLighting><fePointLight z="5"/></feSpecularLighting>'.repeat(5)],
])('a monster of %s is drawn without it', async (_, primitives) => {
  const svg = wrap(
    `<filter id="f" x="0" y="0" width="1" height="1">${primitives}</filter><path filter="url(#f)" fill="#f00" d="M0 0h9v9H0z"/>`,
  );
  const { data } = read(await rasterize({ icon: anyIcon(), svg, size: 1200 }));
  expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
});

test('what the time limit stops is answered with 422, and the next icon is drawn', async () => {
  // Neither the sanitiser nor the list of filters: only the clock can stop this one.
  const queue = createRasterQueue({
    timeout: 1500,
    // The start of the process counts too, and takes longer than that on a busy machine.
    start(renderer) {
      const child = startRasterProcess(renderer);
      const isEndless = (text: string): boolean => text.includes('feTurbulence');
      return {
        ...child,
        draw: (text, limit) => child.draw(text, isEndless(text) ? limit : 100_000),
      };
    },
  });
  try {
    const endless = {
      draw: () =>
        queue.draw(
          wrap(
            `<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="999999999"/></filter><path filter="url(#f)" d="M0 0h9v9H0z"/>`,
          ),
        ),
    };
    const icon = anyIcon();
    await expect(rasterize({ icon, svg: SQUARE, size: 20, queue: endless })).rejects.toMatchObject({
      status: 422,
      message: `Icon ${icon.id} cannot be drawn as PNG: it takes too long to draw.`,
    });
    expect(read(await rasterize({ icon, svg: SQUARE, size: 20, queue })).width).toBe(20);
  } finally {
    await queue.end();
  }
});

test.each([20, 42, 84, 200, 1200])(
  '%i px: square, centred, whatever the view box',
  async (size) => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 10 40 20" preserveAspectRatio="none" width="3"><path fill="#f00" d="M10 10h40v20H10z"/></svg>';
    const { data, width, height } = read(await rasterize({ icon: anyIcon(), svg, size }));
    expect([width, height]).toEqual([size, size]);
    const alpha = (y: number): number | undefined =>
      data[(Math.round(size * y) * size + 1) * 4 + 3];
    expect([alpha(0.1), alpha(0.5), alpha(0.9)]).toEqual([0, 255, 0]);
  },
);

/** Part of the pixels that differ at all from what the renderer makes of the markup as it is. */
async function difference(icon: Icon, svg: string): Promise<number> {
  const fitTo = { mode: 'width', value: 200 } as const;
  const before = read(new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render().asPng());
  const after = read(await rasterize({ icon, svg, size: 200 }));
  expect(after.width * after.height).toBe(before.width * before.height);
  let different = 0;
  for (let at = 0; at < before.data.length; at += 4)
    if (before.data.readUInt32LE(at) !== after.data.readUInt32LE(at)) different += 1;
  return different / (before.data.length / 4);
}

test('60 icons of three sets, in two colours, are drawn as they were', async () => {
  const sets = [...new Set(library.icons.map(({ collection }) => collection))];
  expect(sets).toHaveLength(3);
  for (const { icons, markup } of sets) {
    const step = Math.floor(icons.length / 20);
    for (const icon of icons.filter((_, at) => at % step === 0).slice(0, 20))
      for (const color of [undefined, '#ff8800'])
        expect(
          await difference(icon, colorize(markup(icon.name), color)),
          `${icon.collection.prefix}:${icon.name}`,
        ).toBeLessThanOrEqual(0.0005);
  }
});

test('an icon of several tones keeps its colours, its gradients, masks, clips and styles', async () => {
  const svg = wrap(
    `<style>.a{fill:#1b5e20;opacity:.5}</style>
    <defs><linearGradient id="g"><stop stop-color="#f06"/><stop offset="1" stop-color="gold"/></linearGradient>
    <radialGradient id="h" href="#g"/><clipPath id="c"><circle cx="3" cy="3" r="2"/></clipPath>
    <mask id="m"><rect width="9" height="9" fill="#fff"/><path d="M5 0h2v9H5z"/></mask>
    <filter id="f"><feGaussianBlur stdDeviation=".3"/></filter></defs>
    <rect width="9" height="9" fill="url(#g)" rx="1"/><g mask="url(#m)"><circle cx="6" cy="6" r="3" fill="#00f"/></g>
    <g clip-path="url(#c)"><path fill="url(#h)" d="M0 0h9v9z"/></g><path class="a" d="M1 8h7V7H1z"/>
    <path filter="url(#f)" stroke="rgb(10% 20% 30%)" style="fill:none;stroke-width:.4" d="M2 2l4 5"/>`,
  );
  expect(await difference(anyIcon(), svg)).toBeLessThanOrEqual(0.0005);
});

test('a hundred thumbnails, asked for at once', async () => {
  const icons = library.icons.filter((_, at) => at % 50 === 0).slice(0, 100);
  expect(icons).toHaveLength(100);
  const drawn = await Promise.all(
    icons.map((icon) =>
      rasterize({ icon, svg: colorize(icon.collection.markup(icon.name), undefined), size: 84 }),
    ),
  );
  expect(drawn.map((png) => read(png).width)).toEqual(Array.from({ length: 100 }, () => 84));
});
