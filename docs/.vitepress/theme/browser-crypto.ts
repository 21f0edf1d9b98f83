import type { TryIcons } from './try-icons.ts';

const ids = new Map<string, number>();

/** Icons whose names have ids from now on. */
export function know(icons: TryIcons): void {
  for (const [name, { id }] of Object.entries(icons)) ids.set(name, id);
}

/**
 * What the page needs of Node's module: the digests that ids of icons are made of. Browsers have no hash that returns at
 * once, so that only the icons of the page have theirs.
 */
export function hash(_algorithm: string, text: string): string {
  const id = ids.get(text.slice('icon:'.length).replace(':', '/')) ?? 1;
  return id.toString(16).padStart(12, '0');
}
