import { createRequire } from 'node:module';
import pixelmatch from 'pixelmatch';

export interface Picture {
  width: number;
  height: number;
  /** RGBA. */
  data: Uint8Array;
}

const { PNG } = createRequire(import.meta.url)('pngjs') as {
  PNG: { sync: { read(bytes: Buffer): Picture } };
};

export function readPicture(png: Buffer): Picture {
  return PNG.sync.read(png);
}

/** What a box of a page shows, of a picture of the whole page. */
export function crop(
  { data, width }: Picture,
  box: { x: number; y: number; width: number; height: number },
): Picture {
  const rows = Array.from({ length: box.height }, (_, row) => {
    const start = ((box.y + row) * width + box.x) * 4;
    return data.subarray(start, start + box.width * 4);
  });
  return { width: box.width, height: box.height, data: Buffer.concat(rows) };
}

/** Part of the pixels that differ to the eye; 1 where the sizes do. */
export function difference(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  const count = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });
  return count / (a.width * a.height);
}

/** Pixels that are neither white nor grey nor black. */
export function countColored({ data }: Picture): number {
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) count += 1;
  }
  return count;
}
