import { describe, expect, it } from 'vitest';
import { applyEdits, findStyleReferences, toCssUrl } from '../../src/markup/style-references.ts';

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
