import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createStorage } from 'unstorage';
import { createIcons } from '../../../src/icons.ts';
import type { Options } from '../../../src/options/options.ts';
import { parseAddress } from '../../../src/store/shared-cache/parse-address.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const parse = (
  option: Options['sharedCache'],
  env: Record<string, string> = {},
): ReturnType<typeof parseAddress> => parseAddress(option, { root: '/project', env });

const AWS = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'topsecret' };
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'topsecret' };

describe('the address of the shared cache', () => {
  it('is none where nothing is said', () => {
    expect(parse(undefined)).toBeUndefined();
    expect(parse(undefined, { ICON_CATALOG_SHARED_CACHE: '' })).toBeUndefined();
  });

  it('comes from the option, else from the environment', () => {
    const env = { ICON_CATALOG_SHARED_CACHE: 'redis://one' };
    expect(parse(undefined, env)).toMatchObject({ kind: 'redis', url: 'redis://one' });
    expect(parse('redis://two', env)).toMatchObject({ url: 'redis://two' });
  });

  it.each([
    ['cache', '/project/cache', false],
    ['../cache', '/cache', false],
    ['/shared/cache?readonly', '/shared/cache', true],
    ['/shared/cache?readonly=0', '/shared/cache', false],
    [pathToFileURL('/shared/cache').href, '/shared/cache', false],
    [`${pathToFileURL('/shared/my cache').href}?readonly`, '/shared/my cache', true],
  ])('is a folder: %s', (text, folder, readonly) => {
    expect(parse(text)).toEqual({ kind: 'folder', folder: resolve(folder), readonly });
  });

  it.each([
    ['redis://cache.internal', 'redis://cache.internal', false],
    ['rediss://user:pass@cache.internal:6380/2', 'rediss://user:pass@cache.internal:6380/2', false],
    ['redis://cache.internal?readonly', 'redis://cache.internal', true],
    ['redis://cache.internal/1?readonly=true', 'redis://cache.internal/1', true],
  ])('is a Redis server: %s', (text, url, readonly) => {
    expect(parse(text)).toEqual({ kind: 'redis', url, readonly });
  });

  it('is a bucket at Amazon, in its own host or, with a dot in its name, in a path', () => {
    expect(parse('s3://icons/team/a/?region=eu-central-1', AWS)).toMatchObject({
      kind: 's3',
      base: 'https://icons.s3.eu-central-1.amazonaws.com/team/a',
      region: 'eu-central-1',
      credentials,
      readonly: false,
    });
    expect(parse('s3://my.icons', { ...AWS, AWS_REGION: 'eu-west-1' })).toMatchObject({
      base: 'https://s3.eu-west-1.amazonaws.com/my.icons',
    });
  });

  it('is a bucket of another service, with what CI hands out', () => {
    const address = parse('s3://icons/x?endpoint=https://s3.example/&region=auto&readonly', {
      ...AWS,
      AWS_SESSION_TOKEN: 'session',
    });
    expect(address).toMatchObject({
      base: 'https://s3.example/icons/x',
      region: 'auto',
      credentials: { ...credentials, sessionToken: 'session' },
      readonly: true,
    });
    expect(parse('s3://icons', { AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' })).toMatchObject({
      base: 'http://127.0.0.1:9000/icons',
      region: 'us-east-1',
      credentials: undefined,
    });
  });

  it('is read-only if the environment says it, whatever it is', () => {
    const env = { ICON_CATALOG_SHARED_CACHE_READONLY: '1' };
    expect(parse('cache', env)).toMatchObject({ readonly: true });
    expect(parse('redis://one?readonly=0', env)).toMatchObject({ readonly: true });
    expect(parse(createStorage(), env)).toMatchObject({ kind: 'storage', readonly: true });
    expect(parse('cache', { ICON_CATALOG_SHARED_CACHE_READONLY: 'false' })).toMatchObject({
      readonly: false,
    });
  });

  it.each([
    ['https://user:hunter2@cache.example', 'the scheme "https"'],
    ['redis://:hunter2@cache.internal?tls=hunter2', 'a parameter "tls"'],
    ['redis://', 'without a host'],
    ['redis://:hunter2@[', 'cannot be read'],
    ['s3://hunter2:hunter2@icons?region=x', 'come from the environment'],
    ['s3://icons', 'without a region or an endpoint'],
    ['s3://icons?endpoint=ftp://hunter2', 'no http or https address'],
  ])('is refused, without a word of what may be a secret: %s', async (text, reason) => {
    const root = await temporaryFolder();
    const refusal = (): unknown => createIcons({ sharedCache: text }, { root, env: {} });
    expect(refusal).toThrow(/^\[OPTIONS_INVALID\] `sharedCache` /);
    expect(refusal).toThrow(reason);
    expect(refusal).not.toThrow(/hunter2/);
  });

  it('names the variable that it comes from', () => {
    expect(() => parse(undefined, { ICON_CATALOG_SHARED_CACHE: 'ftp://x' })).toThrow(
      'ICON_CATALOG_SHARED_CACHE has the scheme',
    );
  });

  it('shows nothing of an option of the wrong type', () => {
    const options = { sharedCache: { url: 'redis://:hunter2@x' } } as unknown as Options;
    expect(() => createIcons(options, { env: {} })).toThrow(
      '`sharedCache` must be a storage with getItem and setItem, an address or a folder.',
    );
  });
});
