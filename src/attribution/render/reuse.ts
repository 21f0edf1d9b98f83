import { IconCatalogError } from '../../errors.ts';
import { copyrightOf, copyrightsIn } from '../license/list.ts';
import type { IconRecord } from '../../types.ts';
import { findAssertion } from '../license/policy.ts';
import { type LicenseAssertion, resolveLicense } from '../license/resolve-license.ts';
import { compareCodeUnits, toPlainLine } from '../../untrusted.ts';

export interface ReuseInput {
  /** Of every icon that the vendor file holds. */
  records: readonly IconRecord[];
  /** What the files themselves say of their rights, by icon id. */
  notices?: ReadonlyMap<string, readonly string[]>;
  /** The project's own statements, by icon id. */
  assert: Readonly<Record<string, LicenseAssertion>>;
  /** What the catalog’s terms state for all its icons. */
  terms?: { version: string } | undefined;
  /** Paths of the vendor file and the lock file relative to the project's root, `/` between folders. */
  files: readonly string[];
}

export interface ReuseFiles {
  /** The table of `REUSE.toml` that describes those files, without `version = 1`. */
  table: string;
  /** Texts of the licences that SPDX does not list: `LicenseRef-….txt` → text. They belong into `LICENSES/`. */
  licenses: Record<string, string>;
  /**
   * SPDX identifiers whose texts belong into `LICENSES/` as well, with the text that came with the first of their icons;
   * `reuse download <id>` fetches them.
   */
  listed: Map<string, string | undefined>;
}

/** The first line of every licence text from this package, so that a text which is no longer needed is recognised. */
export const REUSE_HEADLINE = 'Written by unplugin-icon-catalog from what the catalog states.';

/**
 * What REUSE 3.3 (https://reuse.software/spec-3.3/) asks about a file that cannot hold comments: whose works it holds and
 * under which licences. `override`, since an icon's own metadata may hold words that look like a licence tag.
 *
 * @throws IconCatalogError OPTIONS_INVALID for an assertion that proves nothing
 */
export function renderReuse({
  records,
  notices = new Map(),
  assert,
  terms,
  files,
}: ReuseInput): ReuseFiles {
  const groups = new Map<string, Licensed[]>();
  for (const record of records.toSorted(byId)) {
    const assertion = findAssertion(record, assert);
    const { license } = resolveLicense({ record, assertion, termsVersion: terms?.version });
    const id = license.spdx === 'NOASSERTION' ? NOT_STATED : license.spdx;
    const group = groups.get(id) ?? [];
    group.push({ record, name: license.name, assertion });
    groups.set(id, group);
  }
  const ids = [...groups.keys()].toSorted(compareCodeUnits);
  const said = records.flatMap(({ id }) => copyrightsIn(notices.get(id)));
  const holders = new Set([...records.flatMap(holdersOf), ...said.map(toPlainLine)]);
  return {
    table: [
      '[[annotations]]',
      `path = [${files
        .map((file) => file.replace(/[*?[\]\\]/g, '\\$&'))
        .map(toToml)
        .join(', ')}]`,
      'precedence = "override"',
      'SPDX-FileCopyrightText = [',
      ...[...holders].toSorted(compareCodeUnits).map((holder) => `  ${toToml(holder)},`),
      ']',
      'SPDX-License-Identifier = [',
      ...ids.map((id) => `  ${toToml(id)},`),
      ']',
      '',
    ].join('\n'),
    licenses: Object.fromEntries(
      ids.filter(isReference).map((id) => [`${id}.txt`, renderText(groups.get(id) ?? [])]),
    ),
    listed: new Map(
      ids.filter((id) => !isReference(id)).map((id) => [id, textsOf(groups.get(id) ?? [])[0]]),
    ),
  };
}

interface Licensed {
  record: IconRecord;
  /** The licence in words. */
  name: string;
  assertion: LicenseAssertion | undefined;
}

const NOT_STATED = 'LicenseRef-catalog-not-stated';
const NO_HOLDER = 'Creators whom the catalog does not name';

/** A notice names somebody; where they can be found and what they drew stands in the lock file. */
function holderOf({ creator }: IconRecord): string {
  return toPlainLine(creator.name) || toPlainLine(creator.username) || NO_HOLDER;
}

/** The holders of the rights are those that the text of the licence names. */
function holdersOf(record: IconRecord): string[] {
  const stated = copyrightOf(record.license_text ?? '')?.split('\n');
  return (stated ?? [holderOf(record)]).map(toPlainLine);
}

function textsOf(icons: readonly Licensed[]): string[] {
  const texts = new Set(icons.map(({ record }) => record.license_text ?? ''));
  return [...texts].filter((text) => text !== '');
}

function renderText(icons: readonly Licensed[]): string {
  const names = new Set(icons.map(({ name }) => toPlainLine(name)));
  return [
    REUSE_HEADLINE,
    '',
    ...names,
    '',
    'Icons of the vendor file under it, with the credit that the catalog asks for:',
    '',
    ...icons.map(({ record, assertion }) => {
      const term = toPlainLine(record.term);
      const credit = toPlainLine(record.attribution) || holderOf(record);
      const ground =
        assertion === undefined
          ? ''
          : ` [found out by ${toPlainLine(assertion.by)}: ${toPlainLine(assertion.evidence)}]`;
      return `${record.id}${term === '' ? '' : ` “${term}”`}: ${credit}${ground}`;
    }),
    '',
    ...textsOf(icons).flatMap((text) => ['---', '', text, '']),
  ].join('\n');
}

function isReference(id: string): boolean {
  return id.startsWith('LicenseRef-');
}

/** A basic string: every control is escaped in JSON as TOML wants it, but for DEL. */
function toToml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function byId(one: IconRecord, other: IconRecord): number {
  return Number(one.id) - Number(other.id) || compareCodeUnits(one.id, other.id);
}

const BEGIN =
  '# icon-catalog: begin. What stands from here to the end mark is written by icon-catalog.';
const END = '# icon-catalog: end';
const BLOCK = /^# icon-catalog: begin\b.*\r?\n(?:.*\r?\n)*?# icon-catalog: end\r?\n?/m;

/** The licences that our table in a `REUSE.toml` names. */
export function licensesInTable(toml = ''): string[] {
  const [, list = ''] =
    /^SPDX-License-Identifier = \[\r?\n([^\]]*)/m.exec(BLOCK.exec(toml)?.[0] ?? '') ?? [];
  return Array.from(list.matchAll(/"([^"]+)"/g), ([, id = '']) => id);
}

/**
 * `REUSE.toml` with our table in it. What the project wrote stays as it is; our table comes last, since of several
 * tables that cover a file the last one counts.
 *
 * @param present the file as it is; `undefined` if it does not exist
 * @throws IconCatalogError LOCK_INVALID if our block has lost its end
 */
export function placeReuseTable(present: string | undefined, table: string): string {
  const block = `${BEGIN}\n${table}${END}\n`;
  if (present === undefined || present.trim() === '') return `version = 1\n\n${block}`;
  const rest = present.replace(BLOCK, '');
  if (rest.includes('# icon-catalog: begin')) {
    throw new IconCatalogError('LOCK_INVALID', {
      message:
        'REUSE.toml has a line "# icon-catalog: begin" without "# icon-catalog: end" behind it.',
      remedy: 'Delete that table, and run the command again.',
      path: 'REUSE.toml',
    });
  }
  return rest.trim() === '' ? `version = 1\n\n${block}` : `${rest.trimEnd()}\n\n${block}`;
}
