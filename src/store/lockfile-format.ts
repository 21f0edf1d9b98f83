import type { LockEntry } from '../types.ts';
import { sha256Hex, textDigest } from './hash.ts';

/*
 * `icons.lock` is JSON in UTF-8, LF behind every line, one line an icon file:
 *
 *   {
 *   "123:svg":{"rev":1,"integrity":"sha512-…","size":1031,"term":"…","creator":{…},"attribution":"…",
 *              "license_description":"…","permalink":"…","collections":[…],"styles":[…],"tags":[…],"check":"…"},   (one line)
 *   …
 *   "text:<sha256>":"MIT License …",
 *   "catalog":"sha512-…",
 *   "lockfileVersion":1
 *   }
 *
 * <id>:svg                      bytes in the sentinel colour (src/svg/render-svg.ts)
 * <id>:svg:<rrggbb>             a file of several tones as the catalog painted it
 * <id>:svg:original             a file in its own colours: the catalog was asked without a colour
 * <id>:png[:<rrggbb>][:<size>]  as asked for; what was not sent to the catalog is left out
 * <id>:meta                     a record without bytes, where nothing else of the icon is asked for
 * site_url                      in a line whose record says where its permalinks lead, because its catalog has no public address
 * creator_url, license_url      addresses of the creator and of the set's licence file, if the record has them
 * license_text                  SHA-256 of the licence's text. The text stands once in the file, in a line `text:<sha256>`, so that
 *                               builds without a network write it beside the credits.
 * own_color                     the drawing's own colour, if the record states it: credits then say whether it was recoloured
 * check                         first 16 hex digits of SHA-256 of the key and of the words of the record, since nothing else
 *                               tells when a letter of a credit is damaged. Lines without it are read too.
 * catalog                       digest of {"name":…,"siteUrl":…}: what the catalog is called and where permalinks lead.
 *                               The text itself holds a host and lies in caches and in the vendor file.
 *
 * Sorted by id, then by key. The members after the icons come last, so that every icon's line ends with a comma and
 * branches merge line by line. Another sentinel colour would give other bytes under the same key: it needs a new version.
 */
export const LOCKFILE_VERSION = 1;

/** The lock in memory. Callers must not change the maps. */
export interface Lockfile {
  /** `sha512-…` of the catalog's description; `undefined` if nothing is pinned yet. */
  catalog: string | undefined;
  entries: ReadonlyMap<string, LockEntry>;
}

export const EMPTY_LOCKFILE: Lockfile = { catalog: undefined, entries: new Map() };

/** The file's text. Lines of bare metadata are left out if the icon has another line, which states the same. */
export function encodeLockfile({ catalog, entries }: Lockfile): string {
  const keys = [...entries.keys()].toSorted(compareLockKeys);
  const drawn = new Set(keys.filter((key) => !key.endsWith(META)).map(idOf));
  const written = keys.filter((key) => !key.endsWith(META) || !drawn.has(idOf(key)));
  const lines = written.map((key) => `"${key}":${encodeEntry(entries.get(key), key)},`);
  const texts = new Set(written.map((key) => entries.get(key)?.license_text ?? ''));
  texts.delete('');
  lines.push(
    ...[...texts].map((text) => `"${TEXT}${textDigest(text)}":${JSON.stringify(text)},`).sort(),
  );
  if (catalog !== undefined) lines.push(`"catalog":"${catalog}",`);
  return ['{', ...lines, `"lockfileVersion":${LOCKFILE_VERSION}`, '}', ''].join('\n');
}

/** Equal entries have the same text, whatever the order of their fields. @param key of a line of the file */
export function encodeEntry(entry: LockEntry | undefined, key?: string): string {
  if (entry === undefined) return 'null';
  const { rev, integrity, size } = entry;
  const check = key === undefined ? undefined : checkOf(key, entry);
  return JSON.stringify({ rev, integrity, size, ...withDigest(lockedRecord(entry)), check });
}

/** The value of `check` for a line. Bytes have their own digest, and `rev` is not part of the record. */
export function checkOf(key: string, entry: LockEntry): string {
  return sha256Hex(JSON.stringify([key, withDigest(lockedRecord(entry))])).slice(0, 16);
}

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };
type RecordFields = Omit<LockEntry, 'rev' | 'integrity' | 'size'>;

/** What a record states: anything may be missing in what a catalog sends. */
export type StatedRecord = Optional<Omit<RecordFields, 'creator' | 'collections'>> & {
  creator?: Optional<RecordFields['creator']> | undefined;
  collections?:
    | { id: string; name?: string | undefined; permalink?: string | undefined }[]
    | undefined;
};

/** The pinned fields of a record, in the order in which they are written. */
export function lockedRecord(record: StatedRecord): RecordFields {
  const { term = '', creator = {}, attribution = '', license_description = '' } = record;
  const { permalink = '', site_url, creator_url, license_url, license_text, own_color } = record;
  const { collections = [], styles = [], tags = [] } = record;
  return {
    term,
    creator: {
      name: creator.name ?? '',
      permalink: creator.permalink ?? '',
      username: creator.username ?? '',
    },
    attribution,
    license_description,
    permalink,
    ...(site_url !== undefined && { site_url }),
    ...(creator_url !== undefined && { creator_url }),
    ...(license_url !== undefined && { license_url }),
    ...(license_text !== undefined && { license_text }),
    ...(own_color !== undefined && { own_color }),
    collections: collections.map(({ id, name = '', permalink = '' }) => ({ id, name, permalink })),
    styles: styles.map(({ style, line_weight }) =>
      line_weight === undefined ? { style } : { style, line_weight },
    ),
    tags,
  };
}

/** The record as a line has it: the text of the licence has a line of its own. */
function withDigest(record: RecordFields): RecordFields {
  const { license_text } = record;
  return license_text === undefined
    ? record
    : { ...record, license_text: textDigest(license_text) };
}

/** The prefix of a key of a licence text, before its digest. */
export const TEXT = 'text:';
const META = ':meta';

function idOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** By id, then by key in code-unit order. */
function compareLockKeys(one: string, other: string): number {
  const difference = numericIdOf(one) - numericIdOf(other);
  if (difference !== 0) return difference;
  return one < other ? -1 : one > other ? 1 : 0;
}

function numericIdOf(key: string): number {
  return Number.parseInt(key, 10);
}
