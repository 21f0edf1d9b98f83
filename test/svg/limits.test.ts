import { describe, expect, it } from 'vitest';
import { file, NS, prepare } from './support/prepare.ts';

const PATH = '<path d="M0 0h1v2z"/>';
const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** Each is refused: too much of something. */
const TOO_LARGE: Record<string, string> = {
  'more bytes than allowed': file(' '.repeat(1_048_577)),
  'more than 20,000 elements': file(PATH.repeat(20_001)),
  'deeper than 64': file(`${'<g>'.repeat(64)}${PATH}${'</g>'.repeat(64)}`),
  'deeper than 100,000': file(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`),
  'more than 128 attributes': file(`<path d="M0 0h1" ${many(128, (index) => ` a${index}="1"`)}/>`),
  'an attribute of more than 256 kB': file(`<path d="M0 0${'h1'.repeat(140_000)}"/>`),
  'more than 4,000 ids': file(many(4_001, (index) => `<g id="a${index}"/>`) + PATH),
  'more than 500 style rules': file(`<style>${'a{fill:red}'.repeat(501)}</style>${PATH}`),
  'styles that take too long': file(
    `<style>path{${'fill:red;'.repeat(1_000)}}</style>${PATH.repeat(1_000)}`,
  ),
  'selectors that take too long': file(
    `<style>${'* * * * * * * q,* * * * * * * *{fill:red}'.repeat(200)}</style>${many(50, () => '<g>'.repeat(50) + '</g>'.repeat(50))}${PATH}`,
  ),
  'more than 500 namespaces': file(many(501, (index) => `<g xmlns:a${index}="u"/>`) + PATH),
  'entities beyond the file': `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1_000)}">]>${file(`<text>${'&a;'.repeat(2_000)}</text>`)}`,
  'more than 64 entities': `<!DOCTYPE svg [${many(65, (index) => `<!ENTITY e${index} "x">`)}]>${file(PATH)}`,
  'an entity of more than 1,024 characters': `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1_025)}">]>${file(PATH)}`,
  'use of use of use': file(
    `<g id="a0">${PATH}</g>${many(6, (index) => `<g id="a${index + 1}">${`<use href="#a${index}"/>`.repeat(10)}</g>`)}`,
  ),
  'patterns in patterns': file(
    `<pattern id="p0" width="1" height="1">${PATH}</pattern>${many(5, (index) => `<pattern id="p${index + 1}" width="1" height="1"><rect width="9" height="9" fill="url(#p${index})"/></pattern>`)}<rect width="9" height="9" fill="url(#p5)"/>`,
  ),
  'more than 1,000 characters of text': file(`<text>${'a'.repeat(1_001)}</text>`),
  'more than 1,000 characters along a path': file(
    `<path id="p" d="M0 8h16"/><text><textPath href="#p">${'a'.repeat(1_001)}</textPath></text>`,
  ),
  'more than 1,000 characters, some of them along a path': file(
    `<path id="p" d="M0 8h16"/><text>${'a'.repeat(501)}<textPath href="#p">${'a'.repeat(500)}</textPath></text>`,
  ),
  'more than 1,000 spaces that are drawn': file(`<text>${'\u00a0'.repeat(1_001)}</text>`),
  'more than 1,000 spaces that are kept': file(
    `<text xml:space="preserve">${' '.repeat(1_001)}</text>`,
  ),
  'text used again and again': file(
    `<text id="a">${'a'.repeat(100)}</text>${'<use href="#a"/>'.repeat(10)}`,
  ),
  '180,000 entities of XML': file(`<text>${'&amp;'.repeat(180_000)}</text>`),
  'filters on everything': file(
    `<filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(40)}</filter>${'<path d="M0 0h1" filter="url(#f)"/>'.repeat(200)}`,
  ),
  'slow filters on a hundred shapes': file(
    `<filter id="f">${'<feTurbulence numOctaves="8"/>'.repeat(3)}</filter>${'<path d="M0 0h1" filter="url(#f)"/>'.repeat(100)}`,
  ),
  'thousands of layers': file(
    `${'<g opacity=".9">'.repeat(50)}${PATH}${'</g>'.repeat(50)}`.repeat(220),
  ),
  'a long chain of templates': file(
    `${many(2_000, (index) => `<linearGradient id="g${index}" href="#g${index + 1}"/>`)}<path fill="url(#g0)" d="M0 0h1"/>`,
  ),
};

/** Each is drawn, and in time, where a naive pipeline takes minutes. */
const SLOW: Record<string, string> = {
  'a path of 40,000 segments': file(`<path d="M0 0${'l1 1.5'.repeat(40_000)}"/>`),
  'a path of 4,900 segments': file(`<path d="M0 0${'l1 1.5'.repeat(4_900)}"/>`),
  'six long paths': file(`<path d="M0 0${'a1 2 3 0 0 5 6'.repeat(2_000)}"/>`.repeat(6)),
  'a polygon of 60,000 points': file(`<polygon points="${'1,2 '.repeat(60_000)}"/>`),
  '19,900 paths side by side': file(PATH.repeat(19_900)),
  '12,000 style attributes': file('<path style="fill:red;stroke:blue" d="M0 0h1"/>'.repeat(12_000)),
  '100,000 comments': file('<!---->'.repeat(100_000) + PATH),
  'spaces in a colour': file(`<path d="M0 0h1" fill="red${' '.repeat(200_000)}icc-color(x)"/>`),
  'spaces in a transform': file(`<path d="M0 0h1" transform="${' '.repeat(200_000)}x"/>`),
  'open comments in a style': file(`<style>${'/*'.repeat(100_000)}</style>${PATH}`),
};

/** What naive code takes minutes for fails by this time-out: it is fifty times what these files take. */
const TIMEOUT = 30_000;

describe('limits', () => {
  it.each(Object.entries(TOO_LARGE))(
    'refuses %s',
    async (_name, svg) => {
      await expect(prepare(svg)).rejects.toMatchObject({ code: 'SVG_TOO_LARGE', icon: '7' });
    },
    TIMEOUT,
  );

  it.each(Object.entries(SLOW))(
    'draws %s in time',
    async (_name, svg) => {
      await expect(prepare(svg)).resolves.toMatchObject({ viewBox: '0 0 24 24' });
    },
    TIMEOUT,
  );

  it.each([
    ['brackets without end in a style', file(`<style>${'a:not('.repeat(20_000)}</style>${PATH}`)],
    ['blocks without end in a style', file(`<style>${'a{'.repeat(20_000)}</style>${PATH}`)],
    ['a file that is cut off', file(PATH).slice(0, -3)],
    ['a second root', file(PATH) + file(PATH)],
    ['a compressed file', '\u001f\u008b'],
    ['an unknown encoding', `<?xml version="1.0" encoding="UTF-7"?>${file(PATH)}`],
    ['an entity that holds markup', `<!DOCTYPE svg [<!ENTITY a "<g/>">]>${file(PATH)}`],
    ['an external entity', `<!DOCTYPE svg [<!ENTITY a SYSTEM "a.txt">]>${file(PATH)}`],
    ['an entity of an entity', `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;">]>${file(PATH)}`],
    ['neither viewBox nor size', `<svg ${NS}>${PATH}</svg>`],
    ['an empty viewBox', `<svg ${NS} viewBox="0 0 0 24">${PATH}</svg>`],
    ['nothing to draw', file('<g/>')],
  ])('has no use for %s', async (_name, svg) => {
    await expect(prepare(svg)).rejects.toMatchObject({ code: 'SVG_INVALID' });
  });

  const filtered = (count: number, primitives: string, region = ''): string =>
    file(
      many(
        count,
        (index) =>
          `<filter id="f${index}" ${region}>${primitives}</filter><g filter="url(#f${index})">${PATH}</g>`,
      ),
    );
  const SMALL = 'filterUnits="userSpaceOnUse" x="4" y="4" width="9" height="9"';

  it('draws filters that are quick where they are', async () => {
    const shadows =
      '<feOffset dx=".2"/><feGaussianBlur stdDeviation=".2"/><feComposite in2="SourceAlpha" k2="-1" k3="1" operator="arithmetic"/><feColorMatrix values="0 0 0 0 .3 0 0 0 0 .4 0 0 0 0 .8 0 0 0 1 0"/>';
    for (const svg of [
      filtered(110, shadows, SMALL),
      filtered(25, '<feGaussianBlur stdDeviation="1"/>'),
    ])
      await expect(prepare(svg)).resolves.toMatchObject({ removed: {} });
  });

  it.each([
    ['with a wide blur', filtered(60, '<feGaussianBlur stdDeviation="10"/>')],
    [
      'used again and again',
      file(
        `<filter id="f"><feGaussianBlur/></filter><g id="a" filter="url(#f)">${PATH}</g>${'<use href="#a"/>'.repeat(200)}`,
      ),
    ],
    ['of a large radius', filtered(5, '<feMorphology radius="100"/>')],
  ])('names the limit that filters are beyond: %s', async (_name, svg) => {
    await expect(prepare(svg)).rejects.toMatchObject({
      code: 'SVG_TOO_LARGE',
      remedy: expect.stringContaining('svg.limits.filterCost'),
    });
    await expect(prepare(svg, { limits: { filterCost: 100_000 } })).resolves.toBeDefined();
  });

  const quick = filtered(110, '<feGaussianBlur stdDeviation=".2"/>', SMALL);
  const inside = (open: string, close: string): string =>
    quick.replaceAll('<g ', `${open}<g `).replaceAll('</g>', `</g>${close}`);

  it.each([
    ['scale', inside('<g transform="scale(100)">', '</g>')],
    ['scale of one axis', inside('<g transform="scale(1 -100)">', '</g>')],
    ['matrix', inside('<g transform="matrix(60 80 0 1 0 0)">', '</g>')],
    ['matrix, the other way', inside('<g transform="matrix(1 0 60 80 0 0)">', '</g>')],
    ['skewX', inside('<g transform="skewX(89.5)">', '</g>')],
    ['skewY', inside('<g transform="skewY(-89.5)">', '</g>')],
    ['a small viewBox', inside('<svg width="24" height="24" viewBox="0 0 .24 .24">', '</svg>')],
    [
      'an animation',
      inside(
        '<g><animateTransform attributeName="transform" type="scale" values="1;100" dur="1s"/>',
        '</g>',
      ),
    ],
    [
      'the far end of an animation',
      inside(
        '<g><animateTransform attributeName="transform" type="scale" to="100" dur="1s"/>',
        '</g>',
      ),
    ],
  ])('counts filters at the size to which they are drawn: %s', async (_name, svg) => {
    const animation = svg.includes('animate');
    await expect(prepare(quick, { animation, optimize: false })).resolves.toMatchObject({
      removed: {},
    });
    await expect(prepare(svg, { animation, optimize: false })).rejects.toMatchObject({
      code: 'SVG_TOO_LARGE',
      remedy: expect.stringContaining('svg.limits.filterCost'),
    });
  });

  it('are those of the options', async () => {
    const text = file(`<text>${'a'.repeat(30)}</text>`);
    const moved = file(
      `<rect width="9" height="9">${'<animate attributeName="x" to="9" dur="1s"/>'.repeat(501)}</rect>`,
    );
    await expect(prepare(text, { limits: { text: 29 } })).rejects.toMatchObject({
      message: expect.stringContaining('more characters of text than 29'),
    });
    await expect(prepare(text, { limits: { text: 30 } })).resolves.toBeDefined();
    await expect(prepare(moved, { animation: true })).rejects.toMatchObject({
      remedy: expect.stringContaining('svg.limits.animations'),
    });
    await expect(
      prepare(moved, { animation: true, limits: { animations: 501 } }),
    ).resolves.toBeDefined();
    await expect(
      prepare(file(PATH.repeat(20_001)), { optimize: false, limits: { elements: 30_000 } }),
    ).resolves.toBeDefined();
  });

  it('leaves out dashes beyond number', async () => {
    const dashed = (data: string, dashes: string): string =>
      file(`<path stroke="red" d="${data}" stroke-dasharray="${dashes}"/>`);
    const body = async (svg: string): Promise<string> => (await prepare(svg)).body.join('');
    expect(await body(dashed('M0 12h24', '2 1'))).toContain('stroke-dasharray="2 1"');
    expect(await body(dashed('M0 0H100000000', '.0001'))).not.toContain('dasharray');
    expect(await body(dashed('M0 12h24" pathLength="1e9', '1'))).not.toContain('dasharray');
  });

  it('takes the limits themselves', async () => {
    await expect(
      prepare(file(`${'<g>'.repeat(62)}${PATH}${'</g>'.repeat(62)}`)),
    ).resolves.toBeDefined();
    await expect(
      prepare(file(`<path d="M0 0h1" ${many(127, (index) => ` a${index}="1"`)}/>`)),
    ).resolves.toBeDefined();
    await expect(prepare(file(PATH), { maxBytes: file(PATH).length })).resolves.toBeDefined();
    await expect(prepare(file(PATH), { maxBytes: file(PATH).length - 1 })).rejects.toMatchObject({
      code: 'SVG_TOO_LARGE',
    });
  });

  it('reads the encodings that it can', async () => {
    const text = file(`<text y="9">\u00e9</text>`);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, latin1])
      expect((await prepare(bytes)).body.join('')).toContain('\u00e9');
  });

  it('expands the entities that drawing programs declare', async () => {
    const illustrator = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;" width="48px" height="24px">${PATH}</svg>`;
    await expect(prepare(illustrator, { strict: true })).resolves.toMatchObject({
      viewBox: '0 0 48 24',
      width: 48,
      height: 24,
      removed: {},
    });
  });
});