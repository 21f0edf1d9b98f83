import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesKey, recordKey } from '../../src/store/content-store.ts';
import { defaultCacheDir, NO_CACHE_DIR } from '../../src/store/files.ts';
import { sha256Hex, sri512 } from '../../src/store/hash.ts';

describe('integrity', () => {
  it('agrees with the published digests of "abc" (FIPS 180-2)', () => {
    expect(sha256Hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(sri512(new TextEncoder().encode('abc'))).toBe(
      'sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==',
    );
  });
});

describe('a key', () => {
  const base = {
    catalog: 'https://catalog.example',
    id: 1,
    filetype: 'svg',
    color: '010203',
    size: null,
  } as const;

  it('is the same for the same bytes, and names no host', () => {
    expect(bytesKey(base)).toBe(bytesKey({ ...base, id: '1' }));
    expect(bytesKey(base)).not.toContain('example');
  });

  it('changes with everything that changes the bytes', () => {
    const keys = [
      bytesKey(base),
      bytesKey({ ...base, catalog: 'https://other.example' }),
      bytesKey({ ...base, id: 2 }),
      bytesKey({ ...base, filetype: 'png' }),
      bytesKey({ ...base, color: null }),
      bytesKey({ ...base, size: '64' }),
      bytesKey({ ...base, color: null, size: '010203' }),
      recordKey(base),
      recordKey({ ...base, id: 2 }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(bytesKey({ ...base, color: 'a:b', size: 'c' })).not.toBe(
      bytesKey({ ...base, color: 'a', size: 'b:c' }),
    );
  });
});

describe('the cache folder', () => {
  it('is the one asked for, then XDG, then the system', () => {
    const xdg = path.resolve('/xdg');
    expect(defaultCacheDir({ ICON_CATALOG_CACHE_DIR: '/a/b', XDG_CACHE_HOME: xdg })).toBe(
      path.resolve('/a/b'),
    );
    expect(defaultCacheDir({ ICON_CATALOG_CACHE_DIR: 'here' })).toBe(path.resolve('here'));
    expect(defaultCacheDir({ ICON_CATALOG_CACHE_DIR: ' ', XDG_CACHE_HOME: xdg })).toBe(
      path.join(xdg, 'unplugin-icon-catalog'),
    );
    const fallback = defaultCacheDir({});
    expect(path.isAbsolute(fallback)).toBe(true);
    expect(fallback).toContain('unplugin-icon-catalog');
    expect(defaultCacheDir({ XDG_CACHE_HOME: 'relative' })).toBe(fallback);
  });

  it('lies in the home folder, and never in the project if there is none', () => {
    const dir = (platform: string, home: string, env = {}): string =>
      defaultCacheDir(env, { home: () => home, platform });
    expect(dir('linux', '/h')).toBe(path.join('/h', '.cache', 'unplugin-icon-catalog'));
    expect(dir('darwin', '/h')).toBe(path.join('/h/Library/Caches', 'unplugin-icon-catalog'));
    expect(dir('win32', '/h')).toBe(path.join('/h/AppData/Local/unplugin-icon-catalog/Cache'));
    expect(dir('win32', '', { LOCALAPPDATA: '/l' })).toBe(
      path.join('/l/unplugin-icon-catalog/Cache'),
    );
    for (const home of ['', 'relative'])
      expect(dir('linux', home, { XDG_CACHE_HOME: 'relative' })).toBe(NO_CACHE_DIR);
  });

  it('is absolute although HOME is empty', () => {
    const before = process.env['HOME'];
    process.env['HOME'] = '';
    try {
      expect(path.isAbsolute(defaultCacheDir({}))).toBe(true);
    } finally {
      if (before === undefined) delete process.env['HOME'];
      else process.env['HOME'] = before;
    }
  });
});
