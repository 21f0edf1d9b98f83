import type { IconRequest } from '../types.ts';
import { ICON_PREFIX } from './specifier.ts';

/**
 * The one spelling of a request: parameters sorted, defaults written out, what is `null` left out.
 * Values are percent-encoded down to letters, digits and `- . _ ~`, so that the text is safe as a
 * file name's part, in quotes of either kind and inside a CSS `url()`.
 */
export function toCanonical(request: Omit<IconRequest, 'canonical'>): string {
  const { as, class: classes, color, filetype, size, title } = request;
  const query = Object.entries({ as, class: classes, color, filetype, size, title })
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeValue(value)}`]))
    .join('&');
  return `${ICON_PREFIX}${request.id}?${query}`;
}

function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
