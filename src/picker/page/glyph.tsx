import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { thumbAddress } from './client.ts';
import { toCss } from './copy-forms.ts';

/** The picture of an icon. One of a single colour is a mask, so that it shows in any colour without a call. */

type Kind = 'mask' | 'picture' | 'broken';

/** What the pictures of this visit turned out to be, by address. */
const kinds = new Map<string, Kind>();
const PROBE = 24;
/** Below it a pixel is part of an edge, whose colour is rounded. */
const OPAQUE = 200;
const TOLERANCE = 40;

function hasOneColor({ data }: ImageData): boolean {
  let first = -1;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < OPAQUE) continue;
    if (first === -1) first = at;
    for (let channel = 0; channel < 3; channel += 1) {
      if (Math.abs((data[at + channel] ?? 0) - (data[first + channel] ?? 0)) > TOLERANCE)
        return false;
    }
  }
  return true;
}

function probe(image: HTMLImageElement): Kind {
  const canvas = document.createElement('canvas');
  canvas.width = PROBE;
  canvas.height = PROBE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return 'picture';
  context.drawImage(image, 0, 0, PROBE, PROBE);
  return hasOneColor(context.getImageData(0, 0, PROBE, PROBE)) ? 'mask' : 'picture';
}

/** True if the icon has colours of its own; undefined until its picture was seen. */
export function isMulticolor(icon: PickerIcon): boolean | undefined {
  if (icon.thumb === undefined) return undefined;
  const kind = kinds.get(thumbAddress(icon.thumb));
  return kind === undefined ? undefined : kind === 'picture';
}

interface GlyphProps {
  icon: PickerIcon;
  /** Six hex digits or `currentColor`. */
  color?: string;
  size?: number;
  onKnown?(): void;
}

export function Glyph({ icon, color, size, onKnown }: GlyphProps): VNode {
  const [, draw] = useState(0);
  const address = icon.thumb === undefined ? '' : thumbAddress(icon.thumb);
  const kind = address === '' ? 'broken' : kinds.get(address);
  const pixels = size === undefined ? {} : { width: `${size}px`, height: `${size}px` };
  if (kind === 'broken') return <span class="glyph none" style={pixels} />;
  const know = (found: Kind): void => {
    kinds.set(address, found);
    draw((count) => count + 1);
    onKnown?.();
  };
  const mask =
    kind === 'mask'
      ? { maskImage: `url("${address}")`, ...(color && { backgroundColor: toCss(color) }) }
      : {};
  return (
    <img
      key={address}
      class={`glyph ${kind ?? 'unknown'}`}
      src={address}
      alt=""
      draggable={false}
      // A mask is fetched in this mode: the picture that was loaded is its mask, without a second request.
      crossorigin="anonymous"
      decoding="async"
      style={{ ...pixels, ...mask }}
      onLoad={(event) => kind === undefined && know(probe(event.currentTarget))}
      onError={() => know('broken')}
    />
  );
}
