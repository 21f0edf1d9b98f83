import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import type { Manifest } from '../../src/types.ts';
import { HOSTILE } from './hostile.ts';
import { credit, licenseCases, manifest, MIT_TEXT, OWN_TEXT, withTexts } from './records.ts';
import { spdxErrors, type SpdxDocument } from './spdx-rules.ts';

const strict = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

const hostile = manifest(
  HOSTILE.map((text, index) =>
    credit(
      {
        id: index % 2 === 0 ? String(index + 1) : `${index} ${text}`,
        term: text,
        attribution: text,
        creator: { name: text, permalink: text, username: text },
        license_description: text,
        permalink: text,
      },
      { drawn: [text], notices: [`© ${text}`] },
    ),
  ),
);
const CASES: Record<string, Manifest> = {
  'every licence case': manifest(licenseCases()),
  'no icon': manifest([]),
  'a list that is not complete': manifest([credit()], { complete: false }),
  'texts of licences': withTexts(),
  'untrusted words': hostile,
};

const cycloneDx = (made: Manifest): string => renderAttribution(made, 'cyclonedx');
const spdx = (made: Manifest): string => renderAttribution(made, 'spdx');
const readSpdx = (made: Manifest): SpdxDocument => JSON.parse(spdx(made)) as SpdxDocument;

interface Bom {
  serialNumber: string;
  components: {
    'bom-ref': string;
    version?: string;
    licenses: { license: { id?: string; name?: string; acknowledgement: string } }[];
    hashes?: object[];
    pedigree?: { ancestors: { hashes?: { content: string }[] }[]; notes: string };
    evidence: { occurrences: { location: string }[] };
    properties: { name: string; value: string }[];
  }[];
  compositions: { aggregate: string }[];
}
const readBom = (made: Manifest): Bom => JSON.parse(cycloneDx(made)) as Bom;

describe.each(Object.entries(CASES))('with %s', (_, made) => {
  it('the CycloneDX file passes the strict validator', async () => {
    expect(await strict.validate(cycloneDx(made))).toBeNull();
  });

  it('the SPDX file keeps the rules of SPDX 2.3', () => {
    expect(spdxErrors(spdx(made))).toEqual([]);
  });

  it('both list every icon once', () => {
    expect(readSpdx(made).packages).toHaveLength(made.icons.length);
    const { components } = readBom(made);
    expect(new Set(components.map((component) => component['bom-ref'])).size).toBe(
      made.icons.length,
    );
  });
});

describe('the validators', () => {
  it('would say otherwise', async () => {
    const bom = JSON.parse(cycloneDx(manifest([credit()]))) as { components: { type: string }[] };
    (bom.components[0] ?? { type: '' }).type = 'icon';
    expect(await strict.validate(JSON.stringify(bom))).not.toBeNull();
    const wrong = spdx(manifest([credit({ license_description: 'MIT' })]));
    expect(
      spdxErrors(wrong.replace('"licenseDeclared": "MIT"', '"licenseDeclared": "mitt"')),
    ).toEqual(['mitt is no licence expression']);
    expect(spdxErrors(wrong.replace('"CC0-1.0"', '"MIT"'))).not.toEqual([]);
  });

  it.each([
    [
      'an icon under the name of the document',
      /SPDXRef-icon-123/g,
      'SPDXRef-DOCUMENT',
      'SPDXRef-DOCUMENT comes twice',
    ],
    [
      'a relationship to nothing',
      /(relatedSpdxElement": "SPDXRef)-icon-123/,
      '$1-icon-321',
      'SPDXRef-icon-321 is not there',
    ],
    [
      'a reference that nothing explains',
      /"licenseDeclared": "MIT"/,
      '"licenseDeclared": "MIT AND LicenseRef-a"',
      'LicenseRef-a has no text',
    ],
    [
      'a package that claims to list its files',
      / *"filesAnalyzed": false,\n/,
      '',
      "/packages/0 must have required property 'filesAnalyzed'",
    ],
    [
      'a digest that is none',
      /"checksumValue": "./,
      '"checksumValue": "Z',
      /checksumValue must match/,
    ],
    [
      'a field of our own',
      /"filesAnalyzed"/,
      '"icon": "123", "filesAnalyzed"',
      '/packages/0 must NOT have additional properties',
    ],
    ['a time that is none', /1970-01-01T/, '1970-13-01T', 'created is no time'],
  ])('notice %s', (_, what, instead, error) => {
    const document = spdx(manifest([credit({ license_description: 'MIT' })]));
    expect(document).toMatch(what);
    expect(spdxErrors(document.replace(what, instead))).toContainEqual(
      typeof error === 'string' ? error : expect.stringMatching(error),
    );
  });
});

describe('texts of licences', () => {
  it('stand in the SPDX file once, and its packages name them and who holds the rights', () => {
    const document = readSpdx(withTexts());
    for (const text of [MIT_TEXT, OWN_TEXT])
      expect(
        document.hasExtractedLicensingInfos.filter(({ extractedText }) => extractedText === text),
      ).toHaveLength(1);
    const [crab] = document.packages;
    expect(crab).toMatchObject({
      licenseDeclared: 'MIT',
      copyrightText: 'Copyright (c) 2019-2024 Ada <ada@example.com>',
    });
    const mit = document.hasExtractedLicensingInfos.find(
      ({ extractedText }) => extractedText === MIT_TEXT,
    );
    expect(crab?.licenseComments).toContain(`Its text is ${mit?.licenseId}.`);
    expect(mit?.seeAlsos).toEqual(['https://github.com/ada/sea/blob/main/LICENSE']);
    expect(document.packages.at(1)?.copyrightText).toBe('NOASSERTION');
  });

  it('lead to a copyright in the CycloneDX file, and to the licence file', () => {
    expect(readBom(withTexts()).components[0]).toMatchObject({
      copyright: 'Copyright (c) 2019-2024 Ada <ada@example.com>',
      externalReferences: [
        { type: 'website' },
        { type: 'license', url: 'https://github.com/ada/sea/blob/main/LICENSE' },
      ],
    });
  });
});

describe('licences', () => {
  const byName = new Map(
    readSpdx(manifest(licenseCases())).packages.map((each) => [each.name, each] as const),
  );
  const componentById = new Map(
    readBom(manifest(licenseCases())).components.map((each) => [each['bom-ref'], each] as const),
  );

  it('are declared as the catalog says, and concluded only where the project found out', () => {
    expect(byName.get('Permissive')).toMatchObject({
      licenseDeclared: 'MIT',
      licenseConcluded: 'NOASSERTION',
    });
    expect(byName.get('No version')).toMatchObject({
      licenseDeclared: 'LicenseRef-catalog-creative-commons-attribution',
      licenseConcluded: 'NOASSERTION',
      licenseComments:
        "The catalog's record says “creative-commons-attribution”. It states no version.",
    });
    expect(byName.get('Stated')).toMatchObject({
      licenseDeclared: 'CC-BY-3.0',
      licenseConcluded: 'NOASSERTION',
    });
    expect(byName.get('Asserted')).toMatchObject({
      licenseDeclared: 'LicenseRef-catalog-creative-commons-attribution',
      licenseConcluded: 'CC-BY-4.0',
    });
    expect(byName.get('Asserted')?.licenseComments).toContain('mail of the creator');
    expect(byName.get('Silent')).toMatchObject({
      licenseDeclared: 'NOASSERTION',
      licenseConcluded: 'NOASSERTION',
    });
  });

  it('are one reference each, however alike their names are', () => {
    const made = manifest(
      [
        'house rules, v2',
        'house rules v2',
        'House-rules-v2',
        'creative-commons-attribution ',
        '§',
      ].map((license_description, index) => credit({ id: String(index + 1), license_description })),
    );
    const { packages, hasExtractedLicensingInfos: infos } = readSpdx(made);
    const refs = packages.map(({ licenseDeclared }) => licenseDeclared);
    expect(new Set(refs).size).toBe(5);
    expect(refs).toContain('LicenseRef-catalog-House-rules-v2');
    expect(refs).not.toContain('LicenseRef-catalog-creative-commons-attribution');
    expect(infos.map(({ licenseId }) => licenseId).toSorted()).toEqual(refs.toSorted());
    expect(spdxErrors(spdx(made))).toEqual([]);
  });

  it('say in CycloneDX whose word they are', () => {
    const license = (id: string): object | undefined =>
      componentById.get(`icon-${id}`)?.licenses[0]?.license;
    expect(license('7')).toMatchObject({ id: 'MIT', acknowledgement: 'declared' });
    expect(license('4')).toMatchObject({ id: 'CC-BY-4.0', acknowledgement: 'concluded' });
    expect(license('1')).toEqual({
      name: 'Creative Commons Attribution, version not stated by the catalog',
      acknowledgement: 'declared',
    });
  });
});

describe('a changed icon', () => {
  it('has the digest of what it was made of, its changes, its credit and its places', () => {
    const [made] = [manifest([credit()])];
    const [component] = readBom(made).components;
    const { source, credit: words } = made.icons[0] ?? {};
    expect(component?.hashes).toBeUndefined();
    // The icon has no version of its own: its bytes are what differs.
    const version = `sha256-${source?.sha256?.slice(0, 16)}`;
    expect(component?.version).toBe(version);
    expect(component?.pedigree).toEqual({
      ancestors: [
        { type: 'file', name: 'Whale', hashes: [{ alg: 'SHA-256', content: source?.sha256 }] },
      ],
      notes: 'recoloured; optimised (encoding only)',
    });
    expect(component?.evidence.occurrences).toEqual([{ location: 'assets/index.js' }]);
    expect(component?.properties.map(({ value }) => value)).toContain(words?.line);
    expect(readSpdx(made).packages[0]).toMatchObject({
      supplier: `Organization: ${made.catalog.name}`,
      versionInfo: version,
      homepage: source?.url,
      checksums: [{ algorithm: 'SHA256', checksumValue: source?.sha256 }],
      attributionTexts: [words?.line, words?.requested],
    });
  });

  it('has the copyright lines of the file itself', () => {
    const notices = ['Copyright (c) 2018 Dora', 'A cow'];
    const made = manifest([credit({}, { notices })]);
    expect(readSpdx(made).packages[0]).toMatchObject({ copyrightText: 'Copyright (c) 2018 Dora' });
    expect(readBom(made).components[0]).toMatchObject({ copyright: 'Copyright (c) 2018 Dora' });
  });

  it('is part of a site that has its name, and comes from the catalog', () => {
    const made = manifest([credit({ id: '1' }), credit({ id: '2' })]);
    const siteOf = (title?: string): unknown =>
      JSON.parse(renderAttribution(made, 'cyclonedx', { title }));
    const component = { type: 'application', 'bom-ref': 'site', name: 'Refuge & Co' };
    expect(siteOf('Refuge & Co')).toMatchObject({
      metadata: { component },
      components: [
        { 'bom-ref': 'icon-1', supplier: { name: made.catalog.name } },
        { 'bom-ref': 'icon-2', supplier: { name: made.catalog.name } },
      ],
      dependencies: [
        { ref: 'site', dependsOn: ['icon-1', 'icon-2'] },
        { ref: 'icon-1' },
        { ref: 'icon-2' },
      ],
    });
    expect(siteOf()).toMatchObject({ metadata: { component: { ...component, name: 'site' } } });
  });

  it('has its digest itself where it ships as it came', () => {
    const [component] = readBom(manifest([credit({}, { changes: [] })])).components;
    expect(component?.hashes).toHaveLength(1);
    expect(component?.pedigree).toBeUndefined();
  });
});

describe('both documents', () => {
  it('are named after what they hold, and nothing else', () => {
    const shuffled = manifest(licenseCases().toReversed());
    expect(spdx(shuffled)).toBe(spdx(manifest(licenseCases())));
    expect(cycloneDx(shuffled)).toBe(cycloneDx(manifest(licenseCases())));
    expect(readSpdx(manifest([credit()])).documentNamespace).not.toBe(
      readSpdx(shuffled).documentNamespace,
    );
    expect(readBom(manifest([credit()])).serialNumber).not.toBe(readBom(shuffled).serialNumber);
    expect(readBom(shuffled).serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('are as old as SOURCE_DATE_EPOCH says', () => {
    expect(readSpdx(manifest([])).creationInfo.created).toBe('1970-01-01T00:00:00Z');
    const dated = renderAttribution(manifest([]), 'spdx', { sourceDateEpoch: 1_700_000_000 });
    expect((JSON.parse(dated) as SpdxDocument).creationInfo.created).toBe('2023-11-14T22:13:20Z');
  });

  it('say where they are not complete', () => {
    const made = manifest([credit()], { complete: false });
    expect(readBom(made).compositions[0]?.aggregate).toBe('incomplete');
    expect(spdx(made)).toContain('not complete yet');
    expect(readBom(manifest([credit()])).compositions[0]?.aggregate).toBe('complete');
  });
});
