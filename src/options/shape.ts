import { FRAMEWORKS } from '../component.ts';
import { isObject } from '../untrusted.ts';

/** The allowed values of an option. */
export interface Check {
  what: string;
  test(value: unknown): boolean;
  values?: string[];
  /** The same as JSON Schema, of draft 7; `NEVER`: no value of JSON is allowed. */
  json: JsonSchema;
}

export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Options by their names. */
export interface Shape {
  [option: string]: Check | Shape;
}

const NEVER: JsonSchema = { not: {} };

export const text: Check = {
  what: 'a string that is not empty',
  test: (v) => typeof v === 'string' && v !== '',
  json: { type: 'string', minLength: 1 },
};
/** An address, `file:` too, would be taken for the path of a folder named after its protocol. */
const ADDRESSED = /^[A-Za-z][A-Za-z\d+.-]+:\/\//;
const isPath = (v: unknown): boolean => typeof v === 'string' && v !== '' && !ADDRESSED.test(v);
const path = (what: string): Check => ({
  what: `the path of ${what}`,
  test: isPath,
  json: { ...text.json, not: { pattern: ADDRESSED.source } },
});
const flag: Check = {
  what: 'true or false',
  test: (v) => typeof v === 'boolean',
  json: { type: 'boolean' },
};
const fn: Check = { what: 'a function', test: (v) => typeof v === 'function', json: NEVER };
const texts: Check = {
  what: 'a list of strings',
  test: (v) => Array.isArray(v) && v.every(text.test),
  json: { type: 'array', items: text.json },
};
export const iconId: Check = {
  what: 'the integer id of an icon',
  test: (v) => whole(1).test(v),
  json: { type: 'integer', minimum: 1 },
};
export const record: Check = { what: 'an object', test: isObject, json: { type: 'object' } };
const list: Check = { what: 'a list', test: Array.isArray, json: { type: 'array' } };
const folders: Check = {
  what: 'a list of paths, or of objects with a `path`',
  test: (v) => Array.isArray(v) && v.every((one) => isPath(isObject(one) ? one['path'] : one)),
  json: {
    type: 'array',
    items: {
      anyOf: [
        path('').json,
        {
          type: 'object',
          properties: {
            path: path('').json,
            name: { type: 'string' },
            author: { type: 'string' },
            license: { type: 'string' },
          },
          required: ['path'],
        },
      ],
    },
  },
};
const OUTSIDE = /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/;
const fileName: Check = {
  what: 'a file name inside the output folder, or false',
  test: (v) => v === false || (isPath(v) && !OUTSIDE.test(v as string)),
  json: {
    anyOf: [
      { const: false },
      { ...text.json, not: { pattern: `${OUTSIDE.source}|${ADDRESSED.source}` } },
    ],
  },
};
const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER): Check => ({
  what:
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min}`
      : `a whole number from ${min} to ${max}`,
  test: (v) => Number.isSafeInteger(v) && (v as number) >= min && (v as number) <= max,
  json: { type: 'integer', minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) },
});
const oneOf = (...values: string[]): Check => ({
  what: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  test: (v) => typeof v === 'string' && values.includes(v),
  values,
  json: { enum: values },
});
const either = (what: string, ...checks: Check[]): Check => ({
  what,
  test: (v) => checks.some((c) => c.test(v)),
  values: checks.flatMap((check) => check.values ?? []),
  json: { anyOf: checks.map((check) => check.json).filter((one) => one !== NEVER) },
});
const ADDRESS = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;
export const webAddress: Check = {
  what: 'an address of the web (https://…)',
  // The characters of RFC 3986, as the schema of the manifest requires.
  test: (v) => typeof v === 'string' && URL.canParse(v) && ADDRESS.test(v),
  json: { type: 'string', pattern: ADDRESS.source },
};

const PATH = /^[^:\s]+$/;
/** The possible targets of a link on a page. */
const pageAddress: Check = {
  what: "an address (https://…) or a path of the site such as '/'",
  test: (v) => webAddress.test(v) || (typeof v === 'string' && PATH.test(v)),
  json: { anyOf: [webAddress.json, { type: 'string', pattern: PATH.source }] },
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
  json: {
    anyOf: [
      // The two of the package first, which editors complete.
      { enum: ['en', 'de'] },
      { type: 'string', pattern: '^(?:[eE][nN]|[dD][eE])(?:-[a-zA-Z\\d]{1,8})*$' },
      {
        type: 'object',
        properties: {
          code: { type: 'string', pattern: '^[a-zA-Z]{2,3}(?:-[a-zA-Z\\d]{1,8})*$' },
          words: record.json,
        },
        required: ['code'],
        additionalProperties: false,
      },
    ],
  },
};

export function isCheck(value: Check | Shape): value is Check {
  return typeof value['test'] === 'function';
}

export const CREDENTIALS: Shape = {
  baseUrl: text,
  key: text,
  secret: text,
  site: { name: text, url: webAddress },
  assetHosts: texts,
};
export const EMBEDDED: Shape = {
  sets: texts,
  folders,
  keys: list,
  now: fn,
  root: path('a folder'),
  stateDir: path('a folder'),
};
const OFF: Check = { what: 'false', test: (v) => v === false, json: { const: false } };
export const SHAPE: Shape = {
  catalog: either("credentials, 'embedded' or { embedded: … }", oneOf('embedded'), record),
  concurrency: whole(1, 256),
  timeout: whole(1),
  retries: whole(0, 10),
  budget: whole(0),
  mode: oneOf('online', 'locked', 'offline'),
  lockfile: path('a file'),
  vendor: either('true, false or the path of a file', flag, path('a file')),
  cacheDir: path('a folder'),
  sharedCache: either('a storage with getItem and setItem, an address or a folder', text, {
    what: '',
    test: (v) =>
      isObject(v) && ['getItem', 'setItem'].every((name) => typeof v[name] === 'function'),
    json: NEVER,
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
      json: { type: 'number', exclusiveMinimum: 0 },
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
  attribution: either('false or an object', OFF, record),
  picker: either('true, false or { budget }', flag, record),
  logLevel: oneOf('silent', 'error', 'warn', 'info'),
};
export const ATTRIBUTION: Shape = {
  ...Object.fromEntries(
    ['json', 'html', 'markdown', 'text', 'spdx', 'cyclonedx'].map((kind) => [kind, fileName]),
  ),
  title: text,
  home: pageAddress,
  language,
  site: path('a folder'),
  builds: texts,
};
export const ASSERTION: Shape = { license: text, by: text, evidence: text };
export const PICKER: Shape = { budget: whole(1) };
