import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type {
  AttributionOptions,
  CatalogCredentials,
  EmbeddedOptions,
  LicenseOptions,
  Options,
  SvgOptions,
} from '../../src/options/options.ts';
import { readProjectOptions } from '../../src/options/file.ts';
import { checkOptions } from '../../src/options/schema.ts';
import { runInProject } from '../cli/support/project-cli.ts';
import { writeProject } from '../support/write-project.ts';

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** The schema of the built package. */
const PUBLISHED = new URL('../../dist/schema/config.json', import.meta.url);
const schema = JSON.parse(await readFile(PUBLISHED, 'utf8')) as Schema;
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

/** The names of the types. The compiler refuses a table without one of them. */
const NAMES: Record<string, Record<string, true>> = {
  '': {
    catalog: true,
    concurrency: true,
    timeout: true,
    retries: true,
    budget: true,
    mode: true,
    lockfile: true,
    vendor: true,
    cacheDir: true,
    sharedCache: true,
    aliases: true,
    framework: true,
    defaults: true,
    svg: true,
    licenses: true,
    attribution: true,
    picker: true,
    logLevel: true,
  } satisfies Record<keyof Options, true>,
  catalog: {
    baseUrl: true,
    key: true,
    secret: true,
    site: true,
    assetHosts: true,
  } satisfies Record<keyof CatalogCredentials, true>,
  'catalog.embedded': {
    sets: true,
    folders: true,
    keys: true,
    now: true,
    root: true,
    stateDir: true,
  } satisfies Record<keyof EmbeddedOptions, true>,
  defaults: {
    color: true,
    size: true,
    as: true,
    class: true,
  } satisfies Record<keyof NonNullable<Options['defaults']>, true>,
  svg: {
    optimize: true,
    transform: true,
    strict: true,
    animation: true,
    maxBytes: true,
    limits: true,
    metadata: true,
  } satisfies Record<keyof SvgOptions, true>,
  'svg.limits': {
    elements: true,
    expansion: true,
    filterCost: true,
    text: true,
    animations: true,
  } satisfies Record<keyof NonNullable<SvgOptions['limits']>, true>,
  licenses: {
    allow: true,
    unknown: true,
    assert: true,
    terms: true,
  } satisfies Record<keyof LicenseOptions, true>,
  attribution: {
    json: true,
    html: true,
    markdown: true,
    text: true,
    spdx: true,
    cyclonedx: true,
    title: true,
    home: true,
    language: true,
    site: true,
    builds: true,
  } satisfies Record<keyof AttributionOptions, true>,
  picker: { budget: true },
};

/** Properties at a path: of the object itself, or of any alternative that is one. */
function propertiesAt(path: string): Map<string, Schema> {
  const steps = path === '' ? [] : path.split('.');
  let found = [schema];
  const flat = (one: Schema): Schema[] => [one, ...(one.anyOf ?? []).flatMap(flat)];
  for (const step of steps)
    found = found.flatMap(flat).flatMap(({ properties = {} }) => properties[step] ?? []);
  return new Map(found.flatMap(flat).flatMap(({ properties = {} }) => Object.entries(properties)));
}

describe('the schema of icon-catalog.config.json', () => {
  it.each(Object.keys(NAMES))('has every option below %j, each with what it is for', (path) => {
    const properties = propertiesAt(path);
    const names = Object.keys(NAMES[path] ?? {});
    expect(names.filter((name) => !properties.has(name))).toEqual([]);
    const bare = names.filter((name) => (properties.get(name)?.description ?? '').length < 5);
    // Their names say it, or their object does.
    const NAMED = [
      'logLevel',
      'svg',
      'licenses',
      'color',
      'size',
      'as',
      'class',
      'budget',
      'key',
      'secret',
    ];
    expect(bare.filter((name) => !NAMED.includes(name))).toEqual([]);
  });

  const remote = { baseUrl: 'https://catalog.example', key: 'k', secret: 's' };
  const terms = { version: '3.0', url: 'https://catalog.example/terms' };
  it.each<[isRight: boolean, config: unknown]>([
    [true, {}],
    [true, { catalog: 'embedded', aliases: { house: 'tabler/home', star: 123 } }],
    [true, { catalog: { embedded: { sets: ['tabler'], folders: ['icons', { path: 'own' }] } } }],
    [true, { catalog: remote, aliases: { 'arrows/up': 1 }, licenses: { terms } }],
    [true, { catalog: { ...remote, site: { url: 'https://icons.example/' } } }],
    [true, { framework: 'react', defaults: { size: 24, as: 'component', color: 'ff0000' } }],
    [true, { vendor: true, sharedCache: 'redis://host:6379', svg: { limits: { text: 0 } } }],
    [true, { attribution: false, picker: { budget: 3 }, logLevel: 'warn' }],
    [
      true,
      { attribution: { html: 'pages/credits.html', text: false, language: 'de-AT', home: '/' } },
    ],
    [true, { attribution: { language: { code: 'fr', words: {} }, builds: ['client'] } }],
    [
      true,
      {
        licenses: { allow: ['MIT'], assert: { 1: { license: 'MIT', by: 'us', evidence: 'mail' } } },
      },
    ],
    [false, []],
    [false, { catalog: 'remote' }],
    [false, { catalog: { ...remote, token: 'x' } }],
    [false, { catalog: { ...remote, site: { name: 'Icons' } } }],
    [false, { catalog: { embedded: { set: ['tabler'] } } }],
    [false, { aliases: { house: 'tabler/home' } }],
    [false, { catalog: remote, aliases: { house: 'tabler/home' } }],
    [false, { catalog: 'embedded', aliases: { house: 'Tabler/Home' } }],
    [false, { catalog: 'embedded', aliases: { credits: 1 } }],
    [false, { aliases: { 12: 1 } }],
    [false, { aliases: { 'a b': 1 } }],
    [false, { aliases: { house: 0 } }],
    [false, { concurrency: 0 }],
    [false, { concurrency: 1000 }],
    [false, { retries: 1.5 }],
    [false, { mode: 'frozen' }],
    [false, { lockFile: 'icons.lock' }],
    [false, { lockfile: '' }],
    [false, { lockfile: 'file:///srv/icons.lock' }],
    [true, { cacheDir: 'C://icons', lockfile: 'a:b/icons.lock' }],
    [false, { cacheDir: 'https://cache.example/' }],
    [false, { vendor: 'https://cdn.example/icons.vendor' }],
    [false, { attribution: { site: 'https://site.example' } }],
    [false, { attribution: { html: 'https://site.example/credits.html' } }],
    [false, { catalog: { embedded: { folders: [{ path: 'file:///srv/icons' }] } } }],
    [false, { catalog: { embedded: { folders: ['https://icons.example'] } } }],
    [false, { catalog: { embedded: { folders: [{ prefix: 'own' }] } } }],
    [false, { catalog: { embedded: { stateDir: 'https://state.example' } } }],
    [false, { vendor: 3 }],
    [false, { framework: 'angular' }],
    [false, { defaults: { size: 0 } }],
    [false, { defaults: { as: 'text' } }],
    [false, { svg: { transform: 'x' } }],
    [false, { svg: { limits: { elements: 0 } } }],
    [false, { licenses: { assert: { 1: { license: 'MIT' } } } }],
    [false, { licenses: { terms: { version: '3.0' } } }],
    [false, { catalog: 'embedded', licenses: { terms } }],
    [false, { licenses: { terms: { ...terms, version: '9' } } }],
    [false, { attribution: true }],
    [false, { attribution: { html: '../credits.html' } }],
    [false, { attribution: { html: '/credits.html' } }],
    [false, { attribution: { language: 'fr' } }],
    [false, { attribution: { home: 'java script:x' } }],
    [false, { picker: { budget: 0 } }],
    [false, { logLevel: 'debug' }],
  ])('says %j of a configuration as the plugin does: %j', (isRight, config) => {
    let isAccepted = true;
    try {
      checkOptions(config as Options);
    } catch {
      isAccepted = false;
    }
    expect([isAccepted, validate(config), validate.errors ?? []]).toEqual([
      isRight,
      isRight,
      isRight ? [] : expect.any(Array),
    ]);
  });

  it('may be named by the file, which the plugin and commands read and edit as before', async () => {
    const address = './node_modules/unplugin-icon-catalog/dist/schema/config.json';
    const file = 'icon-catalog.config.json';
    const text = `{\n  "$schema": "${address}",\n  "catalog": { "embedded": { "sets": ["maki"], "root": ${JSON.stringify(process.cwd())} } }\n}\n`;
    const root = await writeProject({ [file]: text });
    expect(validate(JSON.parse(text))).toBe(true);
    expect(await readProjectOptions(root)).toEqual({
      catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
    });
    const env = { ICON_CATALOG_CACHE_DIR: join(root, '.cache') };
    const { code, err } = await runInProject(root, ['add', 'maki/bank', '--as', 'bank'], { env });
    expect([code, err]).toEqual([0, expect.any(String)]);
    const after: unknown = JSON.parse(await readFile(join(root, file), 'utf8'));
    expect(after).toMatchObject({ $schema: address, aliases: { bank: 'maki/bank' } });
    expect(import.meta.resolve('unplugin-icon-catalog/schema/config.json')).toBe(PUBLISHED.href);
  });
});
