import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { IconCatalogError } from '../src/errors.ts';
import type { Options } from '../src/options/options.ts';
import { resolveOptions } from '../src/options/resolve-options.ts';

const host = { root: '/project', env: {} };
const resolve = (options: unknown, env: Record<string, string> = {}) =>
  resolveOptions(options as Options, {
    ...host,
    env: { ICON_CATALOG_CACHE_DIR: '/cache', ...env },
  });

function refused(options: unknown): IconCatalogError {
  try {
    resolve(options);
  } catch (error) {
    if (error instanceof IconCatalogError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(options)}`);
}

describe('options', () => {
  it('have the defaults of the contract', () => {
    expect(resolve({})).toMatchObject({
      catalog: {
        kind: 'none',
        reason:
          'No catalog is configured: ICON_CATALOG_URL, ICON_CATALOG_KEY, ICON_CATALOG_SECRET are not set.',
      },
      concurrency: 8,
      timeout: 15_000,
      retries: 2,
      budget: undefined,
      cacheDir: path.resolve('/cache'),
      svg: { optimize: true, strict: false, animation: false, maxBytes: 1_048_576 },
      licenses: { unknown: 'error', assert: {} },
      attribution: {
        json: 'icon-attribution.json',
        html: 'icon-attribution.html',
        markdown: 'icon-attribution.md',
        text: false,
        spdx: false,
        cyclonedx: false,
        page: {
          title: undefined,
          home: undefined,
          language: undefined,
          formats: { JSON: 'icon-attribution.json', Markdown: 'icon-attribution.md' },
        },
      },
      sourceDateEpoch: undefined,
      logLevel: 'info',
    });
  });

  it('link the credits page to its other formats, wherever each is written', () => {
    const { attribution } = resolve({
      attribution: {
        html: 'legal/icons.html',
        json: 'a b.json',
        markdown: false,
        text: 'legal/i.txt',
      },
    });
    expect(attribution).toMatchObject({
      page: { formats: { JSON: '../a%20b.json', Text: 'i.txt' } },
    });
  });

  it('win over the environment', () => {
    const env = {
      ICON_CATALOG_URL: 'https://env.example',
      ICON_CATALOG_KEY: 'a',
      ICON_CATALOG_SECRET: 'b',
    };
    expect(resolve({}, env).catalog).toMatchObject({
      kind: 'remote',
      baseUrl: 'https://env.example',
      key: 'a',
    });
    const catalog = { baseUrl: 'https://option.example/api/', key: 'c', secret: 'd' };
    expect(resolve({ catalog, cacheDir: '/mine' }, env)).toMatchObject({
      catalog: { kind: 'remote', baseUrl: 'https://option.example/api', key: 'c', secret: 'd' },
      cacheDir: path.resolve('/mine'),
    });
  });

  it('say where Turborepo hides the variables of the catalog', () => {
    const env = { ICON_CATALOG_URL: 'https://env.example', TURBO_HASH: '31b431419ae6f9b4' };
    expect(resolve({}, env).catalog).toMatchObject({
      kind: 'none',
      reason:
        'No catalog is configured: ICON_CATALOG_KEY, ICON_CATALOG_SECRET are not set. Turborepo shows a task only the variables that turbo.json names: add `"globalPassThroughEnv": ["ICON_CATALOG_*"]` to it.',
    });
  });

  it('take relative folders from the root of the project, wherever the process was started', () => {
    const { cacheDir } = resolve({ cacheDir: 'node_modules/.cache' });
    expect(cacheDir).toBe(path.resolve('/project', 'node_modules/.cache'));
  });

  it('name the nearest spelling of an unknown one', () => {
    const error = refused({ concurency: 3 });
    expect(error.code).toBe('OPTIONS_INVALID');
    expect(error.message).toContain('`concurency`');
    expect(error.remedy).toContain('`concurrency`');
    expect(refused({ svg: { optimise: true } }).remedy).toContain('`svg.optimize`');
    expect(refused({ licenses: { alow: [] } }).remedy).toContain('`licenses.allow`');
  });

  it.each<[unknown, string]>([
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: 1.5 }, 'concurrency'],
    [{ timeout: -1 }, 'timeout'],
    [{ retries: '2' }, 'retries'],
    [{ budget: -1 }, 'budget'],
    [{ catalog: 'embeded' }, 'catalog'],
    [{ catalog: { baseUrl: 'x', key: 'a', secret: 'b' } }, 'catalog.baseUrl'],
    [
      { catalog: { baseUrl: 'https://user:pw@example.com', key: 'a', secret: 'b' } },
      'catalog.baseUrl',
    ],
    [{ catalog: { baseUrl: 'ftp://example.com', key: 'a', secret: 'b' } }, 'catalog.baseUrl'],
    [{ aliases: { house: '123' } }, 'aliases.house'],
    [{ aliases: { house: 0 } }, 'aliases.house'],
    [{ aliases: { '12': 12 } }, 'aliases.12'],
    [{ aliases: { credits: 12 } }, 'aliases.credits'],
    [{ aliases: { 'a?b': 12 } }, 'aliases.a?b'],
    [{ framework: 'angular' }, 'framework'],
    [{ defaults: { as: 'text' } }, 'defaults.as'],
    [{ svg: { maxBytes: 0 } }, 'svg.maxBytes'],
    [{ licenses: { unknown: 'ignore' } }, 'licenses.unknown'],
    [{ licenses: { terms: { version: '4', url: 'https://a.example' } } }, 'licenses.terms.version'],
    [{ licenses: { terms: { version: '4.0', url: 'terms.html' } } }, 'licenses.terms.url'],
    [{ licenses: { terms: { version: '4.0' } } }, 'licenses.terms.url'],
    [
      { catalog: 'embedded', licenses: { terms: { version: '4.0', url: 'https://a.example' } } },
      'licenses.terms',
    ],
    [{ licenses: { assert: { 5: { license: 'MIT', by: 'me' } } } }, 'licenses.assert.5.evidence'],
    [{ attribution: { json: '../out.json' } }, 'attribution.json'],
    [{ attribution: { html: '/etc/x.html' } }, 'attribution.html'],
    [{ attribution: { spdx: true } }, 'attribution.spdx'],
    [{ attribution: { text: './icon-attribution.md' } }, 'attribution.text'],
    [{ svg: { metadata: 'yes' } }, 'svg.metadata'],
    [{ attribution: true }, 'attribution'],
    [{ attribution: { language: 'fr' } }, 'attribution.language'],
    [{ attribution: { language: { code: 'no words' } } }, 'attribution.language'],
    [{ attribution: { home: 'javascript:alert(1)' } }, 'attribution.home'],
    [{ attribution: { title: '' } }, 'attribution.title'],
    [{ logLevel: 'verbose' }, 'logLevel'],
    ['embedded', 'options'],
    [{ mode: 'frozen' }, 'mode'],
    [{ lockfile: '' }, 'lockfile'],
    [{ vendor: '' }, 'vendor'],
  ])('%j is refused at %s', (options, path) => {
    const error = refused(options);
    expect([error.code, error.path]).toEqual(['OPTIONS_INVALID', path]);
    expect(error.message).toContain(path.split('.').at(-1));
  });

  it('take SOURCE_DATE_EPOCH as whole seconds, or not at all', () => {
    const epoch = (written: string) => resolve({}, { SOURCE_DATE_EPOCH: written }).sourceDateEpoch;
    expect(epoch('1700000000')).toBe(1_700_000_000);
    expect(epoch('')).toBeUndefined();
    for (const written of ['today', '-1', '1.5', '2026-11-22', '999999999999'])
      expect(() => epoch(written), written).toThrow(
        `SOURCE_DATE_EPOCH is ${JSON.stringify(written)}`,
      );
  });

  it('keep secrets out of their errors', () => {
    const error = refused({
      catalog: { baseUrl: 'https://a.example', key: { hidden: 'the-key' }, secret: ['the-secret'] },
    });
    expect(error.message).not.toContain('the-key');
    expect(
      refused({ catalog: { baseUrl: 'https://a.example', key: 'k', secret: ['the-secret'] } })
        .message,
    ).not.toContain('the-secret');
    const keys = { key: 'k', secret: 'the-secret' };
    for (const embedded of [{ keys }, [{ keys: [keys] }], JSON.stringify(keys)])
      expect(refused({ catalog: { embedded } }).message).not.toContain('the-secret');
    expect(refused([{ catalog: keys }]).message).not.toContain('the-secret');
    expect(
      refused({ catalog: { baseUrl: 'https://me:the-secret@a.example', key: 'k', secret: 's' } })
        .message,
    ).not.toContain('the-secret');
  });

  it.each<[unknown, Record<string, string>?]>([
    [{ catalog: 'the-secret' }],
    [{ catalog: ['the-secret'] }],
    [{ catalog: { baseUrl: 'the-secret', key: 'k', secret: 's' } }],
    [{}, { ICON_CATALOG_URL: 'the-secret', ICON_CATALOG_KEY: 'k', ICON_CATALOG_SECRET: 's' }],
  ])('keep a secret out that stands in the wrong place: %j %j', (options, env = {}) => {
    expect(() => resolve(options, env)).toThrow('OPTIONS_INVALID');
    expect(() => resolve(options, env)).not.toThrow('the-secret');
  });
});
