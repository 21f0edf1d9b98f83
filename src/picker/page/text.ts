import { isAliasName, RESERVED_NAMES, toVariable } from '../../request/alias-names.ts';

/** Texts that the page makes itself, and untrusted ones that it shows. */

/** Control characters and those that change the direction of what follows. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** An untrusted text as it may stand in a line: what cannot be seen becomes a visible character, and it ends somewhere. */
export function plain(text: string, most = 160): string {
  const shown = text.replace(INVISIBLE, '\u{fffd}');
  return shown.length > most ? `${shown.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : shown;
}

/** The address of a link, if it is one that a page may link to. */
export function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

const count = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return count.format(value);
}

/** `1 call`, `2 calls`. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' });

export function formatDay(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : day.format(date);
}

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function formatAge(iso: string, now: number): string {
  const minutes = Math.round((new Date(iso).getTime() - now) / 60_000);
  if (Number.isNaN(minutes)) return '';
  return minutes > -60
    ? ago.format(minutes, 'minute')
    : ago.format(Math.round(minutes / 60), 'hour');
}

/** A name for imports, from any text: `Calendar (2024)` → `calendar-2024`. */
export function toAlias(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  if (words === '') return 'icon';
  return /^\d/.test(words) ? `icon-${words}` : words;
}

function freeName(alias: string, taken: ReadonlySet<string>): string {
  let free = RESERVED_NAMES.has(alias) ? `${alias}-icon` : alias;
  for (let number = 2; taken.has(free) || RESERVED_NAMES.has(free); number += 1)
    free = `${alias}-${number}`;
  return free;
}

export function suggestAlias(term: string, taken: ReadonlySet<string>): string {
  return freeName(toAlias(term), taken);
}

export interface AliasProblem {
  message: string;
  suggestion?: string;
}

/** What is wrong with an alias; the server checks it again. */
export function checkAlias(alias: string, taken: ReadonlySet<string>): AliasProblem | undefined {
  if (alias === '') return undefined;
  if (/^\d+$/.test(alias)) {
    return {
      message: 'A number is an id, not a name.',
      suggestion: freeName(`icon-${alias}`, taken),
    };
  }
  if (!isAliasName(alias)) {
    return {
      message: 'Use letters, digits, “-” and “_”, with a letter first.',
      suggestion: freeName(toAlias(alias), taken),
    };
  }
  if (RESERVED_NAMES.has(alias)) {
    return { message: `“icon:${alias}” is reserved.`, suggestion: freeName(alias, taken) };
  }
  if (taken.has(alias)) {
    return { message: 'Another icon has this name.', suggestion: freeName(alias, taken) };
  }
  return undefined;
}

export function toComponentName(name: string): string {
  const variable = toVariable(name);
  return variable.charAt(0).toUpperCase() + variable.slice(1);
}
