import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePermalink } from '../../src/attribution/credit/create-credit.ts';
import { SITE } from './records.ts';

const RFC_3986 =
  /^https:\/\/catalog\.example\/(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/;

describe('resolvePermalink', () => {
  it.each([
    ['/icon/whale-1/', `${SITE}/icon/whale-1/`],
    ['icon/whale-1', `${SITE}/icon/whale-1`],
    ['/icon/<b>"x"|y', `${SITE}/icon/%3Cb%3E%22x%22%7Cy`],
    ['/ikone/größe', `${SITE}/ikone/gr%C3%B6%C3%9Fe`],
    ['/a/%zz', `${SITE}/a/%25zz`],
    ['/icon/signature-7/', `${SITE}/icon/signature-7/`],
    ['/icon?id=7&page=2#x', `${SITE}/icon?id=7&page=2#x`],
    ['/a/../../b', `${SITE}/b`],
    [`${SITE}/absolute/`, `${SITE}/absolute/`],
  ])('%j is %j', (permalink, address) => {
    expect(resolvePermalink(permalink, SITE)).toBe(address);
  });

  it.each(['/icon/7', '/icon/7?page=2', 'http://10.0.0.1/icon?id=7'])(
    'links to no private host: %s',
    (permalink) => {
      for (const site of ['http://10.0.0.1/', 'https://wiki.corp/', 'http://localhost:4000/'])
        expect(resolvePermalink(permalink, site)).toBeNull();
    },
  );

  it.each([
    '',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    `blob:${SITE}/x`,
    'https://[icon',
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example\\x',
    'https://evil.example/',
    'http://catalog.example/other-scheme/',
    'https://user:pass@catalog.example/',
    '/icon/1.svg?Expires=1&Signature=abc',
    '/icon/1?oauth_nonce=1',
    '/icon/1?X-Amz-Signature=1',
    '/icon/\u0000',
    '/icon\t/1',
  ])('%j is no address', (permalink) => {
    expect(resolvePermalink(permalink, SITE)).toBeNull();
  });

  it('needs a site on http(s)', () => {
    expect(resolvePermalink('/x', 'not an address')).toBeNull();
    expect(resolvePermalink('/x', 'ftp://catalog.example')).toBeNull();
    expect(resolvePermalink('x', 'ftp://catalog.example')).toBeNull();
    expect(resolvePermalink('/x', 'file:///')).toBeNull();
    expect(resolvePermalink(undefined, SITE)).toBeNull();
  });

  it('gives addresses of RFC 3986 on the site, or none, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, rooted) => {
        const address = resolvePermalink(rooted ? `/${text}` : text, SITE);
        expect(address === null || RFC_3986.test(address)).toBe(true);
      }),
    );
  });
});
