import type { Filetype, IconRequest } from '../types.ts';

export const ICON_PREFIX = 'icon:' as const;

/** This name is reserved for the list of all credits: no icon and no alias can have it. */
export const CREDITS_SPECIFIER = 'icon:credits' as const;

/** Modules that components share (see emit/component): no icon and no alias can have such a name. */
const SHARED_SPECIFIERS: ReadonlySet<string> = new Set(['icon:@runtime', 'icon:@unique']);

export function isSharedSpecifier(id: string): boolean {
  return SHARED_SPECIFIERS.has(id);
}

/** True for every specifier that this plugin answers, `icon:credits` and misspelt icons included. */
export function isIconSpecifier(id: string): boolean {
  return id.startsWith(ICON_PREFIX);
}

/** True for `icon:credits`, also with the query that a dev server appends. */
export function isCreditsSpecifier(id: string): boolean {
  if (!id.startsWith(CREDITS_SPECIFIER)) return false;
  const rest = id.slice(CREDITS_SPECIFIER.length);
  return (
    rest === '' || (rest.startsWith('?') && rest.slice(1).split('&').every(isBundlerParameter))
  );
}

/**
 * What Vite's dev server appends to ids for its own use: `import` marks an import of something that is not JavaScript,
 * `t` is the time of a hot update, `v` the hash of the optimised dependencies.
 */
export function isBundlerParameter(pair: string): boolean {
  return pair === '' || /^(?:import=?|t=\d+|v=[\da-f]+)$/i.test(pair);
}

/** What a dev server appends is left out, also where it stands without the rest of a query. */
export function withoutBundlerParameters(id: string): string {
  return id.replace(/[?&](?:import|t=\d+)(?=&|$)/g, '');
}

/**
 * The one spelling of a request: parameters sorted, defaults written out, `null` values left out. Values are
 * percent-encoded down to letters, digits and `- . _ ~`, so that the text is safe as a file name's part, in quotes of
 * either kind and inside a CSS `url()`.
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

/**
 * Ids of modules that hold only the default export of an icon: `icon:123;` and the parameters of the canonical id that
 * differ from the defaults, or the bare name of a default parameter that it lacks. Bundlers copy and compare ids at
 * every step, which matters in large builds, so they are short; no state is needed to read them, so that a bundler's
 * cache may keep them. They are also the keys under which finished modules are kept. A dev server puts them into
 * addresses, in which the mark must neither end the path nor be escaped.
 */
const MARK = ';';
const USUAL = {
  as: 'as=svg',
  color: 'color=currentColor',
  filetype: 'filetype=svg',
  size: 'size=1em',
};
const USUAL_SPECIFIER = /^icon:[1-9]\d{0,14}$/;
const USUAL_QUERY = Object.values(USUAL).join('&');
const NAMES = Object.entries(USUAL);

/** @param icon a canonical id, the id of a value, or `icon:123` for the usual variant */
export function toDefaultId(icon: string): string {
  if (isDefaultId(icon)) return icon;
  const start = icon.indexOf('?');
  if (start === -1) return `${icon}${MARK}`;
  const query = icon.slice(start + 1);
  return `${icon.slice(0, start)}${MARK}${query === USUAL_QUERY ? '' : shorten(query)}`;
}

export function isDefaultId(id: string): boolean {
  return id.includes(MARK);
}

/** The catalog's id of the icon. */
export function iconIdOf(defaultId: string): string {
  return defaultId.slice(ICON_PREFIX.length, defaultId.indexOf(MARK));
}

/** The canonical id of the icon, for either of its two modules. */
export function toIconId(id: string): string {
  const start = id.indexOf(MARK);
  if (start === -1) return id;
  const short = id.slice(start + 1);
  return `${id.slice(0, start)}?${short === '' ? USUAL_QUERY : lengthen(short)}`;
}

/** True for the import by which a whole module takes its own default export. */
export function isOwnValue(source: string, importer: string | undefined): boolean {
  return isDefaultId(source) && isIconSpecifier(source) && importer === toIconId(source);
}

function shorten(query: string): string {
  const parts = query.split('&');
  const lacking = NAMES.filter(([name]) => !parts.some((part) => part.startsWith(`${name}=`)));
  const unusual = parts.filter((part) => !NAMES.some(([, usual]) => usual === part));
  return [...unusual, ...lacking.map(([name]) => name)].join('&');
}

function lengthen(short: string): string {
  const said = short.split('&');
  const names = new Set(said.map((part) => part.split('=', 1)[0]));
  const usual = NAMES.filter(([name]) => !names.has(name)).map(([, part]) => part);
  // Canonical ids have their parameters in alphabetical order.
  return [...said.filter((part) => part.includes('=')), ...usual].sort().join('&');
}

/** True for `icon:` and an id in its only spelling that is certainly an integer. */
export function isUsualSpecifier(specifier: string): boolean {
  return USUAL_SPECIFIER.test(specifier);
}

/** The subject of a line of the lock. */
export interface IconKey {
  id: number;
  /** `meta`: the record alone. */
  kind: Filetype | 'meta';
  /**
   * Six lower-case hex digits that the catalog was asked to paint with; `original` (svg): it was asked without a colour;
   * `null`: in the sentinel colour (svg), or asked without a colour (png).
   */
  color: string | null;
  /** Digits, 20–1200, png only; `null`: the service's own size. */
  size: string | null;
}

/** Six digits are a colour and four at most a size, so that no two entries share a key. */
const LOCK_KEY =
  /^([1-9]\d{0,15}):(?:(meta)|(svg)(?::(original|[0-9a-f]{6}))?|(png)(?::([0-9a-f]{6}))?(?::([1-9]\d{1,3}))?)$/;

/** `123:svg`, `123:svg:ff0000`, `123:svg:original`, `123:png:ff0000:64`, `123:meta`. */
export function toLockKey({ id, kind, color, size }: IconKey): string {
  return [id, kind, color, size].filter((part) => part !== null).join(':');
}

/**
 * Lines that an svg of this colour may need, in the order in which they are read. The second is needed only if the first
 * turns out to be a drawing of several colours: it is then drawn in the asked colour by the catalog, or in its own.
 */
export function toSvgKeys(id: number, color: string): [string, ...string[]] {
  const keyOf = (asked: string | null): string =>
    toLockKey({ id, kind: 'svg', color: asked, size: null });
  if (color === 'original') return [keyOf(color)];
  return [keyOf(null), keyOf(color === 'currentColor' ? 'original' : color)];
}

/** `undefined`: it is not a key of a lock. */
export function parseLockKey(key: string): IconKey | undefined {
  const [, id, meta, svg, svgColor, , pngColor, size] = LOCK_KEY.exec(key) ?? [];
  const number = Number(id);
  if (id === undefined || !Number.isSafeInteger(number)) return undefined;
  const kind = meta === undefined ? (svg === undefined ? 'png' : 'svg') : 'meta';
  return { id: number, kind, color: svgColor ?? pngColor ?? null, size: size ?? null };
}

/** The key of the lock entry that a request needs first; a drawing of several tones needs a second one, which only the file shows. */
export function keyOfRequest(request: IconRequest): string {
  return keysOfRequest(request)[0];
}

/** The keys of all lock entries that a request may need. */
export function keysOfRequest({
  id,
  as,
  filetype,
  color,
  size,
}: IconRequest): [string, ...string[]] {
  if (as === 'meta') return [toLockKey({ id, kind: 'meta', color: null, size: null })];
  if (filetype === 'png') return [toLockKey({ id, kind: 'png', color, size })];
  return toSvgKeys(id, color ?? 'currentColor');
}
