import { describe, expect, it } from 'vitest';
import {
  computeChanges,
  describeChanges,
  mergeChanges,
} from '../../src/attribution/credit/create-credit.ts';
import { FACTS } from './records.ts';

describe('computeChanges', () => {
  it('is never empty', () => {
    expect(computeChanges(FACTS)).toEqual([
      { kind: 'optimize', summary: 're-encoded', visible: false, by: 'plugin' },
    ]);
  });

  it('says who did what', () => {
    const changes = computeChanges({
      filetype: 'png',
      recolored: true,
      resized: true,
      rasterized: true,
      optimized: false,
      sanitizedVisible: false,
      transformed: false,
      creditTextRemoved: false,
    });
    expect(changes.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      'recolor service',
      'resize service',
      'format service',
    ]);
    const all = computeChanges({
      ...FACTS,
      recolored: true,
      recoloredBy: 'service',
      sanitizedVisible: true,
      creditTextRemoved: true,
      creditText: ['Created by Ada', '\n'],
      transformed: true,
      metadataAdded: true,
    });
    expect(all.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      'recolor service',
      'sanitize plugin',
      'credit-removed plugin',
      'transform project',
      'metadata-added plugin',
    ]);
    expect(describeChanges(all)).toContain('drawn credit text removed: “Created by Ada”');
  });
});

it('keeps the same change by two hands apart', () => {
  const recoloured = { kind: 'recolor', summary: 'recoloured', visible: true } as const;
  const merged = mergeChanges([
    { ...recoloured, by: 'service' },
    { ...recoloured, by: 'plugin' },
    { ...recoloured, by: 'service' },
  ]);
  expect(merged.map(({ by }) => by)).toEqual(['plugin', 'service']);
  expect(describeChanges(merged)).toBe('recoloured');
});
