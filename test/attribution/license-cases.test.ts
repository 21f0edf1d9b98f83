import { describe, expect, it } from 'vitest';
import { computeChanges } from '../../src/attribution/credit/create-credit.ts';
import { checkChanges, checkLicense } from '../../src/attribution/license/policy.ts';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import type { Credit } from '../../src/types.ts';
import { credit, FACTS, manifest, record } from './records.ts';
import { describeDrift, findDrift } from '../../src/attribution/credit/drift.ts';

const EVIDENCE = { by: 'Legal', evidence: 'https://catalog.example/mail/7' };

/** What a reader of each file learns of the licence. */
function reported(made: Credit): {
  status: string;
  version: string | null;
  basis: string;
  text: string;
} {
  const { status, version, versionBasis: basis } = made.license;
  return { status, version, basis, text: renderAttribution(manifest([made]), 'text') };
}

describe('an icon under CC BY', () => {
  it('without a version has none anywhere, and no link to a text of the licence', () => {
    const { text, ...license } = reported(credit());
    expect(license).toEqual({ status: 'attribution', version: null, basis: 'not-stated' });
    expect(text).toContain('Creative Commons Attribution, version not stated by the catalog');
    expect(text).not.toContain('creativecommons.org');
  });

  it.each([
    [{ record: { attribution: 'Whale by Ada, CC BY 3.0' } }, 'credit-text', '3.0'],
    [{ rest: { termsVersion: '4.0' } }, 'catalog-terms', '4.0'],
    [{ rest: { drawn: ['Created by Ada (CC BY 2.5)'] } }, 'source-file', '2.5'],
    [{ rest: { notices: ['http://creativecommons.org/licenses/by/4.0/'] } }, 'source-file', '4.0'],
    [{ rest: { assertion: { license: 'CC-BY-4.0', ...EVIDENCE } } }, 'project-assertion', '4.0'],
  ] as const)('has the version that %j states', (stated, basis, version) => {
    const { record: fields = {}, rest = {} } = stated as {
      record?: object;
      rest?: object;
    };
    const made = reported(credit(fields, rest));
    expect(made).toMatchObject({ status: 'attribution', basis, version });
    expect(made.text).toContain(`https://creativecommons.org/licenses/by/${version}/`);
  });

  it('keeps to the order of grounds, whatever the others say', () => {
    const all = {
      termsVersion: '4.0',
      drawn: ['CC BY 2.0'],
      assertion: { license: 'CC-BY-1.0', ...EVIDENCE },
    };
    const words = { attribution: 'CC BY 3.0' };
    const { assertion: _, ...withoutAssertion } = all;
    expect(reported(credit(words, all)).version).toBe('1.0');
    expect(reported(credit(words, withoutAssertion)).version).toBe('4.0');
    expect(reported(credit(words, { drawn: all.drawn })).version).toBe('3.0');
    expect(reported(credit({}, { drawn: all.drawn })).version).toBe('2.0');
  });

  it('takes no version from a file that names another licence, or two', () => {
    const sharing = ['https://creativecommons.org/licenses/by-sa/4.0/'];
    expect(reported(credit({}, { notices: sharing })).version).toBeNull();
    expect(reported(credit({}, { drawn: ['CC BY 3.0', 'CC BY 4.0'] })).version).toBeNull();
  });
});

describe('an icon whose licence', () => {
  it('is public domain is listed without a duty, and not called CC0', () => {
    const made = credit({ license_description: 'public-domain' });
    expect(made.credit.required).toBe(false);
    expect(reported(made).text).toContain('Public domain, as stated by the catalog');
    expect(reported(made).text).not.toMatch(/CC0|Public Domain Mark/);
  });

  it.each([['house rules'], ['']])('is %j stops the build, whatever it resembles', (declared) => {
    const strange = record({ license_description: declared });
    expect(() => checkLicense(strange, { unknown: 'error', assert: {} })).toThrow(
      'LICENSE_UNKNOWN',
    );
    const { text, status } = reported(credit({ license_description: declared }));
    expect(status).toBe('unknown');
    expect(text).toMatch(/Licence not stated by the catalog|Unknown licence, called “house rules”/);
  });

  it('was found out by the project says by whom and where that can be seen', () => {
    const assertion = { license: 'LicenseRef-Bought', ...EVIDENCE, date: '2026-01-02' };
    const made = credit({ license_description: 'house rules' }, { assertion });
    expect(made.license).toMatchObject({
      status: 'separately-licensed',
      spdx: 'LicenseRef-Bought',
      declared: 'house rules',
      assertion: { ...EVIDENCE, date: '2026-01-02' },
    });
    const policy = { unknown: 'error', assert: { 123: assertion } } as const;
    expect(checkLicense(record({ license_description: 'house rules' }), policy)).toBeUndefined();
    expect(renderAttribution(manifest([made]), 'html')).toContain('as found out for this site');
  });

  it('was found out stays what the catalog says where that is only made precise', () => {
    const status = (license_description: string, license: string) =>
      credit({ license_description }, { assertion: { license, ...EVIDENCE } }).license.status;
    expect(status('public-domain', 'CC0-1.0')).toBe('public-domain');
    expect(status('public-domain', 'MIT')).toBe('separately-licensed');
    expect(status('creative-commons-attribution', 'CC-BY-3.0')).toBe('attribution');
    expect(status('creative-commons-attribution', 'CC-BY-SA-3.0')).toBe('separately-licensed');
  });

  it('the policy does not list is refused with what is allowed', () => {
    const policy = { unknown: 'error', assert: {}, allow: ['MIT'] } as const;
    expect(() => checkLicense(record(), policy)).toThrow(
      /LICENSE_REFUSED[\s\S]*creative-commons-attribution[\s\S]*Allowed: MIT/,
    );
  });

  it('forbids changed copies is warned about where it was recoloured, not where it was only encoded', () => {
    const assertion = { license: 'CC-BY-ND-4.0', ...EVIDENCE };
    const recolored = credit({}, { assertion });
    expect(checkChanges(recolored)).toMatch(/NoDerivatives.*forbids.*is recoloured\.$/);
    const changes = computeChanges({ ...FACTS, optimized: true });
    expect(checkChanges(credit({}, { assertion, changes }))).toBeUndefined();
  });
});

describe('a record that changed since the lock', () => {
  const locked = record({ license_description: 'public-domain' });

  it('is reported field by field, with what it was and is', () => {
    const drift = findDrift(locked, {
      ...record({ attribution: 'Whale by Eva' }),
      creator: { name: 'Eva', permalink: '/eva/', username: 'eva' },
    });
    expect(drift.map(({ field, legal }) => [field, legal])).toEqual([
      ['license_description', true],
      ['attribution', true],
      ['creator.name', true],
      ['creator.username', true],
      ['creator.permalink', false],
    ]);
    expect(drift.slice(0, 2).map(describeDrift)).toEqual([
      'license_description was “public-domain”, is “creative-commons-attribution”',
      'attribution was “Whale by Ada from the catalog”, is “Whale by Eva”',
    ]);
  });

  it('is nothing where the record is the same, and seen where one space differs', () => {
    expect(findDrift(locked, { ...locked })).toEqual([]);
    expect(findDrift(locked, { ...locked, term: 'Whale ' })).toHaveLength(1);
    expect(findDrift(locked, { ...locked, attribution: '' }).map(describeDrift)).toEqual([
      'attribution was “Whale by Ada from the catalog”, is empty',
    ]);
  });
});
