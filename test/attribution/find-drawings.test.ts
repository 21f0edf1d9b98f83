import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { optimize } from 'svgo';
import { describe, expect, it } from 'vitest';
import { createDrawingFinder } from '../../src/attribution/check/find-drawings.ts';
import { svgToDataUri } from '../../src/emit/svg-text.ts';
import { iconifyMarkup } from '../../src/server/read-sets.ts';
import { prepareSvg } from '../../src/svg/prepare-svg.ts';
import { renderSvg } from '../../src/svg/render-svg.ts';

const require = createRequire(import.meta.url);

/** Twenty icons from all over a set, as the catalog sends them. */
function iconsOf(name: string): { key: string; raw: string }[] {
  const file = require.resolve(`@iconify-json/${name}/icons.json`);
  const set = JSON.parse(readFileSync(file, 'utf8')) as IconifyJSON;
  const names = Object.keys(set.icons).filter((each) => set.icons[each]?.hidden !== true);
  const step = Math.floor(names.length / 20);
  return Array.from({ length: 20 }, (_, index) => {
    const icon = names[index * step] ?? '';
    return { key: `${name}/${icon}`, raw: iconifyMarkup(set, icon) };
  });
}

const icons = ['maki', 'tabler', 'game-icons', 'simple-icons'].flatMap(iconsOf);
const locked = await Promise.all(
  icons.map(async ({ key, raw }) => {
    const options = { id: 1, askedColor: '010203', optimize: true, strict: false };
    const limits = { animation: false, maxBytes: 1_000_000 };
    const master = await prepareSvg(new TextEncoder().encode(raw), { ...options, ...limits });
    const look = { color: 'currentColor', size: '1em', title: null, class: null, isFile: false };
    return { key, svg: renderSvg(master, { id: 1, ...look }) };
  }),
);
const finder = createDrawingFinder(locked);
const others = createDrawingFinder(locked.filter((_, index) => index % 2 === 0));

const TREATMENTS: Record<string, (svg: string) => string> = {
  'as the catalog sends it': (svg) => svg,
  'by svgo': (svg) => optimize(svg).data,
  'by svgo in several passes': (svg) => optimize(svg, { multipass: true }).data,
  'to one decimal place': (svg) => optimize(svg, { floatPrecision: 1 }).data,
  'in another colour and size': (svg) =>
    svg.replaceAll('currentColor', '#123456').replace(/width="[^"]*" height="[^"]*"/, 'width="9"'),
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const FORMS: Record<string, (svg: string) => string> = {
  'a page': (svg) => `<!doctype html><p>${svg}</p>`,
  'a sprite': (svg) =>
    `<svg><defs>${svg.replace('<svg', '<symbol id="x"').replace('</svg>', '</symbol>')}</defs></svg>`,
  'a string': (svg) => `const a = ${JSON.stringify(svg)}, b = "<svg></svg>"`,
  'a string without end tags': (svg) => `_tmpl$(\`${svg.replaceAll(/<\/\w+>/g, '')}\`)`,
  escapes: (svg) => `a="${svg.replaceAll(/[<>"]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)}"`,
  'a style sheet': (svg) => `a{background:url("${svgToDataUri(svg)}")}`,
  'an encoded address': (svg) => `url(data:image/svg+xml,${encodeURIComponent(svg)})`,
  base64: (svg) => `url(data:image/svg+xml;base64,${base64(svg)})`,
  calls: (svg) =>
    svg
      .replaceAll(/<\/\w+>/g, '')
      .replaceAll(/<(\w+)([^>]*?)\/?>/g, (_, name: string, attributes: string) => {
        const list = attributes.trim().replaceAll(/([\w:-]+)=("[^"]*") ?/g, '"$1":$2,');
        return `jsx("${name}",{${list}}),`;
      }),
};

describe.each(Object.entries(TREATMENTS))('icons that were optimised: %s', (name, treat) => {
  it('are found, and are taken for no other', () => {
    for (const [index, { key, raw }] of icons.entries()) {
      const page = `<p>${treat(raw)}</p>`;
      expect([name, ...finder.find(page).flat()]).toEqual([name, key]);
      // The lock of this project has every other icon.
      expect(others.find(page).flat()).toEqual(index % 2 === 0 ? [key] : []);
    }
  });
});

it.each(Object.entries(FORMS))('icons are found in %s', (_, write) => {
  for (const { key, raw } of icons)
    expect(finder.find(write(optimize(raw).data)).flat()).toContain(key);
});

describe('a drawing', () => {
  const wrap = (body: string, root = 'viewBox="0 0 24 24"'): string => `<svg ${root}>${body}</svg>`;
  const line = (d: string): string =>
    `<path fill="none" stroke="red" stroke-linecap="round" d="${d}"/>`;
  const key = 'known';
  const isFound = (known: string, shown: string): boolean =>
    createDrawingFinder([{ key, svg: known }]).find(shown).length > 0;

  it.each([
    ['a rectangle', '<rect x="3" y="4" width="10" height="6"/>', '<path d="M3 4h10v6H3z"/>'],
    [
      'a rounded rectangle',
      '<rect x="3" y="4" width="10" height="6" rx="2"/>',
      '<path d="M5 4h6c1.105 0 2 .895 2 2v2c0 1.105-.895 2-2 2H5c-1.105 0-2-.895-2-2V6c0-1.105.895-2 2-2z"/>',
    ],
    ['a circle', '<circle cx="12" cy="12" r="9"/>', '<path d="M3 12a9 9 0 1018 0 9 9 0 10-18 0"/>'],
    ['polygon and line', '<polygon points="2 2 9 2 9 9"/>', '<path d="m2 2 7 0 0 7z"/>'],
    [
      'a transform',
      '<g transform="translate(4 2) rotate(90 4 4)"><path d="M1 1h5v2"/></g>',
      '<path d="M11 3v5H9"/>',
    ],
    [
      'a line',
      '<line x1="3" y1="4" x2="9" y2="12" stroke="red"/>',
      '<path stroke="red" d="M3 4l6 8"/>',
    ],
    ['a matrix', '<path transform="matrix(2 0 1 2 3 1)" d="M1 1h4v4"/>', '<path d="M6 3h8l4 8"/>'],
    ['a scale', '<path transform="scale(2 .5)" d="M2 8h4v8z"/>', '<path d="M4 4h8v4z"/>'],
    ['one scale for both', '<path transform="scale(2)" d="M2 4h4v4z"/>', '<path d="M4 8h8v8z"/>'],
    ['a skew', '<path transform="skewX(45)" d="M2 2h8v8"/>', '<path d="M4 2h8l8 8"/>'],
    ['another skew', '<path transform="skewY(45)" d="M2 2h8v8"/>', '<path d="M2 4l8 8v8"/>'],
    [
      'use',
      '<defs><path id="a" d="M0 0h5v5"/></defs><use href="#a" x="3" y="4"/>',
      '<path d="M3 4h5v5"/>',
    ],
    [
      'curves',
      '<path d="M2 12Q7 2 12 12T22 12"/>',
      '<path d="M2 12c3.33-6.67 6.67-6.67 10 0s6.67 6.67 10 0"/>',
    ],
    [
      'what is not painted',
      '<path d="M1 1h9v9z"/>',
      '<path fill="none" d="M0 0h24v24H0z"/><path d="M1 1h9v9z"/><g style="display:none"><path d="M9 9h9"/></g><clipPath><path d="M0 0h5v5"/></clipPath>',
    ],
    [
      'classes',
      '<path fill="none" d="M0 0h24v24H0z"/><path d="M1 1h9v9z"/>',
      '<style>.a,.b{fill:none}</style><path class="b" d="M0 0h24v24H0z"/><path d="M1 1h9v9z"/>',
    ],
  ])('is the same, written another way: %s', (_, a, b) => {
    expect(isFound(wrap(a), wrap(b))).toBe(true);
    expect(isFound(wrap(b), wrap(a))).toBe(true);
  });

  it.each([
    ['elsewhere', wrap('<path d="M3 3h9v9z"/>'), wrap('<path d="M4 3h9v9z"/>')],
    ['larger', wrap('<circle cx="12" cy="12" r="9"/>'), wrap('<circle cx="12" cy="12" r="8"/>')],
    [
      'filled',
      wrap('<path fill="none" stroke="red" d="M3 3h9v9z"/>'),
      wrap('<path fill="red" d="M3 3h9v9z"/>'),
    ],
    ['with a dot more', wrap(line('M3 3h9v9')), wrap(line('M3 3h9v9M20 20h.01'))],
    [
      'in another view box',
      wrap('<path d="M3 3h9v9z"/>'),
      wrap('<path d="M3 3h9v9z"/>', 'viewBox="0 0 32 32"'),
    ],
  ])('is another one %s', (_, a, b) => {
    expect(isFound(a, b)).toBe(false);
    expect(isFound(b, a)).toBe(false);
  });

  it('has each icon that is drawn like it', () => {
    const svg = wrap('<path d="M3 3h9v9z"/>');
    const twins = createDrawingFinder([
      { key: 'a', svg },
      { key: 'b', svg: wrap('<polygon points="3 3 12 3 12 12"/>') },
    ]);
    expect(twins.find(svg)).toEqual([['a', 'b']]);
  });

  it('is read in a time that grows with the text: what is quadratic would take hours', () => {
    const texts = [
      '<svg viewBox="0 0 9 9">'.repeat(200_000),
      `<svg viewBox="0 0 9 9">${'<g>'.repeat(200_000)}`,
      `<svg viewBox="0 0 9 9">${'<use href="#a"/><g id="a"><use href="#a"/>'.repeat(5000)}</svg>`,
      `<svg viewBox="0 0 9 9"><path d="${'M-1e9 0L1e9 9'.repeat(50_000)}"/></svg>`,
      '"svg",{viewBox:"0 0 9 9"'.repeat(50_000),
      `<svg width=9 height=9 ${'"\'`'.repeat(300_000)}</svg>`,
      ...Array.from(
        'abcdefgh',
        (letter) => `<svg width=9 height=9><style>${letter.repeat(125_000)}</style></svg>`,
      ),
    ];
    for (const text of texts) expect(finder.find(text)).toEqual([]);
  });
});
