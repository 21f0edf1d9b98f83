import type { ComponentWriter, Framework } from '../component.ts';
import type { Options } from '../options.ts';
import type { IconRequest } from '../types.ts';
import { isEmbedded, resolveAliases } from './icon-name.ts';
import { isSetSpecifier } from './icon-set.ts';
import { parseForm } from './parse-form.ts';
import { parsePaint } from './parse-paint.ts';
import { parseQuery } from './parse-query.ts';
import { parseReference } from './parse-reference.ts';
import { Refusal, refuse, toError } from './refusal.ts';
import type { RequestContext, RequestDefaults } from './request-context.ts';
import {
  CREDITS_SPECIFIER,
  ICON_PREFIX,
  isCreditsSpecifier,
  isIconSpecifier,
} from './specifier.ts';
import { toCanonical } from './to-canonical.ts';

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
      reason: 'it is a set of icons, which scripts import as an object, and no icon',
      remedy: 'Import the set in a script, or name one icon.',
    });
  }
  if (isCreditsSpecifier(`${ICON_PREFIX}${reference}`)) {
    return refuse({
      reason: `\`${CREDITS_SPECIFIER}\` is the list of credits, not an icon, and takes no parameters`,
      nearest: CREDITS_SPECIFIER,
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
