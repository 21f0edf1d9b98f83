import { describe, expect, it } from 'vitest';
import { mayFetchAsset, proxyOf } from '../../src/catalog/wire.ts';
import { isPublicHost } from '../../src/untrusted.ts';

const host = (written: string): string => new URL(`http://${written}`).hostname;

it.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'app.localhost',
  'nas',
  'nas.local',
  'printer.lan',
  'wiki.corp',
  'a.internal',
  'router.home.arpa',
  '127.0.0.1',
  '127.9.9.9',
  '2130706433',
  '0x7f.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[fe80::1]',
  '[fd00::1]',
  '[fc00:1::]',
  '[ff02::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:192.168.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:c0a8:101::1]',
  '[2001::7f00:1]',
])('%s is reached by some only', (written) => {
  expect(isPublicHost(host(written))).toBe(false);
});

it.each([
  'catalog.example',
  'api.catalog.example.',
  'localhost.example',
  'mylocal.example',
  '8.8.8.8',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '[2606:4700::1111]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::8.8.8.8]',
  '[2002:808:808::1]',
])('%s is reached by everybody', (written) => {
  expect(isPublicHost(host(written))).toBe(true);
});

const CATALOG = { baseUrl: 'https://api.catalog.example/v' };
const LOCAL = { baseUrl: 'http://127.0.0.1:4000' };
const NAMED = { ...CATALOG, assetHosts: ['static.example', 'cdn.example:8443', '10.0.0.7'] };

it.each([
  [CATALOG, 'https://static.example/1.png', true],
  [CATALOG, 'https://api.catalog.example/1.png', true],
  [CATALOG, 'http://static.example/1.png', false],
  [CATALOG, 'https://10.0.0.7/1.png', false],
  [CATALOG, 'https://localhost/1.png', false],
  [CATALOG, 'https://user@static.example/1.png', false],
  [CATALOG, 'file:///etc/passwd', false],
  [CATALOG, 'not an address', false],
  [LOCAL, 'http://127.0.0.1:4000/1.png', true],
  [LOCAL, 'http://127.0.0.1:9/1.png', true],
  [LOCAL, 'https://static.example/1.png', true],
  [NAMED, 'https://static.example/1.png', true],
  [NAMED, 'https://cdn.example:8443/1.png', true],
  [NAMED, 'https://cdn.example/1.png', false],
  [NAMED, 'https://other.example/1.png', false],
  [NAMED, 'http://10.0.0.7/1.png', true],
  [NAMED, 'https://api.catalog.example/1.png', true],
])('a catalog at %o and the asset %s: %s', (catalog, address, expected) => {
  expect(mayFetchAsset(address, catalog)).toBe(expected);
});

describe('the proxy of an address', () => {
  const PROXY = 'http://proxy.example:3128';
  it.each<[string, Record<string, string>, string]>([
    ['https://catalog.example/', {}, ''],
    ['https://catalog.example/', { HTTPS_PROXY: PROXY }, PROXY],
    ['https://catalog.example/', { HTTP_PROXY: PROXY }, ''],
    ['http://catalog.example/', { HTTP_PROXY: PROXY }, PROXY],
    ['https://catalog.example/', { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
    [
      'https://catalog.example/',
      { HTTPS_PROXY: 'http://other.example', https_proxy: PROXY },
      PROXY,
    ],
    ['https://catalog.example/', { HTTPS_PROXY: PROXY, https_proxy: '' }, ''],
  ])('%s with %o', (address, env, proxy) => {
    expect(proxyOf(new URL(address), env)).toBe(proxy);
  });

  it.each([
    ['*', true],
    ['catalog.example', true],
    ['.example', true],
    ['*.example', true],
    ['other.test, CATALOG.example', true],
    ['other.test catalog.example:443', true],
    ['catalog.example:8443', false],
    ['log.example', false],
    ['api.catalog.example', false],
    [' , ', false],
  ])('is not asked for hosts of NO_PROXY: %s', (noProxy, isExempt) => {
    const env = { HTTPS_PROXY: PROXY, NO_PROXY: noProxy };
    expect(proxyOf(new URL('https://catalog.example/v2/icon'), env)).toBe(isExempt ? '' : PROXY);
  });

  it('is none for an address of this machine that NO_PROXY names', () => {
    const env = { http_proxy: PROXY, no_proxy: 'localhost,127.0.0.1,[::1]' };
    for (const host of ['localhost:4000', '127.0.0.1', '[::1]:4000'])
      expect(proxyOf(new URL(`http://${host}/`), env)).toBe('');
  });
});
