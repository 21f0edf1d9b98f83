import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  placeReuseTable,
  renderReuse,
  type ReuseFiles,
} from '../../src/attribution/render/reuse.ts';
import { record } from './records.ts';
import { BUN } from '../support/bun.ts';

const parseExpression = createRequire(import.meta.url)('spdx-expression-parse') as (
  text: string,
) => unknown;
const PATHS = ['icons.lock', 'icons.vendor.ndjson'];

const MIXED = [
  record({ id: '20', license_description: 'MIT', creator: creator('Zoë') }),
  record({ id: '3', term: 'Sun' }),
  record({ id: '12', license_description: 'public-domain' }),
  record({ id: '13', license_description: '', creator: creator('') }),
  record({ id: '14', license_description: 'house rules, v2' }),
];

function creator(name: string): { name: string; permalink: string; username: string } {
  return { name, permalink: '/x/', username: '' };
}

interface ReuseToml {
  version: number;
  annotations: Record<string, string | string[]>[];
}

/** Bun has a TOML reader of its own. */
function parseToml(text: string): ReuseToml {
  const script = 'process.stdout.write(JSON.stringify(Bun.TOML.parse(process.argv[1])))';
  return JSON.parse(execFileSync(BUN, ['-e', script, text], { encoding: 'utf8' })) as ReuseToml;
}

const tableOf = ({ table }: ReuseFiles): Record<string, string | string[]> | undefined =>
  parseToml(placeReuseTable(undefined, table)).annotations[0];

describe('REUSE side files', () => {
  const files = renderReuse({ records: MIXED, assert: {}, files: PATHS });

  it('say whose works the vendor file holds and under which licences', () => {
    expect(placeReuseTable(undefined, files.table)).toMatchInlineSnapshot(`
      "version = 1

      # icon-catalog: begin. What stands from here to the end mark is written by icon-catalog.
      [[annotations]]
      path = ["icons.lock", "icons.vendor.ndjson"]
      precedence = "override"
      SPDX-FileCopyrightText = [
        "Ada",
        "Creators whom the catalog does not name",
        "Zoë",
      ]
      SPDX-License-Identifier = [
        "LicenseRef-catalog-creative-commons-attribution",
        "LicenseRef-catalog-house-rules-v2-4fe3ac48",
        "LicenseRef-catalog-not-stated",
        "LicenseRef-catalog-public-domain",
        "MIT",
      ]
      # icon-catalog: end
      "
    `);
  });

  it('hold a text for each licence that SPDX does not list, and name the others', () => {
    expect([...files.listed]).toEqual([['MIT', undefined]]);
    expect(Object.keys(files.licenses)).toEqual([
      'LicenseRef-catalog-creative-commons-attribution.txt',
      'LicenseRef-catalog-house-rules-v2-4fe3ac48.txt',
      'LicenseRef-catalog-not-stated.txt',
      'LicenseRef-catalog-public-domain.txt',
    ]);
    expect(files.licenses['LicenseRef-catalog-creative-commons-attribution.txt'])
      .toMatchInlineSnapshot(`
      "Written by unplugin-icon-catalog from what the catalog states.

      Creative Commons Attribution, version not stated by the catalog

      Icons of the vendor file under it, with the credit that the catalog asks for:

      3 “Sun”: Whale by Ada from the catalog
      "
    `);
  });

  it('are TOML whose licences are SPDX expressions and have a text each', () => {
    const table = tableOf(files);
    const ids = table?.['SPDX-License-Identifier'] as string[];
    for (const id of ids) {
      expect(parseExpression(id)).toEqual({ license: id });
      expect(`${id}.txt` in files.licenses || files.listed.has(id)).toBe(true);
    }
    expect(ids).toHaveLength(5);
    expect(table).toMatchObject({ path: PATHS, precedence: 'override' });
  });

  it('are the same for the same icons in another order', () => {
    expect(renderReuse({ records: MIXED.toReversed(), assert: {}, files: PATHS })).toEqual(files);
  });

  it('name the holders that the files name, beside the creators', () => {
    const records = [record({ id: '1', creator: creator('Ada') })];
    const notices = new Map([
      ['1', ['Copyright (c) 2018 Dora', 'A drawing of a cow.\n© 2022 Eve Ltd']],
    ]);
    const table = tableOf(renderReuse({ records, notices, assert: {}, files: PATHS }));
    expect(table?.['SPDX-FileCopyrightText']).toEqual([
      'Ada',
      'Copyright (c) 2018 Dora',
      '© 2022 Eve Ltd',
    ]);
  });

  it('let no name out of its string', () => {
    const names = [
      'Eve"]\n[[annotations]]\npath = "**',
      '\\u0022 \\ \'\'\' """',
      'a\u0000b\u007fc\u2028d\u202e',
    ];
    const records = names.map((name, at) => record({ id: `${at + 1}`, creator: creator(name) }));
    const table = tableOf(renderReuse({ records, assert: {}, files: ['a[1]*?\\b.ndjson'] }));
    expect(table?.['SPDX-FileCopyrightText']).toEqual(
      ['Eve"] [[annotations]] path = "**', '\\u0022 \\ \'\'\' """', 'a b c d'].toSorted(),
    );
    expect(table?.['path']).toEqual(['a\\[1\\]\\*\\?\\\\b.ndjson']);
  });

  it('follow what the project found out, with its ground', () => {
    const assert = {
      '3': { license: 'LicenseRef-Bought', by: 'Legal', evidence: 'invoice 7' },
      '14': { license: 'CC-BY-4.0', by: 'Legal', evidence: 'mail of the creator' },
    };
    const asserted = renderReuse({ records: MIXED, assert, files: PATHS });
    expect([...asserted.listed.keys()]).toEqual(['CC-BY-4.0', 'MIT']);
    expect(asserted.licenses['LicenseRef-Bought.txt']).toContain('[found out by Legal: invoice 7]');
  });
});

describe('an existing REUSE.toml', () => {
  const { table } = renderReuse({ records: MIXED, assert: {}, files: PATHS });
  const own = 'version = 1\n\n[[annotations]]\npath = "**"\nSPDX-License-Identifier = "MIT"\n';

  it('keeps what the project wrote, with our table behind it', () => {
    const placed = placeReuseTable(own, table);
    expect(placed.startsWith(own)).toBe(true);
    expect(parseToml(placed).annotations.map(({ path }) => path)).toEqual(['**', PATHS]);
  });

  it('has our table once, however often it is written, and in the middle of it too', () => {
    const before = renderReuse({ records: MIXED.slice(2), assert: {}, files: PATHS });
    const placed = placeReuseTable(placeReuseTable(own, before.table), table);
    expect(placed).toBe(placeReuseTable(own, table));
    const [, more = ''] = own.split('version = 1\n\n');
    const middle = `${placeReuseTable(undefined, before.table)}\n${more}`.replaceAll('\n', '\r\n');
    expect(parseToml(placeReuseTable(middle, table)).annotations.map(({ path }) => path)).toEqual([
      '**',
      PATHS,
    ]);
    expect(placeReuseTable(placeReuseTable(undefined, table), table)).toBe(
      placeReuseTable(undefined, table),
    );
  });

  it('is not guessed at where our table lost its end', () => {
    const cut = placeReuseTable(own, table).replace('# icon-catalog: end', '');
    expect(() => placeReuseTable(cut, table)).toThrow('[LOCK_INVALID] REUSE.toml has a line');
  });
});
