import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { MANIFEST_SCHEMA } from '../../src/attribution/manifest-schema.ts';
import { renderJson } from '../../src/attribution/render-json.ts';
import type { Manifest, ManifestIcon } from '../../src/types.ts';
import { credit, licenseCases, manifest, withTexts } from './records.ts';

const validate: ValidateFunction = compile();

function compile(): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv.compile(MANIFEST_SCHEMA);
}

function errorsOf(value: unknown): string[] {
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

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
  it('accepts every licence case, and a list without icons', () => {
    expect(errorsOf(JSON.parse(renderJson(manifest(licenseCases()))))).toEqual([]);
    expect(errorsOf(JSON.parse(renderJson(manifest([]))))).toEqual([]);
    expect(errorsOf(broken(() => {}))).toEqual([]);
    const said = credit({}, { drawn: ['Created by Ada'], notices: ['© 2020 Ada'] });
    expect(errorsOf(JSON.parse(renderJson(manifest([said]))))).toEqual([]);
    expect(errorsOf(broken((icon) => void (icon.credit.notices = [''])))).not.toEqual([]);
    expect(errorsOf(JSON.parse(renderJson(withTexts())))).toEqual([]);
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
    expect(errorsOf(broken(change))).not.toEqual([]);
  });
});
