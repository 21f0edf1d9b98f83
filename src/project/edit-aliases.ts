import { basename } from 'node:path';
import {
  entriesOf,
  type Entry,
  findPlace,
  indentOf,
  type Node,
  parseSource,
  type Place,
  propertiesOf,
  type Source,
  Unclear,
} from './find-aliases.ts';

/** New names, each with the id of its icon or with its name in the embedded catalog. */
export type Aliases = Readonly<Record<string, number | string>>;

/** The text of a configuration with further aliases, or why no text can be put into it safely. */
export type AliasEdit = { text: string } | { reason: string };

/**
 * Adds aliases to the one object of a configuration that holds them: `icon-catalog.config.*`, or the options of the one
 * call of the plugin. Text is only inserted, so comments, quotes and order stay as they are; the result is parsed again
 * and compared with what was wanted.
 *
 * @param file its extension decides how the text is read
 */
export function editAliases(text: string, file: string, aliases: Aliases): AliasEdit {
  const name = basename(file);
  try {
    const source = parseSource(text, name);
    const place = findPlace(source);
    const before = entriesOf(source, place);
    const wanted = Object.entries(aliases).filter(([alias]) => !before.has(alias));
    const edited = wanted.length === 0 ? text : insert(source, place, wanted);
    checkEdit(parseSource(edited, name), { source, before, wanted });
    return { text: edited };
  } catch (error) {
    if (error instanceof Unclear) return { reason: error.message };
    if (error instanceof SyntaxError) return { reason: `${name} cannot be parsed` };
    throw error;
  }
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
  return splice(source.text, [[place.at, `{ ${all} }`]]);
}

function writeEntry(
  { text, isJson }: Source,
  place: Place,
  alias: string,
  value: number | string,
): string {
  const mark = isJson || text.split('"').length > text.split("'").length ? '"' : "'";
  const quote = (word: string): string => `${mark}${word}${mark}`;
  const keys = place.kind === 'aliases' ? propertiesOf(place.object) : [];
  const areQuoted =
    keys.length > 0 && keys.every(({ key }) => (key as Node | undefined)?.type === 'StringLiteral');
  const isBare = !isJson && !areQuoted && /^[A-Za-z_$][\w$]*$/.test(alias);
  return `${isBare ? alias : quote(alias)}: ${typeof value === 'number' ? value : quote(value)}`;
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
  const comma = nextSign(text, last.end, { comments, close });
  const hasComma = text[comma] === ',';
  const at = lineEnd(text, hasComma ? comma + 1 : last.end, comments);
  const own = text.slice(text.lastIndexOf('\n', last.start) + 1, last.start);
  const inset = /^\s*$/.test(own) ? own : `${indent}  `;
  const block = lines.map((line) => `${eol}${inset}${line}`).join(',');
  return splice(text, [
    ...(hasComma ? [] : [[last.end, ','] as const]),
    [at, `${block}${hasComma ? ',' : ''}`],
  ]);
}

/** The first offset that is neither white space nor part of a comment. */
function nextSign(
  text: string,
  from: number,
  { comments, close }: { comments: readonly Node[]; close: number },
): number {
  for (let at = from; at < close; at += 1) {
    const comment = comments.find(({ start }) => start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (!/\s/.test(text[at] ?? '')) return at;
  }
  return close;
}

/** The end of the line of an offset, or of the line on which a comment that begins there ends. */
function lineEnd(text: string, from: number, comments: readonly Node[]): number {
  for (let at = from; at < text.length; at += 1) {
    const comment = comments.find(({ start }) => start === at);
    if (comment !== undefined) at = comment.end - 1;
    else if (!/[ \t]/.test(text[at] ?? '')) return at;
  }
  return text.length;
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
