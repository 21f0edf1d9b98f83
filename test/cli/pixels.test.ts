import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Pixels,
  readPng,
  scale,
  toHalfBlocks,
  toSixel,
  writePng,
} from '../../src/cli/pixels.ts';

interface Picture {
  data: Buffer;
}
/** An independent reader and writer, which brings no types. */
const { PNG } = createRequire(import.meta.url)('pngjs') as {
  PNG: {
    new (size: { width: number; height: number }): Picture;
    sync: { read(file: Buffer): Picture; write(picture: Picture, options?: object): Buffer };
  };
};

const SIZE = { width: 7, height: 5 };

/** Colours with all degrees of opacity. */
function sample(): Picture {
  const png = new PNG({ ...SIZE });
  for (let at = 0; at < SIZE.width * SIZE.height; at += 1)
    png.data.set([(at * 37) % 256, (at * 91) % 256, (at * 13) % 256, (at * 29) % 256], at * 4);
  return png;
}

/** What is left of the pixels on white, by an independent reader. */
function expected(file: Buffer): number[] {
  const { data } = PNG.sync.read(file);
  return Array.from({ length: data.length / 4 }, (_, at) => {
    const alpha = (data[at * 4 + 3] ?? 0) / 255;
    return [0, 1, 2].map((one) => Math.round(255 + ((data[at * 4 + one] ?? 0) - 255) * alpha));
  }).flat();
}

/** A picture of 16 greys or colours, four bits each, two pixels to the byte. */
function packed(type: 0 | 3): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), data])));
    return Buffer.concat([length, Buffer.from(name), data, crc]);
  };
  const head = Buffer.from([0, 0, 0, 4, 0, 0, 0, 2, 4, type, 0, 0, 0]);
  const rows = Buffer.from([0, 0x01, 0x23, 1, 0xff, 0x10]);
  const palette = Buffer.from(Array.from({ length: 48 }, (_, at) => (at * 41) % 256));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...(type === 3 ? [chunk('PLTE', palette), chunk('tRNS', Buffer.from([0, 128, 255]))] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a PNG', () => {
  it.each([
    ['colours and opacity', 6],
    ['colours', 2],
    ['greys', 0],
    ['greys and opacity', 4],
  ] as const)('of %s is read as a picture on white, with every row filter', (_, colorType) => {
    for (const filterType of [0, 1, 2, 3, 4]) {
      const file = PNG.sync.write(sample(), { colorType, filterType, inputHasAlpha: true });
      const { width, height, rgb } = readPng(file) ?? { rgb: [] };
      expect({ width, height }).toEqual(SIZE);
      expect([...rgb]).toEqual(expected(file));
    }
  });

  it.each([0, 3] as const)('of four bits a pixel, type %i, is read', (type) => {
    const file = packed(type);
    expect([...(readPng(file)?.rgb ?? [])]).toEqual(expected(file));
  });

  it('is written so that others read the same pixels', () => {
    const pixels = readPng(PNG.sync.write(sample())) as Pixels;
    const { data } = PNG.sync.read(Buffer.from(writePng(pixels)));
    expect([...data].filter((_, at) => at % 4 < 3)).toEqual([...pixels.rgb]);
  });

  it('that is broken, huge or interlaced is none, and never an error', () => {
    const file = PNG.sync.write(sample());
    for (const at of [16, 24, 25, 28]) {
      const broken = Buffer.from(file);
      broken[at] = 0xff;
      expect(readPng(broken)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const broken = Buffer.from(file);
        broken[at] = byte;
        readPng(broken);
        readPng(broken.subarray(0, at));
      }),
    );
  });
});

describe('a picture in a terminal', () => {
  const pixels = (width: number, height: number, at: (x: number, y: number) => number): Pixels => ({
    width,
    height,
    rgb: Uint8Array.from({ length: width * height * 3 }, (_, index) =>
      at(Math.floor(index / 3) % width, Math.floor(index / 3 / width)),
    ),
  });

  it('keeps its proportions, on white', () => {
    const wide = scale(
      pixels(40, 20, () => 0),
      4,
      4,
    );
    const rows = [0, 1, 2, 3].map((y) => Array.from(wide.rgb.subarray(y * 12, y * 12 + 12)));
    const row = (value: number): number[] => Array.from({ length: 12 }, () => value);
    expect(rows).toEqual([row(255), row(0), row(0), row(255)]);
    expect([
      ...scale(
        pixels(8, 8, (x) => (x % 2) * 255),
        4,
        4,
      ).rgb,
    ]).toEqual(Array.from({ length: 48 }, () => 128));
  });

  it('has two pixels a character', () => {
    const [line = '', ...others] = toHalfBlocks(
      pixels(2, 2, (x, y) => (x + y) * 100),
      24,
    );
    expect(others).toEqual([]);
    expect(line).toBe(
      '\u001b[38;2;0;0;0;48;2;100;100;100m▀\u001b[38;2;100;100;100;48;2;200;200;200m▀\u001b[0m',
    );
    expect(
      toHalfBlocks(
        pixels(3, 2, () => 255),
        4,
      ),
    ).toEqual(['\u001b[97;107m▀▀▀\u001b[0m']);
    expect(
      toHalfBlocks(
        pixels(1, 2, (_, y) => 128 + y * 127),
        8,
      ),
    ).toEqual(['\u001b[38;5;244;48;5;231m▀\u001b[0m']);
  });

  it('in sixel has every pixel once, in the nearest of 216 colours', () => {
    const level = (one: number): number => Math.round(one / 51) * 51;
    const colorful: Pixels = {
      width: 5,
      height: 8,
      rgb: Uint8Array.from({ length: 5 * 8 * 3 }, (_, at) => (at * 37) % 256),
    };
    // A drawing as a catalog has it: 200 px, drawn by a renderer, in the size that a list gives it.
    const drawing = readPng(
      new Resvg(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#c30" d="M1 1h4v7H1z"/><circle cx="6" cy="4" r="2" fill="#36f" fill-opacity=".6"/></svg>',
        { fitTo: { mode: 'width', value: 200 } },
      )
        .render()
        .asPng(),
    );
    if (drawing === undefined) throw new Error('The renderer wrote no PNG.');
    for (const given of [colorful, scale(drawing, 33, 32)]) {
      const { width, height, rgb } = decodeSixel(toSixel(given));
      expect([width, height]).toEqual([given.width, given.height]);
      expect(rgb).toEqual([...given.rgb].map(level));
    }
  });
});

/**
 * What a sixel terminal draws, by the rules of DEC's VT330/VT340 manual: colours in percent, repeats, bands of six rows, and
 * pixels that no command sets stay unset, which a test reports as another colour.
 */
function decodeSixel(text: string): { width: number; height: number; rgb: number[] } {
  const [, columns = '', rows = '', body = ''] =
    /^\u001bP[\d;]*q"1;1;(\d+);(\d+)(.*)\u001b\\$/s.exec(text) ?? [];
  const [width, height] = [Number(columns), Number(rows)];
  const shown = new Map<number, number[]>();
  const colors = new Map<string, number[]>();
  let [x, top, color] = [0, 0, ''];
  let rest = body;
  while (rest !== '') {
    const [token = '', index, rgb, repeat, sixel] =
      /^(?:#(\d+)(?:;2;(\d+;\d+;\d+))?|(?:!(\d+))?([?-~])|[$-])/.exec(rest) ?? [];
    if (token === '')
      throw new Error(`A terminal does not know ${JSON.stringify(rest.slice(0, 20))}.`);
    rest = rest.slice(token.length);
    if (index !== undefined) {
      color = index;
      if (rgb !== undefined)
        colors.set(
          index,
          rgb.split(';').map((one) => Math.round((Number(one) * 255) / 100)),
        );
    } else if (sixel === undefined) {
      [x, top] = [0, token === '-' ? top + 6 : top];
    } else {
      for (let count = Number(repeat ?? 1); count > 0; count -= 1, x += 1)
        for (let bit = 0; bit < 6; bit += 1) {
          if (((sixel.charCodeAt(0) - 63) & (1 << bit)) === 0) continue;
          const at = (top + bit) * width + x;
          if (x >= width || top + bit >= height || shown.has(at))
            throw new Error(`Pixel ${x}, ${top + bit} is outside, or set twice.`);
          shown.set(at, colors.get(color) ?? []);
        }
    }
  }
  const all = Array.from({ length: width * height }, (_, at) => shown.get(at) ?? [-1, -1, -1]);
  return { width, height, rgb: all.flat() };
}
