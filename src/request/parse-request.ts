import { type ComponentWriter, type Framework, FRAMEWORKS } from '../component.ts';
import { copyError, isIconCatalogError } from '../errors.ts';
import type { Options } from '../options/options.ts';
import type { Filetype, IconForm, IconRequest } from '../types.ts';
import {
  CREDITS_SPECIFIER,
  ICON_PREFIX,
  isCreditsSpecifier,
  isIconSpecifier,
  toCanonical,
} from './key.ts';
import { parsePaint } from './parameters.ts';
import {
  FORM_BY_FLAG,
  isSetSpecifier,
  parseQuery,
  type Query,
  quote,
  Refusal,
  refuse,
  type RequestContext,
  type RequestDefaults,
  toError,
} from './query.ts';
import { isEmbedded, nameIcon, parseReference, resolveAliases } from './reference.ts';
import { suggest } from './suggest.ts';

/**
 * Reads one `icon:` import. Throws `SPECIFIER_INVALID` or `FRAMEWORK_MISSING`, and `OPTIONS_INVALID`
 * where a default or an alias of the options is at fault.
 *
 * Defaults of the options count where they can: `color` for svg, and for png where it is a hex
 * colour; `size` for svg, and for png where it is an integer from 20 to 1200; `as` unless it asks a
 * png to be markup; `class` for svg.
 */
export function parseRequest(
  specifier: string,
  context: RequestContext,
  importer?: string,
): IconRequest {
  try {
    return parse(specifier, context);
  } catch (error) {
    if (error instanceof Refusal) throw toError(error.fault, specifier, importer);
    throw error;
  }
}

/** A request as it would be written in an import, for messages: without what the options say already, an id by its alias. */
export function nameRequest({ id, ...request }: IconRequest, context: RequestContext): string {
  const form = request.filetype === 'png' ? '?filetype=png' : '';
  const usual = parseRequest(`${ICON_PREFIX}${id}${form}`, context);
  const query = (['as', 'color', 'size', 'title', 'class'] as const)
    .filter((name) => request[name] !== usual[name] && request[name] !== null)
    .map((name) => `${name}=${request[name]}`);
  const parameters = [...(form === '' ? [] : [form.slice(1)]), ...query].join('&');
  const name = `${ICON_PREFIX}${nameIcon(id, context)}`;
  return parameters === '' ? name : `${name}?${parameters}`;
}

/** An error of an import with the import that it is about. Other errors stay as they are. */
export function aboutRequest(
  error: unknown,
  { request, importer }: { request: IconRequest; importer: string | undefined },
  context: RequestContext,
): unknown {
  if (!isIconCatalogError(error)) return error;
  if (error.reason.includes('icon:')) return error.withImporter(importer);
  return copyError(error, {
    message: `Cannot load \`${nameRequest(request, context)}\`: ${error.reason}`,
    importer: error.importer ?? importer,
  });
}

export interface ParseSpecifierOptions {
  aliases?: Readonly<Record<string, number | string>>;
  /** Names of icons (`icon:tabler/home`) are read with the embedded catalog only. @default none */
  catalog?: Options['catalog'];
  framework?: Framework | ComponentWriter;
  defaults?: Readonly<RequestDefaults>;
}

/**
 * Reads an `icon:` import as the plugin does, with the same options.
 *
 * @example parseSpecifier('icon:123?color=#F00').canonical // 'icon:123?as=svg&color=ff0000&filetype=svg&size=1em'
 */
export function parseSpecifier(
  specifier: string,
  options: ParseSpecifierOptions = {},
): IconRequest {
  const { aliases = {}, framework, defaults = {}, catalog } = options;
  return parseRequest(specifier, {
    aliases: resolveAliases(aliases),
    framework,
    defaults,
    catalog: isEmbedded(catalog) ? { kind: 'embedded' } : undefined,
  });
}

function parse(specifier: string, context: RequestContext): IconRequest {
  if (!isIconSpecifier(specifier)) {
    return refuse({ reason: `it does not begin with \`${ICON_PREFIX}\`` });
  }
  const [reference, text] = split(specifier.slice(ICON_PREFIX.length));
  if (isSetSpecifier(specifier)) {
    return refuse({
      reason: 'it is a set of icons, which scripts import as an object, and not an icon',
      remedy: 'Import the set in a script, or name one icon.',
    });
  }
  if (isCreditsSpecifier(`${ICON_PREFIX}${reference}`)) {
    return refuse({
      reason: `\`${CREDITS_SPECIFIER}\` is the list of credits, not an icon, and takes no parameters`,
      nearest: text === '' ? undefined : CREDITS_SPECIFIER,
      remedy:
        'Import the list in a script, or show it with <IconCredits> of `unplugin-icon-catalog/credits/…`.',
    });
  }
  const id = parseReference(reference, context);
  try {
    const query = parseQuery(text);
    const form = parseForm(query, context);
    const request = { id, ...form, ...parsePaint(query, form, context.defaults) };
    return { ...request, canonical: toCanonical(request) };
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal({ icon: id, ...error.fault });
    throw error;
  }
}

function split(text: string): [reference: string, query: string] {
  const at = text.indexOf('?');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const FILETYPES: readonly Filetype[] = ['svg', 'png'];
const FORMS: readonly IconForm[] = ['svg', 'url', 'data', 'component', 'sprite', 'meta'];

const USE_INSTEAD = 'Use `as=svg` for the markup, or `as=url` for a file.';

/** Forms that consist of markup, which a raster file does not have. */
const MARKUP: ReadonlySet<IconForm> = new Set<IconForm>(['svg', 'component', 'sprite']);

/** `filetype` and `as`. Default `svg` as `svg`, or as `component` once a framework is set; png as `url`. */
function parseForm(
  query: Query,
  { framework, defaults }: RequestContext,
): { filetype: Filetype; as: IconForm } {
  const filetype = oneOf('filetype', FILETYPES, query.filetype) ?? 'svg';
  const asked = oneOf('as', FORMS, query.as);
  if (filetype === 'png' && asked !== undefined && MARKUP.has(asked)) {
    return refuse({
      reason: `\`as=${asked}\` is markup, which a png does not have`,
      allowed: '`as=url`, `as=data` or `as=meta` with `filetype=png`',
      nearest: 'filetype=png&as=url',
    });
  }
  const as = asked ?? defaultForm(filetype, framework !== undefined, checkDefault(defaults.as));
  if (as === 'component' && framework === undefined) {
    return refuse({
      code: 'FRAMEWORK_MISSING',
      reason: '`as=component` needs the option `framework`',
      allowed: `\`framework: '…'\` with one of ${FRAMEWORKS.join(', ')}, or a function that writes the component`,
      remedy: `Set \`framework\` in the plugin options, for example \`framework: 'react'\`. ${USE_INSTEAD}`,
    });
  }
  return { filetype, as };
}

function defaultForm(
  filetype: Filetype,
  hasFramework: boolean,
  fallback: IconForm | undefined,
): IconForm {
  if (filetype === 'png') return fallback === undefined || MARKUP.has(fallback) ? 'url' : fallback;
  return fallback ?? (hasFramework ? 'component' : 'svg');
}

function checkDefault(form: IconForm | undefined): IconForm | undefined {
  if (form === undefined || FORMS.includes(form)) return form;
  return refuse({
    code: 'OPTIONS_INVALID',
    reason: `${quote(form)} of \`defaults.as\` is not a form of an icon`,
    allowed: FORMS.join(', '),
    nearest: suggest(form, FORMS),
    path: 'defaults.as',
  });
}

function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  written: string | undefined,
): Value | undefined {
  if (written === undefined) return undefined;
  const value = values.find((known) => known === written);
  if (value !== undefined) return value;
  const nearest = (name === 'as' && formOf(written)) || suggest(written, values);
  return refuse({
    reason: `${quote(written)} is not a value of \`${name}\``,
    allowed: values.join(', '),
    nearest: nearest === undefined ? undefined : `${name}=${nearest}`,
  });
}

/** `as=inline` is a flag, and `as=react` a framework, both written as a form. */
function formOf(written: string): string | undefined {
  const names: readonly string[] = [...FRAMEWORKS, 'jsx', 'tsx'];
  return FORM_BY_FLAG.get(written) ?? (names.includes(written) ? 'component' : undefined);
}

/** Where `as=component` is read and refused. */
export const ANY_FRAMEWORK: Framework = 'web-component';

/** An icon that a page or a style sheet shows as an image: it is not markup, and `currentColor` is black in it. */
interface ImageRequest {
  /** With `as` url or data; if neither was requested, either of them. */
  request: IconRequest;
  /** The requested form; `auto` leaves it to the size of the file. */
  form: 'auto' | 'url' | 'data';
}

/**
 * Reads an `icon:` of a style sheet or of an `<img>`.
 * @throws IconCatalogError as `parseRequest`, and for an `as` that an image cannot have
 */
export function parseImage(
  specifier: string,
  { aliases, source, catalog, defaults: { size, color } }: RequestContext,
  importer?: string,
): ImageRequest {
  // With any framework, a component is refused for what it is and not for want of one.
  const context = { aliases, source, catalog, framework: ANY_FRAMEWORK };
  const parse = (as: 'url' | 'data'): IconRequest =>
    parseRequest(specifier, { ...context, defaults: { size, color, as } }, importer);
  const request = parse('url');
  const { as } = request;
  if (as !== 'url' && as !== 'data') throw noImage(as, specifier, importer);
  return { request, form: parse('data').as === as ? as : 'auto' };
}

function noImage(as: string, specifier: string, importer: string | undefined): Error {
  const { fault } = new Refusal({
    reason: `${quote(`as=${as}`)} is not an image, and only images can be shown here`,
    allowed: '`as=url` (a file), `as=data` (in place), or neither: then its size decides',
    remedy: 'Leave out `as`, or import the icon in a script.',
  });
  return toError(fault, specifier, importer);
}

/** An id in its only spelling that is small enough to be certainly an integer. */
const PLAIN_ID = /^icon:([1-9]\d{0,14})(?=\?|$)/;

/**
 * `parseRequest` for the many imports of one project. Thousands of them differ only in their id, so the text after it
 * is parsed once.
 */
export function createRequestParser(
  context: RequestContext,
): (specifier: string, importer?: string) => IconRequest {
  const requestByQuery = new Map<string, IconRequest>();

  return (specifier, importer) => {
    const digits = PLAIN_ID.exec(specifier)?.[1];
    if (digits === undefined) return parseRequest(specifier, context, importer);
    const query = specifier.slice(ICON_PREFIX.length + digits.length);
    const read = requestByQuery.get(query);
    if (read === undefined) {
      const request = parseRequest(specifier, context, importer);
      requestByQuery.set(query, request);
      return request;
    }
    const canonicalQuery = read.canonical.slice(read.canonical.indexOf('?'));
    return { ...read, id: Number(digits), canonical: `${ICON_PREFIX}${digits}${canonicalQuery}` };
  };
}
