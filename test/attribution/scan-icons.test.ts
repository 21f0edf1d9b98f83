import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIconScanner, type IconScanner } from '../../src/attribution/check/scan.ts';
import { svgToDataUri } from '../../src/emit/svg-text.ts';
import { toJsLiteral } from '../../src/emit/module-code.ts';
import { prepareSvg } from '../../src/svg/prepare-svg.ts';
import { renderSvg } from '../../src/svg/render-svg.ts';

const require = createRequire(import.meta.url);

interface Sample {
  key: string;
  fingerprint: string;
  svg: string;
}

async function sampleOf(key: string, body: string, viewBox: string): Promise<Sample> {
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${body}</svg>`;
  const master = await prepareSvg(new TextEncoder().encode(source), {
    id: 1,
    askedColor: '010203',
    optimize: true,
    strict: false,
    animation: false,
    maxBytes: 1_000_000,
  });
  const svg = renderSvg(master, {
    id: 1,
    color: 'ff0000',
    size: '2em',
    title: 'M1 1h8v8',
    class: null,
    isFile: true,
  });
  return { key, fingerprint: master.fingerprint, svg };
}

/** Every 20th icon of a set. */
async function samplesOf(set: string): Promise<Sample[]> {
  const data = JSON.parse(
    readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8'),
  ) as IconifyJSON;
  const chosen = Object.entries(data.icons).filter((_, index) => index % 20 === 0);
  return Promise.all(
    chosen.map(async ([name, icon]) => {
      const width = icon.width ?? data.width ?? 16;
      const height = icon.height ?? data.height ?? 16;
      return sampleOf(`${set}:${name}`, icon.body, `0 0 ${width} ${height}`);
    }),
  );
}

const SHAPES: Record<string, string> = {
  disc: '<circle cx="12" cy="12" r="9"/>',
  ring: '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="3.5"/>',
  line: '<line x1="2" y1="3" x2="21" y2="20" stroke="#000"/>',
  kite: '<polygon points="12 2 20 12 12 22 4 12"/>',
};

let samples: Sample[];
let scanner: IconScanner;
beforeAll(async () => {
  const sets = ['tabler', 'maki', 'game-icons'].map(samplesOf);
  const shapes = Object.entries(SHAPES).map(([name, body]) => sampleOf(name, body, '0 0 24 24'));
  samples = [...(await Promise.all(sets)).flat(), ...(await Promise.all(shapes))];
  scanner = createIconScanner(samples);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const entities = (text: string): string =>
  text.replace(/[&<>"' ]/g, (character) => `&#${character.codePointAt(0)};`);
const hex = (text: string): string =>
  text.replace(/[<>" ]/g, (c) => String.raw`\x${c.charCodeAt(0).toString(16)}`);

/** What becomes of markup on its way through bundlers. */
const FORMS: Record<string, (svg: string) => string> = {
  'an svg file': (svg) => `<?xml version="1.0"?>\n${svg}\n`,
  'an HTML page': (svg) => `<!doctype html><p>${svg}</p>`,
  'a JavaScript string': (svg) => `var a=${toJsLiteral(svg)};`,
  'a string within a string (eval)': (svg) => `eval(${JSON.stringify(`a=${toJsLiteral(svg)}`)})`,
  'a string with hexadecimal escapes': (svg) => `a='${hex(svg)}'`,
  'a data address': (svg) => `a{background:url("${svgToDataUri(svg)}")}`,
  'a data address that encodes everything': (svg) =>
    `a{background:url(data:image/svg+xml,${encodeURIComponent(svg)})}`,
  'a base64 address': (svg) => `a{background:url(data:image/svg+xml;base64,${base64(svg)})}`,
  'a base64 address in a base64 address': (svg) =>
    `<img src="data:text/html;base64,${base64(`<img src="data:image/svg+xml;base64,${base64(svg)}">`)}">`,
  'an attribute with entities': (svg) => `<iframe srcdoc="${entities(svg)}"></iframe>`,
  'a symbol of a sprite': (svg) =>
    svg.replace(/<svg[^>]*>/, '<symbol id="a" viewBox="0 0 9 9">').replace('</svg>', '</symbol>'),
  'calls that make elements': (svg) =>
    svg
      .replaceAll(/<title>.*?<\/title>|<\/\w+>/g, '')
      .replaceAll(
        /<(\w+)([^>]*?)\/?>/g,
        (_, name: string, attributes: string) =>
          `h("${name}",{${attributes.trim().replaceAll(/([\w:-]+)=("[^"]*") ?/g, '"$1":$2,')}}),`,
      ),
};

describe.each(Object.entries(FORMS))('as %s', (_, write) => {
  it('every icon is found', () => {
    const missing = samples.filter(({ key, svg }) => !scanner.scan(write(svg)).has(key));
    expect(missing.map(({ key }) => key)).toEqual([]);
  });

  it('next to nothing else is', () => {
    const others = samples.filter(({ svg }) => scanner.scan(write(svg)).size > 1);
    // Drawings that differ in white space alone, or far down.
    expect(others.length).toBeLessThan(samples.length / 100);
  });
});

describe('the scanner', () => {
  it('finds all of thousands in one file, as bytes, also when a minifier wrote it', async () => {
    const code = samples.map(({ svg }, index) => `export const a${index} = ${toJsLiteral(svg)};`);
    const { code: minified } = await transform(code.join('\n'), { minify: true });
    for (const text of [code.join('\n'), minified])
      expect(scanner.scan(Buffer.from(text)).size).toBe(samples.length);
  });

  it('finds pictures by their bytes, alone and in an address', () => {
    const png = Uint8Array.from({ length: 200 }, (_, index) => (index * 7) % 256);
    const digest = createHash('sha256').update(png).digest('hex');
    const pictures = createIconScanner([{ key: 'photo', fingerprint: `sha256:${digest}` }]);
    expect([...pictures.scan(png)]).toEqual(['photo']);
    const address = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
    expect([...pictures.scan(`<img src="${address}">`)]).toEqual(['photo']);
    expect([...pictures.scan(address.replaceAll('/', '%2F'))]).toEqual(['photo']);
    expect(pictures.scan(png.slice(1)).size).toBe(0);
  });

  it('does not take a part for the whole', () => {
    const disc = samples.find(({ key }) => key === 'disc');
    const ring = samples.find(({ key }) => key === 'ring');
    expect([...scanner.scan(ring?.svg ?? '')]).toEqual(['ring']);
    expect([...scanner.scan(disc?.svg ?? '')]).toEqual(['disc']);
  });

  it('finds nothing in code without artwork', () => {
    const code = readFileSync(require.resolve('ajv'));
    expect(scanner.scan(code).size).toBe(0);
    expect(scanner.scan('').size).toBe(0);
    expect(createIconScanner([{ key: 'none', fingerprint: '' }]).scan('<svg></svg>').size).toBe(0);
  });

  it('reads what seeks to slow it down: what is quadratic would take hours', () => {
    const evil = [
      'm1'.repeat(5_000_000),
      'm0 '.repeat(4_000_000),
      `"M1${'%20'.repeat(3_000_000)}`,
      `"M1${'\\n'.repeat(5_000_000)}`,
      `M1${'\\'.repeat(4_000_000)}`,
      'svg cx='.repeat(1_000_000),
      `;base64,${'A'.repeat(10_000_000)}`,
      '&#'.repeat(4_000_000),
    ];
    for (const text of evil) expect(scanner.scan(text).size).toBe(0);
  });
});
