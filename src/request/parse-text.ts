import { quote, refuse } from './refusal.ts';

/** XML 1.0 has no place for these, escaped or not; a tab or line break has none in a name. */
const FORBIDDEN = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/u;

/** The accessible name without white space around it; `null` where nothing is left: decorative. */
export function parseTitle(written: string): string | null {
  const text = written.trim();
  if (FORBIDDEN.test(text)) {
    return refuse({
      reason: `the title ${quote(written)} holds a control character, a line break or half a character`,
      allowed: 'any text in one line',
    });
  }
  return text === '' ? null : text;
}

/** Class names in the order of their first mention, one space between. */
export function parseClass(written: string): string {
  const names = written.split(/[\t\n\f\r ]+/).filter((name) => name !== '');
  if (names.length === 0) {
    return refuse({ reason: '`class` names no class', allowed: 'one or more class names' });
  }
  if (names.some((name) => FORBIDDEN.test(name))) {
    return refuse({
      reason: `the class ${quote(written)} holds a control character or half a character`,
      allowed: 'class names with spaces between',
    });
  }
  return [...new Set(names)].join(' ');
}
