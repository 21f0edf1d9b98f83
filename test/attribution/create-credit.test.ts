import { describe, expect, it } from 'vitest';
import { NO_FILE_SHA256 } from '../../src/attribution/credit/create-credit.ts';
import type { Change } from '../../src/types.ts';
import { credit, licenseCases } from './records.ts';

const EVIDENCE = { by: 'Legal', evidence: 'mail' };

describe('createCredit', () => {
  it('keeps the words of the catalog and makes addresses absolute', () => {
    const made = credit({ term: ' Whale\u0000', attribution: 'Whale  by\nAda' });
    expect(made.title).toBe(' Whale\u0000');
    expect(made.credit.requested).toBe('Whale  by\nAda');
    expect(made.source.url).toBe('https://catalog.example/icon/whale-123/');
    expect(made.creator).toEqual({
      name: 'Ada',
      username: 'ada',
      url: 'https://catalog.example/ada/',
    });
    expect(made.collections).toEqual([
      { id: '7', name: 'Sea', url: 'https://catalog.example/collection/sea-7/' },
    ]);
    expect(made.source.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('writes the line', () => {
    const changes: Change[] = [];
    expect(credit({ license_description: 'MIT' }).credit.line).toBe(
      '“Whale” by Ada. Source: https://catalog.example/icon/whale-123/. Licence: MIT License (https://spdx.org/licenses/MIT.html). Changes: recoloured; optimised (encoding only).',
    );
    expect(credit({}, { changes }).credit.line).toBe(
      '“Whale” by Ada. Source: https://catalog.example/icon/whale-123/. Licence: Creative Commons Attribution, version not stated by the catalog. Changes: none.',
    );
    const bare = {
      term: '',
      creator: { name: '', permalink: '', username: '' },
      permalink: 'javascript:1',
    };
    expect(credit(bare, { changes }).credit.line).toMatch(
      /^Untitled icon 123, creator not stated\. Source: not stated\. /,
    );
  });

  it('names a creator without a name by the user name', () => {
    const { line } = credit({ creator: { name: '', permalink: '', username: 'ada' } }).credit;
    expect(line).toMatch(/^“Whale” by ada\. Source/);
  });

  it('keeps untrusted text from reordering or breaking the line', () => {
    const { line } = credit({
      term: 'a\u202Eb\r\nc\u2028d',
      creator: { name: 'שלום', permalink: '', username: '' },
    }).credit;
    expect(line).toMatch(/^“ab c d” by \u2068שלום\u2069\. Source/);
  });

  it('says what is known of each licence, and why', () => {
    const reported = licenseCases().map(({ license, credit: { required } }) => [
      license.status,
      license.spdx,
      license.version,
      license.versionBasis,
      license.url,
      required,
    ]);
    expect(reported).toEqual([
      [
        'attribution',
        'LicenseRef-catalog-creative-commons-attribution',
        null,
        'not-stated',
        null,
        true,
      ],
      [
        'attribution',
        'CC-BY-3.0',
        '3.0',
        'credit-text',
        'https://creativecommons.org/licenses/by/3.0/',
        true,
      ],
      [
        'attribution',
        'CC-BY-4.0',
        '4.0',
        'catalog-terms',
        'https://creativecommons.org/licenses/by/4.0/',
        true,
      ],
      [
        'attribution',
        'CC-BY-4.0',
        '4.0',
        'project-assertion',
        'https://creativecommons.org/licenses/by/4.0/',
        true,
      ],
      ['separately-licensed', 'LicenseRef-Royalty-Free', null, 'project-assertion', null, true],
      ['public-domain', 'LicenseRef-catalog-public-domain', null, 'not-stated', null, false],
      ['spdx', 'MIT', null, 'spdx', 'https://spdx.org/licenses/MIT.html', true],
      [
        'spdx',
        'CC0-1.0',
        '1.0',
        'spdx',
        'https://creativecommons.org/publicdomain/zero/1.0/',
        false,
      ],
      [
        'spdx',
        'CC-BY-SA-3.0-DE',
        '3.0',
        'spdx',
        'https://creativecommons.org/licenses/by-sa/3.0/de/',
        true,
      ],
      ['unknown', 'LicenseRef-catalog-house-rules-v2-4fe3ac48', null, 'not-stated', null, true],
      ['unknown', 'NOASSERTION', null, 'not-stated', null, true],
      [
        'attribution',
        'LicenseRef-catalog-creative-commons-attribution',
        null,
        'not-stated',
        null,
        true,
      ],
    ]);
  });

  it('names licences as they are called', () => {
    const nameOf = (license_description: string): string =>
      credit({ license_description }).license.name;
    expect(nameOf('creative-commons-attribution')).toBe(
      'Creative Commons Attribution, version not stated by the catalog',
    );
    expect(nameOf('public-domain')).toBe('Public domain, as stated by the catalog');
    expect(nameOf('CC-BY-NC-SA-4.0')).toBe(
      'Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International',
    );
    expect(nameOf('OFL-1.1')).toBe('SIL Open Font License 1.1');
    expect(nameOf('HPND')).toBe('HPND');
    expect(nameOf('')).toBe('Licence not stated by the catalog');
  });

  it('puts an assertion above terms and credit text', () => {
    const { license } = credit(
      { attribution: 'CC BY 3.0' },
      { assertion: { license: 'CC-BY-2.0', ...EVIDENCE }, termsVersion: '4.0' },
    );
    expect(license).toMatchObject({
      spdx: 'CC-BY-2.0',
      assertion: EVIDENCE,
      declared: 'creative-commons-attribution',
    });
    expect(credit({ attribution: 'CC BY 3.0' }, { termsVersion: '9.9' }).license.version).toBe(
      '3.0',
    );
  });

  it('marks icons of which no file was downloaded', () => {
    expect(credit({}, { sha256: null }).source.sha256).toBe(NO_FILE_SHA256);
  });
});
