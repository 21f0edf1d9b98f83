import { describe, expect, it } from 'vitest';
import { findStatedVersion } from '../../src/attribution/license/resolve-license.ts';
import { record } from './records.ts';

describe('findStatedVersion', () => {
  it.each([
    ['Whale by Ada (CC BY 3.0)', '3.0'],
    ['Whale by Ada, CC BY 3.0 (CC-BY-3.0)', '3.0'],
    ['Whale by Ada. CC BY 4.0.', '4.0'],
    ['Whale by Ada, Creative Commons Attribution 2.5', '2.5'],
    ['Whale by Ada https://creativecommons.org/licenses/by/4.0/', '4.0'],
    ['Whale by Ada <https://creativecommons.org/licenses/by/4.0/deed.en>', '4.0'],
    ['CC BY 4.0 https://creativecommons.org/licenses/by/4.0/legalcode', '4.0'],
    ['CC BY 3.0 with thanks', '3.0'],
  ])('reads %j', (attribution, version) => {
    expect(findStatedVersion(record({ attribution }))).toBe(version);
  });

  it.each([
    'Whale by Ada from the catalog',
    'Whale by Ada, CC BY',
    'Whale by Ada, CC BY-SA 4.0',
    'Whale by Ada, CC BY-NC-ND 3.0',
    'Whale by Ada, CC BY 3.0 or CC BY 4.0',
    'Whale by Ada, CC BY 3.0 and CC BY-SA 4.0',
    'Whale by Ada, CC BY 3.0, parts CC0',
    'Whale by Ada, CC BY 3.0 US',
    'Whale by Ada, CC BY 5.0',
    'Whale by Ada, CC BY 3.01',
    'Whale by Ada, CC BY 3',
    'Whale by Ada, version 3.0',
    'Whale by Ada, https://creativecommons.org/licenses/by/3.0/us/',
    'Whale by Ada, https://creativecommons.org/licenses/by-sa/3.0/',
    'Whale by Ada, https://creativecommons.org/licenses/by/3.0/ (CC BY 4.0)',
    'Whale by Ada, Creative Commons Attribution-ShareAlike 3.0',
    'Whale by Ada, Creative Commons Attribution',
    '',
  ])('takes nothing from %j', (attribution) => {
    expect(findStatedVersion(record({ attribution }))).toBeNull();
  });

  it('does not mistake the name of an icon or a creator for a licence', () => {
    expect(
      findStatedVersion(record({ term: 'CC BY 4.0', attribution: 'CC BY 4.0 by Ada' })),
    ).toBeNull();
    const creator = { name: 'CC BY 2.0', permalink: '/c/', username: 'c' };
    expect(findStatedVersion(record({ creator, attribution: 'Whale by CC BY 2.0' }))).toBeNull();
  });

  it('ends on long texts: what is quadratic would take hours', () => {
    const attribution = 'CC BY '.repeat(1_000_000) + 'CC-'.repeat(1_000_000);
    expect(findStatedVersion(record({ attribution }))).toBeNull();
  });
});
