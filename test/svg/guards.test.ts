import { describe, expect, it } from 'vitest';
import { file, prepare, render } from './support/prepare.ts';

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