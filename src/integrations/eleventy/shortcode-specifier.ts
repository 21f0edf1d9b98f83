import { ICON_PREFIX } from '../../request/specifier.ts';

/** What a shortcode or a filter may say besides the icon. */
export interface ShortcodeOptions {
  title?: string;
  class?: string;
  color?: string;
  size?: string | number;
}

/** `{% icon "star", "Title", "class" %}`, `{% icon "star", { color: "f00" } %}` and keyword arguments: all the ways of template languages. */
export function shortcodeOptions([first, second]: readonly unknown[]): ShortcodeOptions {
  if (typeof first === 'object' && first !== null) return first;
  return {
    ...(typeof first === 'string' && { title: first }),
    ...(typeof second === 'string' && { class: second }),
  };
}

/** `123`, `star?size=32` and `icon:star` with colour and size as parameters of the one specifier. */
export function shortcodeSpecifier(
  written: unknown,
  { color, size }: ShortcodeOptions = {},
): string {
  const text = String(written).trim();
  const specifier = text.startsWith(ICON_PREFIX) ? text : `${ICON_PREFIX}${text}`;
  const params = Object.entries({ color, size })
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (params.length === 0) return specifier;
  return `${specifier}${specifier.includes('?') ? '&' : '?'}${params.join('&')}`;
}
