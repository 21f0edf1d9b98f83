import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture on white: icons are mostly black, and would be invisible on a dark terminal. */
export interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  rgb: Uint8Array;
}

/** The largest side in pixels. Thumbnails have at most 200. */
const LARGEST = 2048;
/** Samples of a pixel, by the colour type of a PNG. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads a PNG. `undefined` for what is none, or has a form that thumbnails do not have. */
export function readPng(file: Uint8Array): Pixels | undefined {
  try {
    return decode(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  } catch {
    return undefined;
  }
}

interface Header {
  width: number;
  height: number;
  depth: number;
  type: number;
}

function decode(file: Buffer): Pixels | undefined {
  const chunks = chunksOf(file);
  const head = chunks.find(({ name }) => name === 'IHDR')?.data;
  if (head === undefined) return undefined;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth = 0, type = 0, , , interlaced] = head.subarray(8);
  const channels = CHANNELS[type];
  if (channels === undefined || interlaced !== 0 || ![1, 2, 4, 8, 16].includes(depth))
    return undefined;
  if (width === 0 || height === 0 || width > LARGEST || height > LARGEST) return undefined;
  const stride = Math.ceil((width * channels * depth) / 8);
  const packed = Buffer.concat(
    chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data),
  );
  const rows = inflateSync(packed, { maxOutputLength: (stride + 1) * height });
  if (rows.length < (stride + 1) * height) return undefined;
  const samples = unfilter(rows, {
    height,
    stride,
    step: Math.max(1, Math.ceil((channels * depth) / 8)),
  });
  const find = (wanted: string): Buffer | undefined =>
    chunks.find(({ name }) => name === wanted)?.data;
  const palette = { colors: find('PLTE'), alphas: find('tRNS') };
  return onWhite(samples, { width, height, depth, type }, { stride, channels, palette });
}

function chunksOf(file: Buffer): { name: string; data: Buffer }[] {
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, at + 8 + length);
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), data });
    at += length + 12;
  }
  return chunks;
}

/** Each row states the difference to its neighbours; the first byte of a row is the kind of difference. */
function unfilter(
  rows: Buffer,
  { height, stride, step }: { height: number; stride: number; step: number },
): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const kind = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < step ? 0 : (out[at - step] ?? 0);
      const above = y === 0 ? 0 : (out[at - stride] ?? 0);
      const corner = x < step || y === 0 ? 0 : (out[at - stride - step] ?? 0);
      const raw = rows[y * (stride + 1) + 1 + x] ?? 0;
      out[at] = raw + predict(kind, { left, above, corner });
    }
  }
  return out;
}

function predict(
  kind: number,
  { left, above, corner }: { left: number; above: number; corner: number },
): number {
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  if (kind !== 4) return 0;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(guess - one));
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner;
}

function onWhite(
  samples: Uint8Array,
  { width, height, depth, type }: Header,
  {
    stride,
    channels,
    palette: { colors, alphas },
  }: {
    stride: number;
    channels: number;
    palette: { colors: Buffer | undefined; alphas: Buffer | undefined };
  },
): Pixels {
  const rgb = new Uint8Array(width * height * 3);
  const most = 2 ** Math.min(depth, 8) - 1;
  /** A sample of a row, of 0 to 255; of a palette, its index. */
  const sample = (y: number, index: number): number => {
    if (depth >= 8) return samples[y * stride + (index * depth) / 8] ?? 0;
    const bit = index * depth;
    const byte = samples[y * stride + (bit >> 3)] ?? 0;
    const value = (byte >> (8 - depth - (bit & 7))) & most;
    return type === 3 ? value : (value * 255) / most;
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const first = sample(y, x * channels);
      const alpha =
        type === 3
          ? (alphas?.[first] ?? 255)
          : channels % 2 === 0
            ? sample(y, x * channels + channels - 1)
            : 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const value =
          type === 3
            ? (colors?.[first * 3 + channel] ?? 0)
            : channels < 3
              ? first
              : sample(y, x * channels + channel);
        rgb[(y * width + x) * 3 + channel] = Math.round(255 + ((value - 255) * alpha) / 255);
      }
    }
  return { width, height, rgb };
}

/** The same picture on white, as a PNG. */
export function writePng({ width, height, rgb }: Pixels): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return Buffer.concat([signature, ...parts]);
}

function chunk(name: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** The picture in other dimensions: each pixel is the mean of those that it covers; the margin is white. */
export function scale(pixels: Pixels, width: number, height: number): Pixels {
  const factor = Math.max(pixels.width / width, pixels.height / height);
  const [left, top] = [(width - pixels.width / factor) / 2, (height - pixels.height / factor) / 2];
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const mean = meanOf(pixels, {
        x: [(x - left) * factor, (x + 1 - left) * factor],
        y: [(y - top) * factor, (y + 1 - top) * factor],
      });
      rgb.set(mean, (y * width + x) * 3);
    }
  return { width, height, rgb };
}

function meanOf(
  { width, height, rgb }: Pixels,
  { x, y }: { x: [number, number]; y: [number, number] },
): [number, number, number] {
  const sums = [0, 0, 0];
  let count = 0;
  const end = ([from, to]: [number, number]): number =>
    Math.max(Math.floor(from) + 1, Math.round(to));
  for (let row = Math.floor(y[0]); row < end(y); row += 1)
    for (let column = Math.floor(x[0]); column < end(x); column += 1) {
      const isInside = row >= 0 && row < height && column >= 0 && column < width;
      const at = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel += 1)
        sums[channel] = (sums[channel] ?? 0) + (isInside ? (rgb[at + channel] ?? 0) : 255);
      count += 1;
    }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => Math.round(sum / count));
  return [red, green, blue];
}

export type Depth = 4 | 8 | 24;

/** Lines of text: each character shows two pixels, one above the other. The terminal's own colours return at the end of a line. */
export function toHalfBlocks({ width, height, rgb }: Pixels, depth: Depth): string[] {
  const colorAt = (x: number, y: number): string => toCode(rgb, (y * width + x) * 3, depth);
  return Array.from({ length: Math.floor(height / 2) }, (_, row) => {
    let line = '';
    let before = '';
    for (let x = 0; x < width; x += 1) {
      const [upper, lower] = [colorAt(x, row * 2), colorAt(x, row * 2 + 1)];
      const colors = `\u001b[${toForeground(upper)};${lower}m`;
      line += colors === before ? '▀' : `${colors}▀`;
      before = colors;
    }
    return `${line}\u001b[0m`;
  });
}

/** The code of a background. */
function toCode(rgb: Uint8Array, at: number, depth: Depth): string {
  const [red = 0, green = 0, blue = 0] = rgb.subarray(at, at + 3);
  if (depth === 24) return `48;2;${red};${green};${blue}`;
  const light = red * 0.3 + green * 0.59 + blue * 0.11;
  if (depth === 4) return light < 140 ? '40' : '107';
  const isGrey = Math.max(red, green, blue) - Math.min(red, green, blue) < 16;
  if (isGrey && light > 4 && light < 247) return `48;5;${232 + Math.round((light - 8) / 10.3)}`;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((one) => Math.round((one / 255) * 5));
  return `48;5;${16 + 36 * r + 6 * g + b}`;
}

function toForeground(background: string): string {
  return background.startsWith('48;') ? `3${background.slice(1)}` : String(Number(background) - 10);
}

/** Levels of each channel: sixel pictures have at most 256 colours. */
const LEVELS = 6;

/** The picture in the sixel format: bands of six rows, in which each colour has its own pass. */
export function toSixel({ width, height, rgb }: Pixels): string {
  const levels = (at: number): number[] =>
    [...rgb.subarray(at, at + 3)].map((one) => Math.round((one / 255) * (LEVELS - 1)));
  const indexAt = (x: number, y: number): number =>
    levels((y * width + x) * 3).reduce((sum, one) => sum * LEVELS + one, 0);
  const used = new Set<number>();
  let bands = '';
  for (let top = 0; top < height; top += 6) {
    const masks = new Map<number, number[]>();
    for (let x = 0; x < width; x += 1)
      for (let bit = 0; bit < 6 && top + bit < height; bit += 1) {
        const index = indexAt(x, top + bit);
        const columns = masks.get(index) ?? Array.from({ length: width }, () => 0);
        columns[x] = (columns[x] ?? 0) | (1 << bit);
        masks.set(index, columns);
        used.add(index);
      }
    const passes = [...masks].map(
      ([index, columns]) =>
        `#${index}${columns.map((one) => String.fromCodePoint(63 + one)).join('')}`,
    );
    bands += `${passes.join('$')}-`;
  }
  const percent = (index: number, power: number): number =>
    Math.round(((Math.floor(index / LEVELS ** power) % LEVELS) * 100) / (LEVELS - 1));
  const colors = [...used].map(
    (index) => `#${index};2;${percent(index, 2)};${percent(index, 1)};${percent(index, 0)}`,
  );
  return `\u001bPq"1;1;${width};${height}${colors.join('')}${bands}\u001b\\`;
}
