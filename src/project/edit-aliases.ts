import { basename } from 'node:path';
import {
  entriesOf,
  type Entry,
  findPlace,
  indentOf,
  keyOf,
  type Node,
  parseSource,
  type Place,
  propertiesOf,
  type Source,
  Unclear,
} from './config-source.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { isAliasName, RESERVED_NAMES, toVariable } from '../request/alias-names.ts';
import { idOfName } from '../request/reference.ts';

/** New names, each with the id of its icon or with its name in the embedded catalog. */
export type Aliases = Readonly<Record<string, number | string>>;

/** The text of a configuration with further aliases, or why no text can be put into it safely. */
type AliasEdit = { text: string } | { reason: string };

/**
 * Adds aliases to the one object of a configuration that holds them: `icon-catalog.config.*`, or the options of the one
 * call of the plugin. Text is only inserted, so comments, quotes and order stay as they are; the result is parsed again
 * and compared with what was wanted.
 *
 * @param file its extension decides how the text is read
 * @param renames new names by those that they replace, in whose place they are written
 */
export function editAliases(
  text: string,
  file: string,
  aliases: Aliases,
  renames: Readonly<Record<string, string>> = {},
): AliasEdit {
  const name = basename(file);
  try {
    const source = Object.entries(renames).reduce(renameKey, parseSource(text, name));
    const place = findPlace(source);
    const before = entriesOf(source, place);
    const wanted = Object.entries(aliases).filter(([alias]) => !before.has(alias));
    const edited = wanted.length === 0 ? source.text : insert(source, place, wanted);
    checkEdit(parseSource(edited, name), { source, before, wanted });
    return { text: edited };
  } catch (error) {
    if (error instanceof Unclear) return { reason: error.message };
    if (error instanceof SyntaxError) return { reason: `${name} cannot be parsed` };
    throw error;
  }
}

function renameKey(source: Source, [from, to]: readonly [from: string, to: string]): Source {
  const { text, name, comments } = source;
  const place = findPlace(source);
  const before = entriesOf(source, place);
  const keys = place.kind === 'aliases' ? propertiesOf(place.object) : [];
  const [property, ...others] = keys.filter((each) => keyOf(each) === from);
  const { start = 0, end = 0 } = (property?.['key'] ?? {}) as Partial<Node>;
  const isPlain = others.length === 0 && before.get(from)?.value !== undefined;
  if (isPlain && property?.['shorthand'] !== true) {
    const renamed = text.slice(0, start) + writeKey(source, place, to) + text.slice(end);
    const edited = parseSource(renamed, name);
    const after = entriesOf(edited, findPlace(edited));
    const isWhole = edited.comments.length === comments.length && after.size === before.size;
    if (isWhole && after.get(to)?.value === before.get(from)?.value) return edited;
  }
  throw new Unclear(`${name} states \`${from}\` in a way that cannot be edited safely`);
}

/** The aliases that a configuration states as plain values; none if it states them in another way. */
export function readAliases(text: string, file: string): Record<string, number | string> {
  try {
    const source = parseSource(text, basename(file));
    const entries = entriesOf(source, findPlace(source));
    return Object.fromEntries(
      [...entries].flatMap(([alias, { value }]) => (value === undefined ? [] : [[alias, value]])),
    );
  } catch {
    // What cannot be read here has its own error where it is loaded.
    return {};
  }
}

type Wanted = readonly (readonly [alias: string, value: number | string])[];

function insert(source: Source, place: Place, wanted: Wanted): string {
  const lines = wanted.map(([alias, value]) => writeEntry(source, place, alias, value));
  if (place.kind === 'aliases') return insertInto(source, place.object, lines);
  const key = source.isJson ? '"aliases"' : 'aliases';
  const all = `${key}: { ${lines.join(', ')} }`;
  if (place.kind === 'options') return insertInto(source, place.object, [all]);
  return splice(source.text, [[place.at, `${place.before}{ ${all} }`]]);
}

const quote = ({ text, isJson }: Source, word: string): string => {
  const mark = isJson || text.split('"').length > text.split("'").length ? '"' : "'";
  return `${mark}${word}${mark}`;
};

function writeEntry(source: Source, place: Place, alias: string, value: number | string): string {
  const written = typeof value === 'number' ? value : quote(source, value);
  return `${writeKey(source, place, alias)}: ${written}`;
}

function writeKey(source: Source, place: Place, alias: string): string {
  const keys = place.kind === 'aliases' ? propertiesOf(place.object) : [];
  const areQuoted =
    keys.length > 0 && keys.every(({ key }) => (key as Node | undefined)?.type === 'StringLiteral');
  const isBare = !source.isJson && !areQuoted && /^[A-Za-z_$][\w$]*$/.test(alias);
  return isBare ? alias : quote(source, alias);
}

/** Puts properties behind the last one of an object, and behind a comment that follows it on its line. */
function insertInto({ text, comments }: Source, object: Node, lines: readonly string[]): string {
  const last = propertiesOf(object).at(-1);
  const close = object.end - 1;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = indentOf(text, close);
  if (last === undefined) {
    const inner = text.slice(object.start + 1, close);
    if (inner.includes('\n')) {
      const block = lines.map((line) => `${eol}${indent}  ${line},`).join('');
      const isJson = comments.length === 0 && text.trimStart().startsWith('{');
      return splice(text, [[object.start + 1, isJson ? block.slice(0, -1) : block]]);
    }
    const end = inner === '' ? ' ' : inner.trim() === '' ? '' : ',';
    return splice(text, [[object.start + 1, ` ${lines.join(', ')}${end}`]]);
  }
  if (!text.slice(last.end, close).includes('\n'))
    return splice(text, [[last.end, `, ${lines.join(', ')}`]]);
  const comma = skip(text, last.end, { comments, blank: /\s/, end: close });
  const hasComma = text[comma] === ',';
  // A comment that begins on the line stays on it.
  const ofLine = { comments, blank: /[ \t]/, end: text.length };
  const at = skip(text, hasComma ? comma + 1 : last.end, ofLine);
  const own = text.slice(text.lastIndexOf('\n', last.start) + 1, last.start);
  const inset = /^\s*$/.test(own) ? own : `${indent}  `;
  const block = lines.map((line) => `${eol}${inset}${line}`).join(',');
  return splice(text, [
    ...(hasComma ? [] : [[last.end, ','] as const]),
    [at, `${block}${hasComma ? ',' : ''}`],
  ]);
}

/** The first offset before `end` that is neither blank nor part of a comment. */
function skip(
  text: string,
  from: number,
  { comments, blank, end }: { comments: readonly Node[]; blank: RegExp; end: number },
): number {
  for (let at = from; at < end; at += 1) {
    const comment = comments.find(({ start }) => start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (!blank.test(text[at] ?? '')) return at;
  }
  return end;
}

/** @param pieces texts to insert, each at an offset; the offsets ascend */
function splice(text: string, pieces: readonly (readonly [at: number, piece: string])[]): string {
  let result = '';
  let from = 0;
  for (const [at, piece] of pieces) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** What was there is there still, what was wanted has come, and nothing else has. */
function checkEdit(
  edited: Source,
  { source, before, wanted }: { source: Source; before: Map<string, Entry>; wanted: Wanted },
): void {
  const place = findPlace(edited);
  const after =
    wanted.length > 0 && place.kind !== 'aliases' ? new Map() : entriesOf(edited, place);
  const isWhole =
    edited.comments.length === source.comments.length &&
    after.size === before.size + wanted.length &&
    [...before].every(([alias, { text }]) => after.get(alias)?.text === text) &&
    wanted.every(([alias, value]) => after.get(alias)?.value === value);
  if (!isWhole)
    throw new Unclear(`${source.name} is written in a way that cannot be edited safely`);
}

export interface IconToAdd {
  /** Digits, or a name in the embedded catalog. */
  id: string;
  alias?: string | undefined;
  /** The name of the icon that the alias takes the place of. */
  replaces?: string | undefined;
}

/** A name that cannot be given to an icon, and the nearest one that can. */
export class AliasRefusal extends Error {
  readonly suggestion: string;
  constructor(message: string, suggestion: string) {
    super(message);
    this.suggestion = suggestion;
  }
}

/** Names that the embedded catalog's icons have are written as names, which people can read. */
export function newAliases(
  items: readonly IconToAdd[],
  { known, options }: { known: Readonly<Record<string, number>>; options: ResolvedOptions },
): Record<string, number | string> {
  const aliases: Record<string, number | string> = {};
  for (const { id, alias, replaces } of items) {
    if (alias === undefined) continue;
    const number = numberOf(id);
    if (replaces !== undefined && (!Object.hasOwn(known, replaces) || known[replaces] !== number))
      throw new AliasRefusal(`The icon has no name ${JSON.stringify(replaces)}.`, alias);
    const other = Object.hasOwn(known, alias) ? known[alias] : undefined;
    const taken = [...Object.keys(known), ...Object.keys(aliases)];
    const fault = faultOf(alias, options);
    if (fault !== undefined) throw new AliasRefusal(fault, freeAlias(alias, { taken, options }));
    const isOther = other !== undefined && other !== number;
    if (isOther || Object.hasOwn(aliases, alias))
      throw new AliasRefusal(
        `The alias ${JSON.stringify(alias)} stands for another icon already.`,
        freeAlias(alias, { taken, options }),
      );
    if (other === undefined) aliases[alias] = /^\d+$/.test(id) ? number : id;
  }
  return aliases;
}

export const numberOf = (id: string): number =>
  /^\d+$/.test(id) ? Number(id) : (idOfName(id) ?? 0);

export function faultOf(
  alias: string,
  { catalog }: Pick<ResolvedOptions, 'catalog'>,
): string | undefined {
  const shown = JSON.stringify(alias.slice(0, 60));
  if (RESERVED_NAMES.has(alias)) return `The name ${shown} is reserved.`;
  if (alias.length > 100) return `The name ${shown}… is longer than 100 characters.`;
  if (!isAliasName(alias))
    return `${shown} is not a name of letters, digits, - and _ that begins with a letter.`;
  if (catalog.kind === 'embedded' && idOfName(alias) !== undefined)
    return `${shown} is the name of an icon in a set.`;
  return undefined;
}

export function freeAlias(
  alias: string,
  { taken, options }: { taken: readonly string[]; options: ResolvedOptions },
): string {
  const plain = alias
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replaceAll(/^[^\p{L}_]+|-+$/gu, '')
    .slice(0, 60);
  const base = plain === '' || plain === '__proto__' ? 'icon' : plain;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (faultOf(name, options) === undefined && !taken.includes(name)) return name;
  }
}

/** The line that imports an icon: `import arrowLeft from 'icon:arrow-left';`. */
export function importLineOf(name: string): string {
  return `import ${toVariable(name)} from 'icon:${name}';`;
}
