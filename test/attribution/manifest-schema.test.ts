import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MANIFEST_SCHEMA } from '../../src/attribution/manifest/schema.ts';
import { renderJson } from '../../src/attribution/render/text.ts';
import type { Manifest, ManifestIcon } from '../../src/types.ts';
import { manifestErrors, PUBLISHED_SCHEMA } from '../support/parse-manifest.ts';
import { credit, licenseCases, manifest, withTexts } from './records.ts';

/** A valid manifest with one icon, changed by `change`. */
function broken(
  change: (icon: ManifestIcon & Record<string, unknown>, whole: Manifest) => void,
): unknown {
  const whole: unknown = JSON.parse(renderJson(manifest(licenseCases().slice(1, 2))));
  const typed = whole as Manifest;
  change(typed.icons[0] as ManifestIcon & Record<string, unknown>, typed);
  return typed;
}

describe('the schema of the manifest', () => {
  it('is the one that the package publishes', async () => {
    const published: unknown = JSON.parse(await readFile(PUBLISHED_SCHEMA, 'utf8'));
    expect(published).toEqual(MANIFEST_SCHEMA);
    expect(import.meta.resolve('unplugin-icon-catalog/schema/attribution.json')).toBe(
      PUBLISHED_SCHEMA.href,
    );
  });

  it('knows what lists of several builds say besides', () => {
    const whole = manifest([credit(), credit({ id: '7' })]);
    const [first, second] = whole.icons;
    if (first === undefined || second === undefined) throw new TypeError('two icons');
    first.usedIn = [{ build: 'client', file: 'a.js', kind: 'inline-js', changes: [0] }];
    second.usedIn = [{ build: 'found', file: 'b.html', kind: 'inline-html' }];
    const found = { id: 'found', bundler: 'none', consumer: 'client', precision: 'found' } as const;
    whole.builds = [
      { ...found, id: 'client', precision: 'emitted', folder: '../client', complete: false },
      { ...found, from: 'some-package' },
    ];
    expect(manifestErrors(JSON.parse(renderJson({ ...whole, complete: false })))).toEqual([]);
  });

  it('accepts every licence case, and a list without icons', () => {
    expect(manifestErrors(JSON.parse(renderJson(manifest(licenseCases()))))).toEqual([]);
    expect(manifestErrors(JSON.parse(renderJson(manifest([]))))).toEqual([]);
    expect(manifestErrors(broken(() => {}))).toEqual([]);
    const said = credit({}, { drawn: ['Created by Ada'], notices: ['© 2020 Ada'] });
    expect(manifestErrors(JSON.parse(renderJson(manifest([said]))))).toEqual([]);
    expect(manifestErrors(broken((icon) => void (icon.credit.notices = [''])))).not.toEqual([]);
    expect(manifestErrors(JSON.parse(renderJson(withTexts())))).toEqual([]);
  });

  it.each<[string, (icon: ManifestIcon & Record<string, unknown>, whole: Manifest) => void]>([
    ['a version that nothing states', (icon) => void (icon.license.versionBasis = 'not-stated')],
    [
      'an assertion without evidence',
      (icon) => void (icon.license.versionBasis = 'project-assertion'),
    ],
    [
      'a separate licence without assertion',
      (icon) => void (icon.license.status = 'separately-licensed'),
    ],
    ['spdx on other grounds', (icon) => void (icon.license.status = 'spdx')],
    ['spdx as a ground of another status', (icon) => void (icon.license.versionBasis = 'spdx')],
    ['attribution without required credit', (icon) => void (icon.credit.required = false)],
    [
      'an unknown licence without required credit',
      (icon) => {
        icon.license.status = 'unknown';
        icon.credit.required = false;
      },
    ],
    ['no place of use', (icon) => void (icon.usedIn = [])],
    [
      'an absolute path',
      (icon) => void (icon.usedIn = [{ build: 'a', file: '/home/x.js', kind: 'asset' }]),
    ],
    [
      'a path of Windows',
      (icon) => void (icon.usedIn = [{ build: 'a', file: 'C:/x.js', kind: 'asset' }]),
    ],
    [
      'a path that leaves the output',
      (icon) => void (icon.usedIn = [{ build: 'a', file: '../x.js', kind: 'asset' }]),
    ],
    ['a text without a digest', (_, whole) => void (whole.texts = { MIT: 'MIT License' })],
    ['a digest of other length', (icon) => void (icon.source.sha256 = 'abc')],
    ['an address that is none', (icon) => void (icon.source.url = 'not an address')],
    ['a further field', (icon) => void (icon['timestamp'] = 1)],
    ['an empty line', (icon) => void (icon.credit.line = '')],
    [
      'a further field at the top',
      (_, whole) => void Object.assign(whole, { generatedAt: 'today' }),
    ],
    [
      'another version of the schema',
      (_, whole) => void Object.assign(whole, { schemaVersion: 2 }),
    ],
    [
      'a build id with spaces',
      (_, whole) => void Object.assign(whole.builds[0] ?? {}, { id: 'Client Build' }),
    ],
  ])('refuses %s', (_, change) => {
    expect(manifestErrors(broken(change))).not.toEqual([]);
  });
});
