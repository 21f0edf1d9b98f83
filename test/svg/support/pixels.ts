import { Resvg } from '@resvg/resvg-js';

export function pixels(svg: string, width = 256): Buffer {
  return new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { loadSystemFonts: false },
  }).render().pixels;
}

/** Part of the pixels in which a channel differs by more than rounding; 1 where even the size differs. */
export function difference(before: string, after: string): number {
  const [a, b] = [pixels(before), pixels(after)];
  if (a.length !== b.length) return 1;
  let different = 0;
  for (let at = 0; at < a.length; at += 4)
    if (
      [0, 1, 2, 3].some((channel) => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)) > 16)
    )
      different += 1;
  return different / (a.length / 4);
}