import { IconCatalogError } from '../errors.ts';
import { isObject } from '../untrusted.ts';
import { idOfName, isEmbedded, suggestName } from '../request/reference.ts';
import { suggest } from '../request/suggest.ts';
import type { EmbeddedOptions, Options } from './options.ts';
import {
  ASSERTION,
  ATTRIBUTION,
  type Check,
  CREDENTIALS,
  EMBEDDED,
  iconId,
  isCheck,
  PICKER,
  record,
  type Shape,
  SHAPE,
  text,
  webAddress,
} from './shape.ts';

/** Names that users of other tools write. */
const MEANT: Partial<Record<string, string>> = {
  url: 'baseUrl',
  address: 'baseUrl',
  md: 'markdown',
  txt: 'text',
  cdx: 'cyclonedx',
  credits: 'attribution',
  cache: 'cacheDir',
  lock: 'lockfile',
  lockFile: 'lockfile',
};

/** @throws IconCatalogError OPTIONS_INVALID */
export function checkOptions(options: Options): void {
  const given: unknown = options;
  if (!isObject(given)) fail('options', given, record);
  checkShape(given, SHAPE, '');
  const { catalog, attribution, aliases, licenses } = options;
  if (isObject(catalog)) {
    if ('embedded' in catalog) checkShape(catalog, { embedded: EMBEDDED }, 'catalog.');
    else {
      checkShape(catalog, CREDENTIALS, 'catalog.');
      const site: unknown = Reflect.get(catalog, 'site');
      if (isObject(site) && !('url' in site)) fail('catalog.site.url', undefined, webAddress);
    }
  }
  if (isObject(attribution)) checkShape(attribution, ATTRIBUTION, 'attribution.');
  if (isObject(options.picker)) checkShape(options.picker, PICKER, 'picker.');
  for (const [name, id] of Object.entries(aliases ?? {})) checkAlias(name, id, isEmbedded(catalog));
  checkTerms(options);
  for (const [id, assertion] of Object.entries(licenses?.assert ?? {})) {
    const given: unknown = assertion;
    if (!isObject(given)) fail(`licenses.assert.${id}`, given, record);
    checkShape(given, ASSERTION, `licenses.assert.${id}.`);
    for (const field of Object.keys(ASSERTION)) {
      if (!(field in assertion)) fail(`licenses.assert.${id}.${field}`, undefined, text);
    }
  }
}

/** Options of a catalog server of its own. @throws IconCatalogError OPTIONS_INVALID */
export function checkEmbedded(options: EmbeddedOptions): void {
  const given: unknown = options;
  if (!isObject(given)) fail('options', given, record);
  checkShape(given, EMBEDDED, '');
}

/** The sets that the embedded catalog serves have each its own licence, and no terms in common. */
function checkTerms({ catalog, licenses }: Options): void {
  const terms: unknown = licenses?.terms;
  if (!isObject(terms)) return;
  for (const field of ['version', 'url'] as const)
    if (!(field in terms)) fail(`licenses.terms.${field}`, undefined, text);
  if (!isEmbedded(catalog)) return;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message:
      '`licenses.terms` says what the terms of a catalog state, and the embedded catalog has none: each icon set has its own licence.',
    remedy: 'Leave it out, or say in `licenses.assert` what is known of single icons.',
    path: 'licenses.terms',
  });
}

function checkShape(value: object, shape: Shape, prefix: string): void {
  for (const [name, given] of Object.entries(value)) {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (expected === undefined) unknown(`${prefix}${name}`, name, Object.keys(shape));
    else if (given === undefined) continue;
    else if (!isCheck(expected)) {
      if (!isObject(given)) fail(`${prefix}${name}`, given, record);
      checkShape(given, expected, `${prefix}${name}.`);
    } else if (!expected.test(given)) fail(`${prefix}${name}`, given, expected);
  }
}

function checkAlias(name: string, id: unknown, hasNames: boolean): void {
  const path = `aliases.${name}`;
  if (typeof id === 'string') checkName(path, id, hasNames);
  else if (!iconId.test(id)) fail(path, id, iconId);
  if (name === '' || /^\d+$|[?#&\s]/.test(name) || name === 'credits') {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `The alias ${JSON.stringify(name)} cannot be imported: a name is not empty, not a number, not "credits" and has no white space, ?, & or #.`,
      remedy: 'Choose another name.',
      path,
    });
  }
}

/** Only the embedded catalog has names of icons. */
function checkName(path: string, written: string, hasNames: boolean): void {
  const nearest = idOfName(written) === undefined ? suggestName(written) : written;
  if (hasNames && nearest === written) return;
  const [, word = written] = (nearest ?? written).split('/');
  const given = JSON.stringify(written);
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: hasNames
      ? `\`${path}\` must be the integer id of an icon, or its name ('tabler/home'), not ${given}.`
      : `\`${path}\` must be the integer id of an icon, not ${given}: only the embedded catalog has names of icons.`,
    remedy: hasNames
      ? nearest === undefined
        ? 'Find names with `npx icon-catalog search <word> --embedded`.'
        : `Did you mean '${nearest}'?`
      : `Find the id with \`npx icon-catalog search ${word}\`, or set \`catalog: 'embedded'\` to use installed icon sets.`,
    path,
  });
}

function unknown(path: string, name: string, allowed: string[]): never {
  const near = allowed.find((known) => known === MEANT[name]) ?? suggest(name, allowed);
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `There is no option \`${path}\`. Options here: ${allowed.join(', ')}.`,
    remedy:
      near === undefined
        ? 'Leave it out.'
        : `Did you mean \`${path.slice(0, -name.length)}${near}\`?`,
    path,
  });
}

function fail(path: string, value: unknown, { what, values = [] }: Check): never {
  // A secret that is not a text, or stands one level too high, must not be printed either.
  const written = /^(?:options|catalog|catalog\.embedded|sharedCache)$|secret|keys?$/i.test(path)
    ? ''
    : `, not ${describe(value)}`;
  const near = typeof value === 'string' ? suggest(value, values) : undefined;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `\`${path}\` must be ${what}${written}.`,
    ...(near !== undefined && { remedy: `Did you mean '${near}'?` }),
    path,
  });
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
