import { describe, expect, it } from 'vitest';
import { drawn, file, prepare, render } from './support/prepare.ts';

/** Markup as it is shipped before anything is optimised. */
const shipped = async (markup: string): Promise<string> =>
  render(await prepare(markup, { optimize: false }));

describe('elements of another namespace', () => {
  it.each([
    ['with a prefix', '<x:path xmlns:x="https://example.com/ns" d="M1 1h2v2z"/>'],
    ['with none', '<path xmlns="" d="M1 1h2v2z"/>'],
    ['with a default', '<path xmlns="https://example.com/ns" d="M1 1h2v2z"/>'],
    ['of HTML', '<path xmlns="http://www.w3.org/1999/xhtml" d="M1 1h2v2z"/>'],
  ])('are no drawings: %s', async (_, foreign) => {
    const svg = await shipped(file(`<path d="M5 5h4v4z"/>${foreign}`));
    expect(svg).toContain('M5 5h4v4z');
    expect(svg).not.toContain('M1 1h2v2z');
  });

  it('but a prefix of SVG itself is one', async () => {
    const prefixed = '<s:path xmlns:s="http://www.w3.org/2000/svg" d="M1 1h2v2z"/>';
    expect(await shipped(file(prefixed))).toMatch(/<path [^>]*d="M1 1h2v2z"/);
  });
});

describe('a document type', () => {
  it('may declare plain entities', async () => {
    const declared = `<!DOCTYPE svg [<!ENTITY data "M1 1h2v2z">]>${file('<path d="&data;"/>')}`;
    expect(await shipped(declared)).toContain('d="M1 1h2v2z"');
  });

  it.each([
    ['a parameter entity', '<!ENTITY % data "M1 1h2v2z">', /external or parameter/],
    ['an external entity', '<!ENTITY data SYSTEM "data.txt">', /external or parameter/],
    ['an entity in an entity', '<!ENTITY data "M1 1&more;">', /holds markup/],
    ['markup in an entity', '<!ENTITY data "<script/>">', /holds markup/],
  ])('may not declare %s', async (_, entity, reason) => {
    const declared = `<!DOCTYPE svg [${entity}]>${file('<path d="M5 5h4v4z"/>')}`;
    await expect(shipped(declared)).rejects.toThrow(reason);
  });
});

describe('href', () => {
  const target = '<path id="a" d="M1 1h2v2z"/>';

  it.each(['path', 'rect', 'circle', 'g', 'text', 'clipPath', 'mask', 'symbol', 'marker', 'stop'])(
    'is not kept on <%s>',
    async (name) => {
      const markup = `${target}<use href="#a"/><${name} id="b" href="#a" xlink:href="#a" d="M5 5h4v4z" width="2" height="2" r="2"/>`;
      const svg = await shipped(
        file(markup).replace('<svg ', '<svg xmlns:xlink="http://www.w3.org/1999/xlink" '),
      );
      expect(svg.match(/href=/g)).toEqual(['href=']);
      expect(svg).toMatch(/<use [^>]*href="#i7a?/);
    },
  );
});

describe('what acts on the box of the root', () => {
  it('is never that of the file', async () => {
    const box = 'transform="rotate(45)" transform-origin="1 1" overflow="visible" display="inline"';
    const svg = await shipped(file('<path d="M1 1h2v2z"/>', box));
    expect(svg).not.toMatch(/rotate|transform|overflow|display/);
  });

  it('is that of a group inside, where it paints', async () => {
    const painted = file('<path d="M1 1h2v2z"/>', 'opacity=".5" font-size="9"');
    expect(await shipped(painted)).toMatch(/<g [^>]*opacity=".5"[^>]*><path/);
  });
});

describe('elements', () => {
  it('are nested in 64 levels and no more', async () => {
    const nested = (levels: number): string =>
      file(`${'<g>'.repeat(levels - 1)}<path d="M1 1h2v2z"/>${'</g>'.repeat(levels - 1)}`);
    expect(await shipped(nested(64))).toContain('M1 1h2v2z');
    await expect(shipped(nested(65))).rejects.toThrow(/SVG_TOO_LARGE.*nested deeper than 64/s);
  });
});

describe('the sides of a viewBox', () => {
  const box = (width: number, height: number): string =>
    file('<path d="M0 0h1v1z"/>').replace(/viewBox="[^"]*"/, `viewBox="0 0 ${width} ${height}"`);

  it('may differ a hundredfold and no more', async () => {
    for (const [width, height] of [
      [2400, 24],
      [24, 2400],
    ] as const)
      expect(await shipped(box(width, height))).toContain(`viewBox="0 0 ${width} ${height}"`);
    for (const [width, height] of [
      [2401, 24],
      [24, 2401],
    ] as const)
      await expect(shipped(box(width, height))).rejects.toThrow(
        /SVG_INVALID.*100 times the other/s,
      );
  });
});

it.each([
  ['1in', 96],
  ['1IN', 96],
  ['72pt', 96],
  ['6pc', 96],
  ['2.54cm', 96],
  ['25.4mm', 96],
  ['101.6q', 96],
  ['96', 96],
])('a canvas of %s is %i pixels', async (length, pixels) => {
  const markup = file('<path d="M0 0h1v1z"/>').replace(
    /viewBox="[^"]*"/,
    `width="${length}" height="${length}"`,
  );
  expect(await shipped(markup)).toContain(`viewBox="0 0 ${pixels} ${pixels}"`);
});

describe('a switch', () => {
  it('shows the first of its children that can be shown, alone', async () => {
    const svg = await shipped(
      file(
        `<switch><g requiredExtensions="https://example.com/"><path d="M1 1h1v1z"/></g>
         <path d="M2 2h2v2z"/><path d="M3 3h3v3z"/></switch><path d="M4 4h4v4z"/>`,
      ),
    );
    expect(svg).not.toMatch(/switch|M1 1|M3 3/);
    expect(svg).toContain('M2 2h2v2z');
    expect(svg).toContain('M4 4h4v4z');
  });

  it('of languages keeps all of its children, for the browser to choose from', async () => {
    const svg = await shipped(
      file(
        '<switch><path systemLanguage="de" d="M1 1h1v1z"/><path systemLanguage="fr" d="M2 2h2v2z"/><path d="M3 3h3v3z"/></switch>',
      ),
    );
    expect(svg).toMatch(
      /<switch><path [^>]*systemLanguage="de"[^>]*><path [^>]*systemLanguage="fr"[^>]*><path [^>]*M3 3h3v3z[^>]*><\/switch>/,
    );
  });
});

describe('transforms', () => {
  const shapes = [
    ['a group', '<g transform="translate(3 4)"><path d="M1 1h2v2z"/><path d="M5 5h2v2z"/></g>'],
    ['a path', '<path transform="rotate(45 12 12)" d="M1 1h2v2z"/>'],
    ['a use', '<path id="a" d="M1 1h2v2z"/><use href="#a" transform="scale(2 3)"/>'],
    [
      'a clip path',
      '<clipPath id="a"><path d="M1 1h9v9z" transform="skewX(20)"/></clipPath><path clip-path="url(#a)" d="M0 0h24v24z"/>',
    ],
    ['a text', '<text transform="matrix(1 0 0 1 2 9)">a</text>'],
  ] as const;

  it.each(shapes)('of %s stay where nothing is optimised', async (_, markup) => {
    const written = /transform="([^"]*)"/.exec(markup)?.[1] ?? '';
    expect(await shipped(file(markup))).toContain(`transform="${written}"`);
  });

  it.each([
    [
      'gradientTransform',
      '<linearGradient id="a" gradientTransform="rotate(30)"><stop stop-color="red"/><stop offset="1"/></linearGradient>',
    ],
    [
      'patternTransform',
      '<pattern id="a" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><path d="M1 1h2v2z"/></pattern>',
    ],
  ])('%s stays', async (name, markup) => {
    const svg = await shipped(file(`${markup}<path fill="url(#a)" d="M0 0h24v24z"/>`));
    expect(svg).toContain(`${name}="rotate(30)"`);
  });

  it('of a style sheet count, and win over the attribute', async () => {
    const styled =
      '<style>.a{transform:translate(3px,4px)}</style><path class="a" transform="scale(9)" d="M1 1h2v2z"/>';
    expect(await shipped(file(styled))).toMatch(/transform="translate\(3[, ]4\)"/);
  });

  it('are applied where paths are rewritten', async () => {
    const moved = file('<path transform="translate(3 4)" d="M1 1h2v2z"/>');
    expect(render(await prepare(moved))).toMatch(/d="M4 5h2v2z"|translate\(3[ ,]4\)/);
    expect(render(await prepare(moved))).not.toMatch(/<path d="M1 1h2v2z"\/>/);
  });
});
describe('what a renderer would pay for', () => {
  it('references in a circle are refused with that reason', async () => {
    const circle =
      '<g id="a"><path d="M1 1h2v2z"/><use href="#b"/></g><g id="b"><use href="#a"/></g>';
    await expect(shipped(file(circle))).rejects.toThrow(/SVG_INVALID.*form a circle/s);
  });

  it('each use of a mask counts as a layer, however little it draws', async () => {
    const mask = '<mask id="m"><path fill="#fff" d="M0 0h9v9z"/></mask>';
    const masked = (count: number): string =>
      file(mask + '<path mask="url(#m)" d="M1 1h2v2z"/>'.repeat(count));
    await expect(shipped(masked(1500))).resolves.toContain('<mask');
    await expect(shipped(masked(3000))).rejects.toThrow(/SVG_TOO_LARGE.*svg\.limits\.expansion/s);
  });
});

describe('what was removed', () => {
  it.each(['expression(alert(1))', 'javascript:alert(1)'])(
    'counts %s as a script',
    async (value) => {
      const { removed } = await prepare(file(`<path fill="${value}" d="M1 1h2v2z"/>`));
      expect(removed).toEqual({ 'script-address': 1 });
    },
  );

  it.each(['onload', 'ONLOAD', 'OnClick', 'x:onload'])(
    'counts %s as an event attribute',
    async (name) => {
      const { removed } = await prepare(
        file(`<path xmlns:x="https://example.com/ns" ${name}="alert(1)" d="M1 1h2v2z"/>`),
      );
      expect(removed).toEqual({ 'event-attribute': 1 });
    },
  );

  it('is text that no text element holds', async () => {
    const svg = await shipped(file('one<g>two<path d="M1 1h2v2z"/></g><text>three</text>'));
    expect(svg).not.toMatch(/one|two/);
    expect(svg).toContain('three');
  });
});
const SHAPE = '<path d="M1 1h2v2z"/>';
const raw = (body: string, animation = false): Promise<string> =>
  drawn(body, { optimize: false, animation });

describe('colours', () => {
  it.each([
    ['transparent', 'none'],
    ['rgb(255 0 0 / 50%)', '#f00'],
    ['hsl(1.5708rad 100% 50%)', '#7fff00'],
    ['hsl(.25turn 100% 50%)', '#80ff00'],
    ['hsl(100grad 100% 50%)', '#80ff00'],
    // Neither too few nor too many parts, and numbers only.
    ['rgb(1 2)', undefined],
    ['rgb(1 2 3 4 5)', undefined],
    ['rgb(1 x 3)', undefined],
    ['rgb(1 2 3 / x)', undefined],
  ])('%s is drawn as %s', async (color, expected) => {
    const two = `${SHAPE.replace('<path', `<path fill="${color}"`)}<path fill="#123456" d="M5 5h2v2z"/>`;
    const svg = await shipped(file(two));
    expect(/<path(?: fill="([^"]*)")?[^>]* d="M1 1h2v2z"/.exec(svg)?.[1]).toBe(expected);
    expect(svg).toContain('M1 1h2v2z');
  });

  it('that are inherited stay so', async () => {
    const group = `<g fill="blue" fill-opacity=".3">${SHAPE.replace('<path', '<path fill-opacity="inherit"')}</g>`;
    expect(await raw(group)).toBe('<g fill="#ff0000" fill-opacity=".3"><path d="M1 1h2v2z"/></g>');
    const stops =
      '<linearGradient id="a" stop-color="#00f"><stop stop-color="inherit"/><stop offset="1" stop-color="transparent"/></linearGradient><path fill="url(#a)" d="M1 1h2v2z"/>';
    expect(await raw(stops)).toMatch(
      /<stop\/><stop offset="1" stop-color="#000" stop-opacity="0"\/>/,
    );
  });
});

describe('styles', () => {
  it.each([
    ['transform:none', ''],
    ['transform:translateX(4px)', ' transform="translate(4 0)"'],
    ['transform:translateY(4px)', ' transform="translate(0 4)"'],
    ['transform:scaleX(2)', ' transform="scale(2 1)"'],
    ['transform:scaleY(2)', ' transform="scale(1 2)"'],
    ['transform:skew(10deg)', ' transform="skewX(10)"'],
    ['transform:skewY(10deg)', ' transform="skewY(10)"'],
  ])('%s wins over the attribute', async (style, expected) => {
    const group = `<g transform="rotate(5)" style="${style}">${SHAPE}</g>`;
    expect(await raw(group)).toBe(`<g${expected}>${SHAPE}</g>`);
  });

  it('of a font are taken whole or not at all', async () => {
    const text = (font: string): Promise<string> =>
      raw(`${SHAPE}<text font-weight="bold" style="font:${font}">a</text>`);
    expect(await text('italic 9px serif')).toContain(
      '<text font-weight="normal" font-style="italic" font-variant="normal" font-stretch="normal" font-size="9px" font-family="serif">',
    );
    expect(await text('inherit')).toContain('<text font-weight="inherit" font-style="inherit"');
    expect(await text('wobbly 9px serif')).toContain('<text font-weight="bold">');
  });

  it('of neighbours are left out, and counted', async () => {
    const styled = `<style>rect + path{fill:#123456} rect ~ path{fill:#123456}</style><rect width="2" height="2"/>${SHAPE}`;
    expect(await raw(styled)).not.toContain('123456');
    expect((await prepare(file(styled))).removed).toEqual({ 'conditional-style': 2 });
  });

  it('have a limit', async () => {
    const comment = (length: number): string =>
      file(`<style>/*${'x'.repeat(length)}*/</style>${SHAPE}`);
    await expect(shipped(comment(262_000))).resolves.toContain('M1 1h2v2z');
    await expect(shipped(comment(262_200))).rejects.toThrow(/SVG_TOO_LARGE.*256 kB/s);
  });
});

describe('the head of a file', () => {
  const declared = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?>${file(SHAPE)}`;
  const utf8 = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
  const utf16 = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

  it('names the encoding that its first bytes show, or none', async () => {
    for (const bytes of [utf8(declared('UTF8')), utf8(file(SHAPE)), utf16(declared('UTF-16'))])
      await expect(prepare(bytes)).resolves.toBeDefined();
    for (const bytes of [utf8(declared('iso-8859-1')), utf16(declared('utf-8'))])
      await expect(prepare(bytes)).rejects.toThrow(/SVG_INVALID.*byte order mark contradicts/s);
  });

  it('closes its document type', async () => {
    const type = (text: string): string => `<!DOCTYPE svg ${text}${file(SHAPE)}`;
    await expect(shipped(type('[ <!-- ]> " --> ]>'))).resolves.toContain('M1 1h2v2z');
    for (const open of ['[ <!ENTITY a "b"> ', '[ <!-- ]>', '"'])
      await expect(shipped(type(open))).rejects.toThrow(/SVG_INVALID.*type is not closed/s);
  });
});

describe('an animation', () => {
  const animated = (animation: string): Promise<string> =>
    raw(`<path id="m" d="M0 0h9"/><rect width="2" height="2">${animation}</rect>`, true);
  const times = (count: number): string =>
    `<animate attributeName="x" dur="1s" values="${Array.from({ length: count }, () => 1).join(';')}"/>`;

  it.each([
    ['<animate attributeName="x" dur="soon" to="9"/>', '<animate attributeName="x" to="9"/>'],
    ['<animate attributeName="x" dur="0s" to="9"/>', '<animate attributeName="x" to="9"/>'],
    ['<animateMotion dur="1s" rotate="auto" path="M0 0h9"/>', undefined],
    ['<animateMotion dur="1s" rotate="45" path="M0 0h9"/>', undefined],
    [
      '<animateMotion dur="1s" rotate="sideways" path="M0 0h9"/>',
      '<animateMotion dur="1s" path="M0 0h9"/>',
    ],
    [
      '<animateMotion dur="1s"><mpath href="#m"/></animateMotion>',
      '<animateMotion dur="1s"><mpath href="#i7-ff0000-0"/></animateMotion>',
    ],
    [
      '<animateMotion dur="1s"><mpath href="https://icons.example/#m"/></animateMotion>',
      '<animateMotion dur="1s"/>',
    ],
    [times(256), undefined],
    [times(257), '<animate attributeName="x" dur="1s"/>'],
  ])('%s', async (animation, expected = animation) => {
    expect(await animated(animation)).toContain(`height="2">${expected}</rect>`);
  });

  it.each([
    ['a scale', `<g transform="scale(0)">${SHAPE}</g>`],
    ['the visibility', `<g visibility="hidden">${SHAPE}</g>`],
    [
      'the opacity of what is used',
      `<defs><g id="u" opacity="0">${SHAPE}</g></defs><use href="#u"/>`,
    ],
    ['the size', '<circle cx="9" cy="9" r="0"/>'],
    ['the width of a line', '<path d="M0 0h9" fill="none" stroke="red" stroke-width="0"/>'],
  ])('that draws all of an icon by %s is missed', async (_name, body) => {
    const moved = (drawing: string): string =>
      file(`${drawing}<g><animate attributeName="opacity" to="1" dur="1s"/></g>`);
    await expect(prepare(moved(body), { optimize: false })).rejects.toThrow(
      /SVG_INVALID.*svg\.animation/s,
    );
    const shown = body
      .replace('scale(0)', 'scale(2)')
      .replace('hidden', 'visible')
      .replace(/(opacity|r|stroke-width)="0"/, '$1="1"');
    await expect(prepare(moved(shown), { optimize: false })).resolves.toMatchObject({
      removed: { animation: 1 },
    });
  });
});

it('dashes that are measured on the screen are counted at its scale', async () => {
  const dashed = (open: string, close: string): Promise<string> =>
    raw(
      `${open}<path stroke="red" d="M0 0h10" stroke-dasharray=".01" vector-effect="non-scaling-stroke"/>${close}`,
    );
  expect(await dashed('', '')).toContain('dasharray');
  for (const [open, close] of [
    ['<svg viewBox="0 0 .001 .001" width="24" height="24">', '</svg>'],
    ['<g transform="scale(9999)">', '</g>'],
    ['<g transform="matrix(9999 0 0 1 0 0)">', '</g>'],
  ] as const)
    expect(await dashed(open, close)).not.toContain('dasharray');
});