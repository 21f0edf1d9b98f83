import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeChanges } from '../../src/attribution/credit/create-credit.ts';
import {
  createManifest,
  type ManifestInput,
} from '../../src/attribution/manifest/create-manifest.ts';
import { renderHtml } from '../../src/attribution/render/render-attribution.ts';
import { renderJson, renderMarkdown, renderText } from '../../src/attribution/render/text.ts';
import type { Credit, ManifestBuild } from '../../src/types.ts';
import { credit, FACTS, licenseCases, manifest, SITE, USE } from './records.ts';

const BUILDS: ManifestBuild[] = [
  { id: 'client', bundler: 'vite', consumer: 'client', precision: 'module-graph' },
  { id: 'ssr', bundler: 'vite', consumer: 'server', precision: 'module-graph' },
];

function inputOf(
  credits: ManifestInput['credits'],
  builds: ManifestInput['builds'] = BUILDS,
): ManifestInput {
  return {
    credits,
    builds,
    complete: true,
    catalog: { name: 'The catalog', siteUrl: SITE },
    generator: { name: 'g', version: '1' },
  };
}

describe('createManifest', () => {
  it('sorts by title, then id, in code units', () => {
    const made = manifest([
      credit({ id: '9', term: 'b' }),
      credit({ id: '10', term: 'b' }),
      credit({ id: '1', term: 'a' }),
      credit({ id: '2', term: 'Z' }),
      credit({ id: '3', term: 'ä' }),
      credit({ id: '4', term: '' }),
    ]);
    expect(made.icons.map(({ id }) => id)).toEqual(['4', '2', '1', '10', '9', '3']);
  });

  it('makes one record of the variants of an icon', () => {
    const recolored = credit(
      {},
      { changes: computeChanges({ ...FACTS, recolored: true, optimized: true }) },
    );
    const resized = credit(
      {},
      { changes: computeChanges({ ...FACTS, resized: true, optimized: true }) },
    );
    const png = credit(
      {},
      {
        sha256: '0'.repeat(63) + '1',
        changes: computeChanges({ ...FACTS, filetype: 'png', rasterized: true }),
      },
    );
    const other = { ...USE, file: 'a\\b.css', kind: 'inline-css' as const };
    const made = createManifest(
      inputOf([
        { credit: png, usedIn: [USE, other] },
        { credit: resized, usedIn: [USE] },
        { credit: recolored, usedIn: [USE, USE] },
      ]),
    );
    expect(made.icons).toHaveLength(1);
    const [icon] = made.icons;
    expect(icon?.changes.map(({ kind }) => kind)).toEqual([
      'recolor',
      'resize',
      'format',
      'optimize',
    ]);
    expect(icon?.credit.line).toContain(
      'Changes: recoloured; canvas resized; rasterised; optimised (encoding only).',
    );
    expect(icon?.usedIn).toEqual([{ ...other, file: 'a/b.css' }, USE]);
    expect(icon?.source.sha256).toBe(recolored.source.sha256);
  });

  it('names the drawing as source before its picture, and a file before none', () => {
    const resized = computeChanges({ ...FACTS, filetype: 'png', resized: true, rasterized: true });
    const png = credit({}, { sha256: '1'.repeat(64), changes: resized });
    const none = credit({}, { sha256: null, changes: [] });
    const sourceOf = (...credits: Credit[]): string | undefined =>
      createManifest(inputOf(credits.map((each) => ({ credit: each, usedIn: [USE] })))).icons[0]
        ?.source.sha256;
    expect(sourceOf(none, png, credit())).toBe(credit().source.sha256);
    expect(sourceOf(png, none)).toBe('1'.repeat(64));
  });

  it('refuses what would break the schema', () => {
    const one = credit();
    expect(() => createManifest(inputOf([{ credit: one, usedIn: [] }]))).toThrow(TypeError);
    for (const file of ['/abs.js', 'C:\\x.js', '../x.js']) {
      expect(() => createManifest(inputOf([{ credit: one, usedIn: [{ ...USE, file }] }]))).toThrow(
        TypeError,
      );
    }
    const [build] = BUILDS;
    expect(() =>
      createManifest(inputOf([], build === undefined ? [] : [{ ...build, id: 'A b' }])),
    ).toThrow(TypeError);
  });

  it('gives the same bytes whatever the order', () => {
    const variants = licenseCases().flatMap((each) => [
      { credit: each, usedIn: [USE, { ...USE, file: 'b.js' }] },
      {
        credit: { ...each, changes: computeChanges({ ...FACTS, resized: true }) },
        usedIn: [{ ...USE, build: 'ssr' }],
      },
    ]);
    const write = (input: ManifestInput): string => {
      const made = createManifest(input);
      const artwork = new Map(
        made.icons.map(({ id }) => [id, `<svg viewBox="0 0 ${id} 1"></svg>`]),
      );
      return [
        renderJson(made),
        renderHtml(made, artwork),
        renderMarkdown(made),
        renderText(made),
      ].join('\n');
    };
    const expected = write(inputOf(variants));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(variants, { minLength: variants.length }),
        fc.shuffledSubarray(BUILDS, { minLength: BUILDS.length }),
        (credits, builds) => write(inputOf(credits, builds)) === expected,
      ),
      { numRuns: 40 },
    );
  });
});
