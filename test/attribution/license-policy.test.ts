import { describe, expect, it } from 'vitest';
import { isIconCatalogError } from '../../src/errors.ts';
import {
  checkChanges,
  checkLicense,
  type LicensePolicy,
  unacceptedConditions,
} from '../../src/attribution/license/policy.ts';
import { computeChanges } from '../../src/attribution/credit/create-credit.ts';
import { credit, FACTS, record } from './records.ts';

const OPEN: LicensePolicy = { unknown: 'error', assert: {} };
const EVIDENCE = { by: 'Legal', evidence: 'https://catalog.example/mail/7' };

function refusal(run: () => unknown): { code: string; message: string; path: string | undefined } {
  try {
    run();
  } catch (error) {
    if (isIconCatalogError(error))
      return { code: error.code, message: error.message, path: error.path };
    throw error;
  }
  throw new Error('It was let through.');
}

describe('checkLicense', () => {
  it('lets the known licences ship, and says nothing of a missing version, which the file may state', () => {
    expect(checkLicense(record({ license_description: 'public-domain' }), OPEN)).toBeUndefined();
    expect(checkLicense(record({ license_description: 'MIT' }), OPEN)).toBeUndefined();
    expect(checkLicense(record({ attribution: 'Whale, CC BY 3.0' }), OPEN)).toBeUndefined();
    expect(checkLicense(record(), { ...OPEN, terms: { version: '4.0' } })).toBeUndefined();
    expect(checkLicense(record(), OPEN)).toBeUndefined();
  });

  it.each([
    'Creative-Commons-Attribution',
    'cc-by',
    'royalty free',
    'MIT ',
    'MIT OR Apache-2.0',
    '__proto__',
    '',
  ])('stops at %j', (license_description) => {
    const error = refusal(() => checkLicense(record({ license_description }), OPEN));
    expect(error.code).toBe('LICENSE_UNKNOWN');
    expect(error.message).toContain('licenses');
    expect(error.path).toBe('license_description');
  });

  it('names the identifier that was nearly written, and does not take it', () => {
    const { message } = refusal(() => checkLicense(record({ license_description: 'mit' }), OPEN));
    expect(message).toContain('resembles MIT');
  });

  it('ships unknown licences with a warning if the project allows it', () => {
    const policy: LicensePolicy = { ...OPEN, unknown: 'warn' };
    expect(checkLicense(record({ license_description: 'x\ny' }), policy)).toContain('“x y”');
    const { code } = refusal(() =>
      checkLicense(record({ license_description: 'x' }), { ...policy, allow: ['MIT'] }),
    );
    expect(code).toBe('LICENSE_REFUSED');
  });

  it('refuses what the list of allowed licences leaves out', () => {
    const allow = ['public-domain', 'MIT'];
    expect(
      checkLicense(record({ license_description: 'MIT' }), { ...OPEN, allow }),
    ).toBeUndefined();
    const error = refusal(() => checkLicense(record(), { ...OPEN, allow }));
    expect(error.code).toBe('LICENSE_REFUSED');
    expect(error.message).toContain('creative-commons-attribution');
    expect(error.message).toContain('public-domain, MIT');
    expect(
      refusal(() => checkLicense(record({ license_description: 'MIT' }), { ...OPEN, allow: [] }))
        .message,
    ).toContain('Allowed: nothing');
  });

  it('does not make a licence known by allowing it', () => {
    const policy: LicensePolicy = { ...OPEN, allow: ['house rules'] };
    expect(
      refusal(() => checkLicense(record({ license_description: 'house rules' }), policy)).code,
    ).toBe('LICENSE_UNKNOWN');
  });

  it('follows an assertion with evidence', () => {
    const assert = { 123: { license: 'CC-BY-4.0', ...EVIDENCE } };
    expect(checkLicense(record({ license_description: 'x' }), { ...OPEN, assert })).toBeUndefined();
    expect(
      checkLicense(record(), { ...OPEN, assert, allow: ['creative-commons-attribution'] }),
    ).toBeUndefined();
    expect(checkLicense(record(), { ...OPEN, assert, allow: ['CC-BY-4.0'] })).toBeUndefined();
    const gpl = { 123: { license: 'GPL-3.0-only', ...EVIDENCE } };
    const error = refusal(() =>
      checkLicense(record(), { ...OPEN, assert: gpl, allow: ['creative-commons-attribution'] }),
    );
    expect(error).toMatchObject({
      code: 'LICENSE_REFUSED',
      message: expect.stringContaining('GPL-3.0-only'),
    });
  });

  it.each([
    [{ license: '', ...EVIDENCE }, 'licenses.assert.123.license'],
    [{ license: 'MIT', by: ' ', evidence: 'x' }, 'licenses.assert.123.by'],
    [{ license: 'MIT', by: 'Legal', evidence: '' }, 'licenses.assert.123.evidence'],
    [{ license: 'mit', ...EVIDENCE }, 'licenses.assert.123.license'],
    [{ license: 'LicenseRef-ä', ...EVIDENCE }, 'licenses.assert.123.license'],
  ])('refuses the assertion %j', (assertion, path) => {
    const error = refusal(() => checkLicense(record(), { ...OPEN, assert: { 123: assertion } }));
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID', path });
    expect(error.message.includes('; nearest: MIT.')).toBe(assertion.license === 'mit');
  });

  it.each([
    [
      'CC-BY-NC-SA-4.0',
      'CC-BY-NC-SA-4.0 (non-commercial use only, the same licence for changed copies)',
    ],
    ['LGPL-2.1-only', 'LGPL-2.1-only (its own terms for what holds the icon)'],
    ['AGPL-3.0-only', 'AGPL-3.0-only (its own terms for what holds the icon)'],
    ['CC-BY-ND-4.0', undefined],
    ['MIT', undefined],
  ])('knows what %s asks of a project, unless it is allowed by name', (spdx, asked) => {
    expect(unacceptedConditions({ spdx }, ['creative-commons-attribution'])).toBe(asked);
    expect(unacceptedConditions({ spdx }, [spdx])).toBeUndefined();
  });
});

describe('checkChanges', () => {
  const assertion = { license: 'CC-BY-ND-4.0', ...EVIDENCE };

  it('warns of a recoloured icon under a licence without derivatives', () => {
    expect(checkChanges(credit({}, { assertion }))).toContain('recoloured');
    const changes = computeChanges({ ...FACTS, optimized: true });
    expect(checkChanges(credit({}, { assertion, changes }))).toBeUndefined();
    expect(checkChanges(credit({ license_description: 'MIT' }))).toBeUndefined();
  });
});
