import { createHash } from 'node:crypto';
import {
  computeChanges,
  createCredit,
  type CreditInput,
  type PipelineFacts,
} from '../../src/attribution/credit/create-credit.ts';
import {
  createManifest,
  type ManifestInput,
} from '../../src/attribution/manifest/create-manifest.ts';
import type { Credit, IconRecord, IconUsage, Manifest } from '../../src/types.ts';

export const SITE = 'https://catalog.example';

export const FACTS: PipelineFacts = {
  filetype: 'svg',
  recolored: false,
  resized: false,
  optimized: false,
  sanitizedVisible: false,
  transformed: false,
  creditTextRemoved: false,
  rasterized: false,
};

export function record(fields: Partial<IconRecord> = {}): IconRecord {
  const id = fields.id ?? '123';
  return {
    id,
    term: 'Whale',
    attribution: 'Whale by Ada from the catalog',
    creator: { name: 'Ada', permalink: '/ada/', username: 'ada' },
    collections: [{ id: '7', name: 'Sea', permalink: '/collection/sea-7/' }],
    license_description: 'creative-commons-attribution',
    permalink: `/icon/whale-${id}/`,
    styles: [{ style: 'solid' }],
    tags: ['sea'],
    ...fields,
  };
}

export function credit(fields: Partial<IconRecord> = {}, rest: Partial<CreditInput> = {}): Credit {
  const whole = record(fields);
  const sha256 = createHash('sha256').update(whole.id).digest('hex');
  const changes = computeChanges({ ...FACTS, recolored: true, optimized: true });
  return createCredit({ record: whole, sha256, changes, siteUrl: SITE, ...rest });
}

export const USE: IconUsage = { build: 'client', file: 'assets/index.js', kind: 'inline-js' };

export function manifest(credits: readonly Credit[], rest: Partial<ManifestInput> = {}): Manifest {
  return createManifest({
    credits: credits.map((each) => ({ credit: each, usedIn: [USE] })),
    builds: [{ id: 'client', bundler: 'rollup', consumer: 'client', precision: 'module-graph' }],
    complete: true,
    catalog: { name: 'The catalog', siteUrl: SITE },
    generator: { name: 'unplugin-icon-catalog', version: '0.0.0' },
    ...rest,
  });
}

/** One icon of every licence case. */
export function licenseCases(): Credit[] {
  const assertion = { license: 'CC-BY-4.0', by: 'Legal', evidence: 'mail of the creator' };
  return [
    credit({ id: '1', term: 'No version' }),
    credit({ id: '2', term: 'Stated', attribution: 'Stated by Ada (CC BY 3.0)' }),
    credit({ id: '3', term: 'Terms' }, { termsVersion: '4.0' }),
    credit({ id: '4', term: 'Asserted' }, { assertion }),
    credit(
      { id: '5', term: 'Bought' },
      { assertion: { ...assertion, license: 'LicenseRef-Royalty-Free' } },
    ),
    credit({ id: '6', term: 'Free', license_description: 'public-domain' }),
    credit({ id: '7', term: 'Permissive', license_description: 'MIT' }),
    credit({ id: '8', term: 'Dedicated', license_description: 'CC0-1.0' }),
    credit({ id: '9', term: 'Ported', license_description: 'CC-BY-SA-3.0-DE' }),
    credit({ id: '10', term: 'Strange', license_description: 'house rules, v2' }),
    credit({ id: '11', term: 'Silent', license_description: '' }),
    credit({
      id: '12',
      term: '',
      creator: { name: '', permalink: '', username: '' },
      attribution: '',
    }),
  ];
}

export const MIT_TEXT = `MIT License

Copyright (c) 2019-2024 Ada <ada@example.com>

Permission is hereby granted, free of charge, to any person. The above
copyright notice and this permission notice shall be included in all copies.

THE SOFTWARE IS PROVIDED "AS IS" & WITHOUT WARRANTY.`;
export const OWN_TEXT = `House rules, version 2
© Aya and friends

  1. Be <kind>.
     \`\`\` and [so on](x)`;

/** A list whose icons bring texts of their licences: two share one, and one has a text that SPDX does not list. */
export function withTexts(): Manifest {
  const mit = {
    license_description: 'MIT',
    license_text: MIT_TEXT,
    license_url: 'https://github.com/ada/sea/blob/main/LICENSE',
    creator_url: 'https://ada.example/',
  };
  const credits = [
    credit({ id: '1', term: 'Crab', ...mit }),
    credit({ id: '2', term: 'Whale', ...mit }),
    credit({ id: '3', term: 'Shell', license_description: 'house rules', license_text: OWN_TEXT }),
    credit({ id: '4', term: 'Free', license_description: 'public-domain' }),
  ];
  const texts = Object.fromEntries(
    [MIT_TEXT, OWN_TEXT, 'nobody refers to this'].map((text) => [
      createHash('sha256').update(text).digest('hex'),
      text,
    ]),
  );
  return manifest(credits, { texts });
}
