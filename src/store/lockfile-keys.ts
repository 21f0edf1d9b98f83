import type { Filetype } from '../types.ts';

/** What a line of the lock is about. */
export interface LockSubject {
  id: number;
  /** `meta`: the record alone. */
  kind: Filetype | 'meta';
  /**
   * Six lower-case hex digits that the catalog was asked to paint with; `original` (svg): it was asked without a colour;
   * `null`: in the sentinel colour (svg), or asked without a colour (png).
   */
  color: string | null;
  /** Digits, 20–1200, png only; `null`: the service's own size. */
  size: string | null;
}

/** Six digits are a colour and four at most a size, so that no two subjects share a key. */
const KEY =
  /^([1-9]\d{0,15}):(?:(meta)|(svg)(?::(original|[0-9a-f]{6}))?|(png)(?::([0-9a-f]{6}))?(?::([1-9]\d{1,3}))?)$/;

/** `123:svg`, `123:svg:ff0000`, `123:svg:original`, `123:png:ff0000:64`, `123:meta`. */
export function toLockKey({ id, kind, color, size }: LockSubject): string {
  return [id, kind, color, size].filter((part) => part !== null).join(':');
}

/**
 * Lines that an svg of this colour may need, in the order in which they are read. The second is needed only if the first
 * turns out to be a drawing of several colours: it is then drawn in the asked colour by the catalog, or in its own.
 */
export function toSvgKeys(id: number, color: string): [string, ...string[]] {
  const keyOf = (asked: string | null): string =>
    toLockKey({ id, kind: 'svg', color: asked, size: null });
  if (color === 'original') return [keyOf(color)];
  return [keyOf(null), keyOf(color === 'currentColor' ? 'original' : color)];
}

/** `undefined`: no key of a lock. */
export function parseLockKey(key: string): LockSubject | undefined {
  const [, id, meta, svg, svgColor, , pngColor, size] = KEY.exec(key) ?? [];
  const number = Number(id);
  if (id === undefined || !Number.isSafeInteger(number)) return undefined;
  const kind = meta === undefined ? (svg === undefined ? 'png' : 'svg') : 'meta';
  return { id: number, kind, color: svgColor ?? pngColor ?? null, size: size ?? null };
}

/** By id, then by key in code-unit order. */
export function compareLockKeys(one: string, other: string): number {
  const difference = idOf(one) - idOf(other);
  if (difference !== 0) return difference;
  return one < other ? -1 : one > other ? 1 : 0;
}

function idOf(key: string): number {
  return Number.parseInt(key, 10);
}
