import type { IconRequest } from '../types.ts';
import { ICON_PREFIX } from './specifier.ts';

/**
 * The one spelling of a request: parameters sorted, defaults written out, what is `null` left out.
 * Values are percent-encoded down to letters, digits and `- . _ ~`, so that the text is safe as a
 * file name's part, in quotes of either kind and inside a CSS `url()`.
 */
export function toCanonical(request: Omit<IconRequest, 'canonical'>): string {
  const { id, as, class: classes, color, filetype, size, title } = request;
  const query =
    `as=${as}` +
    parameter('class', classes) +
    parameter('color', color) +
    `&filetype=${filetype}` +
    parameter('size', size) +
    parameter('title', title);
  return `${ICON_PREFIX}${id}?${query}`;
}

function parameter(name: string, value: string | null): string {
  if (value === null) return '';
  return `&${name}=${/^[\w.]*$/.test(value) ? value : encodeValue(value)}`;
}

function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
