import { describe, expect, it } from 'vitest';
import { type PagePort, preparePage, rewritePage } from '../../src/markup/rewrite-page.ts';
import {
  applyEdits,
  findStyleReferences,
  rewriteStyle,
  toCssUrl,
} from '../../src/markup/style-references.ts';

const specifiers = (css: string, lineComments = false): string[] =>
  findStyleReferences(css, { lineComments }).map(({ specifier }) => specifier);

describe('icons in a style sheet', () => {
  it.each([
    ['a { background: url(icon:1) }', ['icon:1']],
    ['a { background: URL( icon:1?color=%23f00&size=64 ) }', ['icon:1?color=%23f00&size=64']],
    ['a { background: url("icon:1?color=#f00") }', ['icon:1?color=#f00']],
    ["a { mask: url( 'icon:house' ) center / 1em no-repeat }", ['icon:house']],
    ['a { mask: url(icon\\:house\\?title=a\\20 b\\)) }', ['icon:house?title=a b)']],
    ['a { cursor: url("icon\\3a 1"), auto }', ['icon:1']],
    ['a { background: image-set("icon:1" 1x, url(icon:2) 2x) }', ['icon:1', 'icon:2']],
    ['a { background: -webkit-image-set( "icon:1" 1x ) }', ['icon:1']],
    ['a { background: src("icon:1"), url(x.png) }', ['icon:1']],
    ['a{background:url(icon:1)}b{background:url(icon:2)}', ['icon:1', 'icon:2']],
    ['a { background: url(../styles/icon:1) }', ['icon:1']],
    ['a { background: url("icon:a(b)c") }', ['icon:a(b)c']],
    [`a { background: url("icon:1?title=it's") }`, [`icon:1?title=it's`]],
  ])('are found in %s', (css, expected) => {
    expect(specifiers(css)).toEqual(expected);
  });

  it('are mistakes after the last preprocessor', () => {
    const css = 'a { background: url("icon:#{$name}") } b { background: url(icon:{{ id }}) }';
    expect(findStyleReferences(css)).toEqual([]);
    const found = findStyleReferences(css, { isFinished: true });
    expect(found.map(({ specifier }) => specifier)).toEqual(['icon:#{$name}', 'icon:{{ id }}']);
  });

  it.each([
    '/* url(icon:1) */',
    'a { content: "url(icon:1)" }',
    "a::before { content: 'icon:1' }",
    'a { background: url(data:image/svg+xml,icon:1) }',
    'a { background: url(https://example.com/icon:1) }',
    'a { background: my-url(icon:1) }',
    'a { background: url("icon:#{$name}") }',
    'a { background: url("icon:@{name}") }',
    '.icon:hover { color: red }',
    'a { background: url(icon:1',
    'a { background: url("icon:1',
  ])('are not seen in %s', (css) => {
    expect(specifiers(css)).toEqual([]);
  });

  it('are not found behind // where that is a comment', () => {
    const css = '// url(icon:1)\na { background: url(icon:2) } // url(icon:3)';
    expect(specifiers(css, true)).toEqual(['icon:2']);
    expect(specifiers(css, false)).toEqual(['icon:1', 'icon:2', 'icon:3']);
  });

  it.each([
    ['a { color: red; Mask-Image: url(icon:1) }', 'mask-image'],
    ['a{--icon:url(icon:1)}', '--icon'],
    ['a { /* ; */ background: url(data:x;y), url(icon:1) }', 'background'],
    ['@import url(icon:1);', '@import'],
    ['@media print { a { list-style: square url(icon:1) } }', 'list-style'],
  ])('know their property in %s', (css, property) => {
    expect(findStyleReferences(css).map((found) => found.property)).toEqual([property]);
  });

  it('give way to an address, and nothing else changes', () => {
    const css = 'a{b:c}/*é*/\r\na { mask: url( "icon:1" ) 0 0; x: image-set("icon:2" 1x) }';
    const edits = findStyleReferences(css).map(({ start, end, specifier }) => ({
      start,
      end,
      text: toCssUrl(specifier.replace('icon:', '/')),
    }));
    expect(applyEdits(css, edits)).toBe(
      'a{b:c}/*é*/\r\na { mask: url("/1") 0 0; x: image-set(url("/2") 1x) }',
    );
  });

  it('cannot break out of the string that they are written as', () => {
    expect(toCssUrl('a"b\\c\nd')).toBe('url("a\\"b\\\\c\\a d")');
  });
});

describe('the icons of a style sheet', () => {
  const css = 'a{background:url(icon:1)}b{background:url(icon:2)}c{background:url(icon:3)}';

  it('are asked for all at once, and put in place one after the other', async () => {
    const answers: (() => void)[] = [];
    const steps: string[] = [];
    const rewriting = rewriteStyle(css, async ({ specifier }) => {
      steps.push(`ask ${specifier}`);
      await new Promise<void>((answer) => void answers.push(answer));
      return async () => {
        steps.push(`put ${specifier}`);
        await new Promise((done) => setImmediate(done));
        return `/${specifier.slice(5)}.svg`;
      };
    });
    for (const answer of answers.toReversed()) answer();
    expect(await rewriting).toBe(
      'a{background:url("/1.svg")}b{background:url("/2.svg")}c{background:url("/3.svg")}',
    );
    expect(steps).toEqual(
      ['ask', 'put'].flatMap((step) => [1, 2, 3].map((n) => `${step} icon:${n}`)),
    );
  });

  it('fail with the first error in the order of the text, and nothing is put in place', async () => {
    let puts = 0;
    const rewriting = rewriteStyle(css, async ({ specifier }) => {
      if (specifier === 'icon:2') await new Promise((done) => setImmediate(done));
      if (specifier !== 'icon:1') throw new Error(specifier);
      return () => `${(puts += 1)}`;
    });
    await expect(rewriting).rejects.toThrow('icon:2');
    expect(puts).toBe(0);
  });
});

describe('the icons of a page', () => {
  it('are asked for all at once, and put in place in the order of the text', async () => {
    const answers: (() => void)[] = [];
    const steps: string[] = [];
    const later = async <Value>(what: string, value: Value): Promise<() => Value> => {
      steps.push(`ask ${what}`);
      await new Promise<void>((answer) => void answers.push(answer));
      return () => {
        steps.push(`put ${what}`);
        return value;
      };
    };
    const port: PagePort = {
      image: async (specifier) => later(specifier, '/image.svg'),
      favicon: async (specifier) =>
        later(specifier, { address: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }),
      drawing: async (specifier) =>
        later(specifier, {
          svg: '<svg><path d="M0 0"/></svg>',
          name: `name-${specifier.slice(5)}`,
        }),
      style: async ({ specifier }) => later(specifier, '/style.svg'),
    };
    const html = `<html><head><link rel="icon" href="icon:1"><style>a{background:url(icon:6)}</style></head><body><img src="icon:2"><img inline src="icon:3"><svg><use href="icon:4"/></svg><svg><use href="icon:5"/></svg><img srcset="icon:7 1x, /other.png 2x, icon:8 3x"></body></html>`;
    const preparing = preparePage(html, 'page.html', port);
    const asked = ['1', '2', '3', '4', '5', '7', '8', '6'];
    await expect.poll(() => steps).toEqual(asked.map((id) => `ask icon:${id}`));
    for (const answer of answers.toReversed()) answer();
    const put = await preparing;
    expect(steps).toHaveLength(asked.length);
    const page = await put();
    expect(steps.slice(asked.length)).toEqual(asked.map((id) => `put icon:${id}`));
    expect(page).toContain('srcset="/image.svg 1x, /other.png 2x, /image.svg 3x"');
    expect(page.indexOf('id="name-4"')).toBeLessThan(page.indexOf('id="name-5"'));
    expect(await rewritePage('<p>none</p>', 'page.html', port)).toBe('<p>none</p>');
  });
});
