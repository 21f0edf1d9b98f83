import { quote, refuse } from './refusal.ts';
import { suggest } from './suggest.ts';

const HEX_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['black', '000000'],
  ['silver', 'c0c0c0'],
  ['gray', '808080'],
  ['grey', '808080'],
  ['white', 'ffffff'],
  ['maroon', '800000'],
  ['red', 'ff0000'],
  ['purple', '800080'],
  ['fuchsia', 'ff00ff'],
  ['magenta', 'ff00ff'],
  ['green', '008000'],
  ['lime', '00ff00'],
  ['olive', '808000'],
  ['yellow', 'ffff00'],
  ['orange', 'ffa500'],
  ['navy', '000080'],
  ['blue', '0000ff'],
  ['teal', '008080'],
  ['aqua', '00ffff'],
  ['cyan', '00ffff'],
]);

/** `currentColor`, `original`, or six lower-case hex digits; throws a refusal for everything else. */
export function parseColor(written: string): string {
  const text = written.toLowerCase();
  if (text === 'currentcolor') return 'currentColor';
  if (text === 'original') return 'original';
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(text)?.[1];
  if (digits === undefined) return refuseColor(written, text);
  return digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
}

function refuseColor(written: string, text: string): never {
  const withAlpha = /^#?([\da-f]{3})[\da-f]$|^#?([\da-f]{6})[\da-f]{2}$/.exec(text);
  return refuse({
    reason: withAlpha
      ? `the colour ${quote(written)} has an alpha channel, which an icon's colour cannot have`
      : `${quote(written)} is not a colour`,
    allowed:
      '3 or 6 hex digits, with or without `#` (or `%23`), `currentColor`, or `original` for the colours of the drawing',
    nearest:
      withAlpha?.[1] ??
      withAlpha?.[2] ??
      HEX_BY_NAME.get(text) ??
      suggest(text, ['currentColor', 'original']),
  });
}
