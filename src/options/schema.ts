import { FRAMEWORKS } from '../component.ts';
import { IconCatalogError } from '../errors.ts';
import { idOfName, isEmbedded, suggestName } from '../request/reference.ts';
import { suggest } from '../request/suggest.ts';
import type { Options } from './options.ts';

/** The allowed values of an option. */
type Check = { what: string; test(value: unknown): boolean; values?: string[] };

/** Options by their names. */
interface Shape {
  [option: string]: Check | Shape;
}

const text: Check = {
  what: 'a string that is not empty',
  test: (v) => typeof v === 'string' && v !== '',
};
const flag: Check = { what: 'true or false', test: (v) => typeof v === 'boolean' };
const fn: Check = { what: 'a function', test: (v) => typeof v === 'function' };
const texts: Check = {
  what: 'a list of strings',
  test: (v) => Array.isArray(v) && v.every(text.test),
};
const iconId: Check = { what: 'the integer id of an icon', test: (v) => whole(1).test(v) };
const record: Check = { what: 'an object', test: isObject };
const list: Check = { what: 'a list', test: Array.isArray };
const fileName: Check = {
  what: 'a file name inside the output folder, or false',
  test: (v) =>
    v === false ||
    (typeof v === 'string' && v !== '' && !/^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(v)),
};
const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER): Check => ({
  what:
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min}`
      : `a whole number from ${min} to ${max}`,
  test: (v) => Number.isSafeInteger(v) && (v as number) >= min && (v as number) <= max,
});
const oneOf = (...values: string[]): Check => ({
  what: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  test: (v) => typeof v === 'string' && values.includes(v),
  values,
});
const either = (what: string, ...checks: Check[]): Check => ({
  what,
  test: (v) => checks.some((c) => c.test(v)),
  values: checks.flatMap((check) => check.values ?? []),
});
export const webAddress: Check = {
  what: 'an address of the web (https://…)',
  // The characters of RFC 3986, as the schema of the manifest requires.
  test: (v) =>
    typeof v === 'string' && URL.canParse(v) && /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(v),
};

/** The possible targets of a link on a page. */
const pageAddress: Check = {
  what: "an address (https://…) or a path of the site such as '/'",
  test: (v) => webAddress.test(v) || (typeof v === 'string' && /^[^:\s]+$/.test(v)),
};
/** Of the credits page: one that is part of the package, or one that the project brings. */
const language: Check = {
  what: "'en', 'de', or a language of your own: { code: 'fr', words: { … } }",
  test: (v) =>
    isObject(v)
      ? Object.keys(v).every((name) => name === 'code' || name === 'words') &&
        typeof v['code'] === 'string' &&
        /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(v['code']) &&
        (v['words'] === undefined || isObject(v['words']))
      : typeof v === 'string' && /^(?:en|de)(?:-[a-z\d]{1,8})*$/i.test(v),
  values: ['en', 'de'],
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCheck(value: Check | Shape): value is Check {
  return typeof value['test'] === 'function';
}

const CREDENTIALS: Shape = {
  baseUrl: text,
  key: text,
  secret: text,
  site: { name: text, url: webAddress },
  assetHosts: texts,
};
const EMBEDDED: Shape = {
  sets: texts,
  folders: list,
  keys: list,
  now: fn,
  root: text,
  stateDir: text,
};
const SHAPE: Shape = {
  catalog: either("credentials, 'embedded' or { embedded: … }", oneOf('embedded'), record),
  concurrency: whole(1, 256),
  timeout: whole(1),
  retries: whole(0, 10),
  budget: whole(0),
  mode: oneOf('online', 'locked', 'offline'),
  lockfile: text,
  vendor: either('true, false or the path of a file', flag, text),
  cacheDir: text,
  sharedCache: either('a storage with getItem and setItem, an address or a folder', text, {
    what: '',
    test: (v) =>
      isObject(v) && ['getItem', 'setItem'].every((name) => typeof v[name] === 'function'),
  }),
  aliases: record,
  framework: either(
    `one of ${FRAMEWORKS.map((name) => `'${name}'`).join(', ')}, or a function`,
    oneOf(...FRAMEWORKS),
    fn,
  ),
  defaults: {
    color: text,
    size: either('a number or a CSS length', text, {
      what: '',
      test: (v) => typeof v === 'number' && v > 0,
    }),
    as: oneOf('svg', 'url', 'data', 'component', 'sprite', 'meta'),
    class: text,
  },
  svg: {
    optimize: either('true, false or a svgo configuration', flag, record),
    transform: fn,
    strict: flag,
    animation: flag,
    maxBytes: whole(1),
    limits: {
      elements: whole(1),
      expansion: whole(1),
      filterCost: whole(0),
      text: whole(0),
      animations: whole(0),
    },
    metadata: flag,
  },
  licenses: {
    allow: texts,
    unknown: oneOf('error', 'warn'),
    assert: record,
    terms: {
      version: oneOf('1.0', '2.0', '2.5', '3.0', '4.0'),
      url: webAddress,
    },
  },
  attribution: either('false or an object', oneOfFalse(), record),
  picker: either('true, false or { budget }', flag, record),
  logLevel: oneOf('silent', 'error', 'warn', 'info'),
};
const ATTRIBUTION: Shape = {
  ...Object.fromEntries(
    ['json', 'html', 'markdown', 'text', 'spdx', 'cyclonedx'].map((kind) => [kind, fileName]),
  ),
  title: text,
  home: pageAddress,
  language,
  site: text,
  builds: texts,
};
const ASSERTION: Shape = { license: text, by: text, evidence: text };

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
  if (isObject(options.picker)) checkShape(options.picker, { budget: whole(1) }, 'picker.');
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
  // A secret that is not a text must not be printed either.
  const written = /secret|key$|^sharedCache$/i.test(path) ? '' : `, not ${describe(value)}`;
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

function oneOfFalse(): Check {
  return { what: 'false', test: (v) => v === false };
}
