import { describe, expect, it } from 'vitest';
import { findContradiction } from '../../src/attribution/license/contradiction.ts';
import { checkStatements } from '../../src/attribution/license/policy.ts';
import { createCatalogServer } from '../../src/server.ts';
import { createCatalogClient } from '../../src/client.ts';
import { record } from './records.ts';

const BY = 'creative-commons-attribution';
const FREE = 'public-domain';
const NC = 'no commercial use';
const ND = 'no derivatives';
const SA = 'share alike';
const ARR = 'all rights reserved';

describe('a name that is a part of words about the licence', () => {
  it.each([
    ['MIT', 'Reserved', 'Copyright 2021 Bob; All rights reserved', 'All rights reserved'],
    [BY, 'Nc', 'Shared under CC BY-NC 4.0', 'CC BY-NC 4.0'],
    [BY, 'Sa', 'creativecommons.org/licenses/by-sa/4.0', 'creativecommons.org/licenses/by-sa/4.0'],
    [BY, 'Commercial', 'For non-commercial use', 'non-commercial'],
    [BY, 'By', 'By by By, CC BY-ND 4.0', 'CC BY-ND 4.0'],
  ])('hides none of them: %s, “%s”', (license_description, term, notice, words) => {
    const found = findContradiction(record({ license_description, term, attribution: '' }), [
      notice,
    ]);
    expect(found).toMatchObject({ words, source: 'file' });
    const text = findContradiction(record({ license_description, term, attribution: notice }));
    expect(text).toMatchObject({ words, source: 'credit-text' });
  });

  it('is no statement where it says all of them', () => {
    const about = { license_description: BY, term: 'CC BY-NC 4.0' };
    const attribution = 'CC BY-NC 4.0 by Ada, CC BY 4.0';
    expect(findContradiction(record({ ...about, attribution }))).toBeUndefined();
    const twice = 'CC BY-NC 4.0 by Ada, CC BY-NC 4.0';
    expect(findContradiction(record({ ...about, attribution: twice }))).toBeDefined();
  });
});

describe('a credit text that names another licence', () => {
  it.each<[string, string, string, string[]]>([
    [BY, 'Whale by Ada, CC BY-NC 4.0', 'CC BY-NC 4.0', [NC]],
    [BY, 'Whale by Ada, CC-BY-NC-ND', 'CC-BY-NC-ND', [NC, ND]],
    [BY, 'Whale (BY-NC-SA 3.0)', 'BY-NC-SA 3.0', [NC, SA]],
    [
      BY,
      'Whale https://creativecommons.org/licenses/by-sa/4.0/deed.de',
      'creativecommons.org/licenses/by-sa/4.0/deed.de',
      [SA],
    ],
    [
      BY,
      'Creative Commons Attribution-NonCommercial-ShareAlike 3.0',
      'Creative Commons Attribution-NonCommercial-ShareAlike 3.0',
      [NC, SA],
    ],
    [BY, 'Whale by Ada. For non-commercial use.', 'non-commercial', [NC]],
    [BY, 'Whale by Ada. Free for personal use only.', 'personal use only', [NC]],
    [BY, 'Whale by Ada, no derivatives', 'no derivatives', [ND]],
    [BY, 'Whale by Ada, no modifications', 'no modifications', [ND]],
    [BY, '© 2020 Ada. All rights reserved.', 'All rights reserved', [ARR]],
    [FREE, 'Whale by Ada, CC BY 4.0', 'CC BY 4.0', ['credit']],
    [FREE, 'Whale, licensed under the MIT license', 'MIT', ['credit']],
    ['MIT', 'Whale by Ada, GPLv3', 'GPLv3', [SA]],
    ['CC-BY-4.0', 'Whale by Ada (CC BY 3.0)', 'CC BY 3.0', []],
    ['CC-BY-NC-4.0', 'Whale by Ada (CC BY 4.0)', 'CC BY 4.0', []],
    ['MIT', 'Whale by Ada, Apache License 2.0', 'Apache License 2.0', []],
    ['Apache-2.0', 'Whale, Apache-1.1', 'Apache-1.1', []],
    [BY, 'Whale by Ada, public domain', 'public domain', []],
    [BY, 'CC BY 3.0 or CC BY 4.0', 'CC BY 4.0', []],
  ])('%s, “%s”', (license_description, attribution, words, stricter) => {
    expect(findContradiction(record({ license_description, attribution }))).toEqual({
      declared: license_description,
      words,
      source: 'credit-text',
      stricter,
    });
  });

  it.each([
    [BY, 'Whale by Ada from the catalog'],
    [BY, 'Whale by Ada (CC BY 3.0)'],
    [BY, 'Whale, https://creativecommons.org/licenses/by/4.0/, CC BY 4.0'],
    [BY, 'Whale by Ada, free for commercial and non-commercial use, CC BY'],
    [BY, 'Whale by Ada, CC BY 4.0 or MIT License'],
    [FREE, 'Whale by Ada, CC0 1.0 (public domain)'],
    ['CC0-1.0', 'Whale by Ada from Sea, CC0 (CC0-1.0)'],
    ['MIT', '“Whale” by Ada (https://example.com/gpl/nc) from Sea, MIT (MIT)'],
    ['BSD-3-Clause', 'Copyright 2020 Ada. All rights reserved. BSD-3-Clause license'],
    ['GPL-2.0-only', 'Whale, GPL 2.0 (GPL-2.0-only)'],
    ['CC-BY-NC-SA-4.0', 'Whale, CC BY-NC-SA 4.0, not for commercial use'],
    ['house rules', 'All rights reserved, CC BY-NC 4.0'],
  ])('is not seen in: %s, “%s”', (license_description, attribution) => {
    expect(findContradiction(record({ license_description, attribution }))).toBeUndefined();
  });

  it('is no name of an icon, a creator or a collection', () => {
    const named = record({
      term: 'Creative Commons BY-NC',
      creator: { name: 'All Rights Reserved Ltd', permalink: '', username: '' },
      collections: [{ id: '1', name: 'Public domain', permalink: '' }],
      attribution:
        'Creative Commons BY-NC by All Rights Reserved Ltd from Public domain, CC BY 4.0',
    });
    expect(findContradiction(named)).toBeUndefined();
    expect(findContradiction({ ...named, term: 'Licence' })?.stricter).toEqual([NC]);
  });
});

describe('a file that names another licence', () => {
  const ADDRESS = 'http://creativecommons.org/licenses/by-nc/3.0/';

  it('contradicts the record, or the version of its credit text', () => {
    expect(findContradiction(record(), [ADDRESS])).toMatchObject({
      source: 'file',
      words: 'creativecommons.org/licenses/by-nc/3.0/',
      stricter: [NC],
    });
    const text = record({ attribution: 'Whale by Ada, CC BY 3.0' });
    expect(findContradiction(text, ['Created by Ada, CC BY 4.0'])).toMatchObject({
      source: 'file',
      words: 'CC BY 4.0',
      stricter: [],
    });
    expect(
      findContradiction(text, ['http://creativecommons.org/licenses/by/3.0/']),
    ).toBeUndefined();
  });
});

describe('the policy', () => {
  const strict = { unknown: 'error', assert: {} } as const;
  const lax = { ...strict, unknown: 'warn' } as const;
  const stricter = record({ attribution: 'Whale by Ada, CC BY-NC 4.0' });
  const laxer = record({ attribution: 'Whale by Ada, CC0' });

  it('refuses a stricter text, with both words', () => {
    expect(() => checkStatements(stricter, strict)).toThrow(
      /LICENSE_UNKNOWN[^]*creative-commons-attribution[^]*credit text says “CC BY-NC 4\.0”[^]*no commercial use[^]*licenses: \{ assert/,
    );
    expect(checkStatements(stricter, lax)).toContain('“CC BY-NC 4.0”, which is stricter');
    expect(checkStatements(laxer, strict)).toBe(
      'The catalog says “creative-commons-attribution” for icon 123 “Whale”, but its credit text says “CC0”.',
    );
    expect(checkStatements(record(), strict)).toBeUndefined();
  });

  it('follows an assertion of the project', () => {
    const assert = { 123: { license: 'CC-BY-NC-4.0', by: 'Legal', evidence: 'mail' } };
    expect(checkStatements(stricter, { ...strict, assert })).toBeUndefined();
  });
});

describe('the credit texts of installed sets', () => {
  it('contradict none of their records', async () => {
    const server = createCatalogServer({ sets: ['tabler', 'maki', 'game-icons', 'simple-icons'] });
    const client = createCatalogClient({
      baseUrl: 'http://embedded.invalid',
      ...server.credentials(),
      fetch: (request) => server.fetch(request),
    });
    const words = [
      'license',
      'commons',
      'rights',
      'domain',
      'mit',
      'apache',
      'share',
      'gnu',
      'bsd',
    ];
    let read = 0;
    for (const query of words) {
      const { icons } = await client.icons({ query, limit: 1000 });
      read += icons.length;
      for (const icon of icons) expect(findContradiction(icon), icon.attribution).toBeUndefined();
    }
    expect(read).toBeGreaterThan(50);
  });
});
