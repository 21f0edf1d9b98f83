import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PickerIcon } from '../api.ts';
import { thumbAddress } from './client.ts';
import { toCss } from './copy-forms.ts';

/** The picture of an icon. One of a single colour is a mask, so that it shows in any colour without a call. */

type Kind = 'mask' | 'picture' | 'broken';

/** What the pictures of this visit turned out to be, by address. */
const kinds = new Map<string, Kind>();

/** A picture that was asked for while nothing answered is asked for again. */
export function forgetBroken(): void {
  for (const [address, kind] of kinds) if (kind === 'broken') kinds.delete(address);
}

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
      // A mask is fetched in this mode: the picture that was loaded is its mask, without a second request.
      // It comes before the address, since Safari starts to load as soon as it has one.
      crossorigin="anonymous"
      src={address}
      alt=""
      draggable={false}
      decoding="async"
      style={{ ...pixels, ...mask }}
      onLoad={(event) => kind === undefined && know(probe(event.currentTarget))}
      onError={() => know('broken')}
    />
  );
}

/** The few pictures of the page itself. */

const PATHS = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l4.500 4.500',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14 6l-6 6 6 6',
  next: 'M10 6l6 6-6 6',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  auto: 'M4 5h16v11H4zM9 20h6M12 16v4',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  large: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  small:
    'M4 4h4v4H4zM10 4h4v4h-4zM16 4h4v4h-4zM4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4zM4 16h4v4H4zM10 16h4v4h-4zM16 16h4v4h-4z',
  bag: 'M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0',
  check: 'M5 12.500l4.500 4.500L19 7.500',
} as const;

export function Mark({ name }: { name: keyof typeof PATHS }): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function MarkButton({
  name,
  label,
  ...rest
}: {
  name: keyof typeof PATHS;
  label: string;
  title?: string;
  disabled?: boolean;
  'aria-pressed'?: boolean;
  onClick(): void;
}): VNode {
  return (
    <button type="button" class="quiet" aria-label={label} {...rest}>
      <Mark name={name} />
    </button>
  );
}

/** The sign of the page: four icons on a sheet. */
export function Sign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path class="a" d="M8 8h7v7H8zM17 17h7v7h-7z" />
      <path
        class="b"
        d="M20.500 8a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7M8 24l3.500-7 3.500 7z"
      />
    </svg>
  );
}
