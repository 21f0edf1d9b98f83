import type { ComponentWriter, Framework } from '../component.ts';
import { type ErrorCode, IconCatalogError } from '../errors.ts';
import type { EmbeddedOptions } from '../options/options.ts';
import type { IconForm } from '../types.ts';
import { ICON_PREFIX, isBundlerParameter } from './key.ts';
import { suggest } from './suggest.ts';

const PARAMETERS = ['as', 'class', 'color', 'filetype', 'size', 'title'] as const;
export type Parameter = (typeof PARAMETERS)[number];

export const FORM_BY_FLAG: ReadonlyMap<string, string> = new Map([
  ['raw', 'svg'],
  ['url', 'url'],
  ['inline', 'data'],
  ['component', 'component'],
  ['sprite', 'sprite'],
]);

/** What is no flag, and is written as one. */
const VALUE_BY_FLAG: ReadonlyMap<string, string> = new Map([
  ['meta', 'as=meta'],
  ['svg', 'as=svg'],
  ['data', 'as=data'],
  ['png', 'filetype=png'],
]);

/** Words of SVG, HTML and other icon tools for parameters of this package. */
const PARAMETER_BY_SYNONYM: ReadonlyMap<string, Parameter> = new Map<string, Parameter>([
  ['fill', 'color'],
  ['stroke', 'color'],
  ['tint', 'color'],
  ['width', 'size'],
  ['height', 'size'],
  ['format', 'filetype'],
  ['type', 'filetype'],
  ['ext', 'filetype'],
  ['alt', 'title'],
  ['label', 'title'],
  ['aria-label', 'title'],
  ['classname', 'class'],
  ['form', 'as'],
]);

/** The content of a query: decoded, each parameter at most once, flags as the `as` that they mean. */
export type Query = Partial<Record<Parameter, string>>;

/**
 * Reads `color=ff0000&url`. Values are percent-decoded; `+` is a plus, as in the path of an address and unlike in a
 * form. Everything after an unencoded `#` belongs to the same value.
 */
export function parseQuery(text: string): Query {
  const query: Query = {};
  const writtenByName = new Map<Parameter, string>();
  for (const pair of text.split('&')) {
    if (isBundlerParameter(pair)) continue;
    const { name, value } = parsePair(pair);
    const before = writtenByName.get(name);
    if (before !== undefined) {
      refuse({
        reason: `${quote(name)} is given twice, as ${quote(before)} and as ${quote(pair)}`,
        allowed: `each parameter once${name === 'as' ? '; `?raw ?url ?inline ?component ?sprite` are short for `as=svg/url/data/component/sprite`' : ''}`,
      });
    }
    writtenByName.set(name, pair);
    query[name] = value;
  }
  return query;
}

function parsePair(pair: string): { name: Parameter; value: string } {
  const at = pair.indexOf('=');
  const name = decode(at === -1 ? pair : pair.slice(0, at));
  const value = at === -1 ? undefined : decode(pair.slice(at + 1));
  const form = FORM_BY_FLAG.get(name);
  if (form !== undefined) {
    // Tools that rebuild a query write `raw=` for `raw`.
    if (value) {
      refuse({
        reason: `the flag ${quote(name)} takes no value, but was given ${quote(value)}`,
        nearest: name,
      });
    }
    return { name: 'as', value: form };
  }
  if (!isParameter(name))
    return refuse({
      reason: `there is no parameter ${quote(name)}`,
      allowed:
        'color, size, filetype, as, title, class, and the flags raw, url, inline, component, sprite',
      nearest:
        PARAMETER_BY_SYNONYM.get(name.toLowerCase()) ??
        VALUE_BY_FLAG.get(name.toLowerCase()) ??
        suggest(name, [...PARAMETERS, ...FORM_BY_FLAG.keys()]),
    });
  if (value === undefined) {
    return refuse({ reason: `${quote(name)} has no value`, allowed: `\`${name}=…\`` });
  }
  return { name, value };
}

function isParameter(name: string): name is Parameter {
  return PARAMETERS.some((known) => known === name);
}

/** Percent-decoding that reports what it could not read. */
export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse({
      reason: `${quote(text)} holds a percent sign that starts no encoded UTF-8 character`,
      allowed: '`%25` for a percent sign, and two hex digits after every other `%`',
    });
  }
}

const SET = `${ICON_PREFIX}set?`;
const IDS = /(?:^|&)ids=/;

/** One icon of a set. */
interface SetMember {
  /** The key of the icon in the set: the id or alias as written. */
  key: string;
  specifier: string;
}

export interface IconSet {
  members: SetMember[];
  /** The only spelling of the set, without `/`. */
  canonical: string;
}

/** True for `icon:set?ids=…`. Without `ids` it is an icon whose alias is `set`. */
export function isSetSpecifier(specifier: string): boolean {
  return specifier.startsWith(SET) && IDS.test(specifier.slice(SET.length));
}

/**
 * Reads `icon:set?ids=1,2,house&size=24`: several icons with the same parameters. The grammar of icons reads the
 * parameters and the names of the members.
 *
 * @throws IconCatalogError SPECIFIER_INVALID
 */
export function parseSet(specifier: string, importer?: string): IconSet {
  try {
    return parse(specifier.slice(SET.length));
  } catch (error) {
    if (error instanceof Refusal) throw toError(error.fault, specifier, importer);
    throw error;
  }
}

function parse(query: string): IconSet {
  const pairs = query.split('&').filter((pair) => !isBundlerParameter(pair));
  const lists = pairs.filter((pair) => pair.startsWith('ids='));
  const rest = pairs.filter((pair) => !pair.startsWith('ids='));
  if (lists.length > 1)
    return refuse({ reason: '`ids` is given twice', allowed: 'one list: `ids=1,2,house`' });
  const keys = decode((lists[0] ?? '').slice('ids='.length))
    .split(',')
    .map((key) => key.trim());
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (keys.includes(''))
    return refuse({
      reason: '`ids` has an empty place',
      allowed: 'ids and aliases with commas between: `ids=1,2,house`',
    });
  if (twice !== undefined)
    return refuse({ reason: `\`ids\` names ${quote(twice)} twice`, allowed: 'each icon once' });
  const parameters = rest.map((pair) => pair.replaceAll('/', '%2F')).toSorted();
  const suffix = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return {
    members: keys.map((key) => ({
      key,
      specifier: `${ICON_PREFIX}${encodeURIComponent(key)}${suffix}`,
    })),
    canonical: `${SET}${[`ids=${keys.map(encodeURIComponent).join(',')}`, ...parameters].join('&')}`,
  };
}

const SHOWN = 160;

/** A parameter, reference or value that the grammar does not allow. */
interface Fault {
  /** The fault: a clause that follows `Cannot understand …:`. */
  reason: string;
  /** The values that are allowed. */
  allowed?: string | undefined;
  /** The nearest valid spelling. */
  nearest?: string | undefined;
  /** The default is `SPECIFIER_INVALID`. */
  code?: ErrorCode | undefined;
  remedy?: string | undefined;
  icon?: number | undefined;
  path?: string | undefined;
}

/** Thrown inside this folder only: the parser knows the whole specifier and its importer, its parts do not. */
export class Refusal extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.reason);
    this.fault = fault;
  }
}

export function refuse(fault: Fault): never {
  throw new Refusal(fault);
}

/** Quotes the input: cut at 160 characters, and without characters that could garble a terminal. */
export function quote(written: string): string {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  return `\`${shown.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/gu, escapeCharacter)}\``;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function toError(
  fault: Fault,
  specifier: string,
  importer: string | undefined,
): IconCatalogError {
  const allowed = fault.allowed === undefined ? '' : ` Allowed: ${fault.allowed}.`;
  const remedy =
    fault.nearest === undefined ? fault.remedy : `Did you mean ${quote(fault.nearest)}?`;
  return new IconCatalogError(fault.code ?? 'SPECIFIER_INVALID', {
    message: `Cannot use ${quote(specifier)}: ${fault.reason}.${allowed}`,
    ...(remedy === undefined ? {} : { remedy }),
    importer,
    icon: fault.icon,
    path: fault.path,
  });
}

/** Values for parameters that an import leaves out. */
export interface RequestDefaults {
  color?: string | undefined;
  size?: string | number | undefined;
  as?: IconForm | undefined;
  class?: string | undefined;
}

export interface RequestContext {
  aliases: Readonly<Record<string, number>>;
  /** Where the options come from, as a clause for messages. @default not stated */
  source?: string | undefined;
  /** With `embedded`, icons have names (`icon:tabler/home`). @default none */
  catalog?: { kind: string; embedded?: Pick<EmbeddedOptions, 'folders'> } | undefined;
  framework?: Framework | ComponentWriter | undefined;
  defaults: Readonly<RequestDefaults>;
}
