import { copyrightOf } from '../license/list.ts';
import { textDigest } from '../../store/hash.ts';
import type { IconRecord } from '../../types.ts';
import { toPlainLine } from '../../untrusted.ts';

export type CreditedWords = Pick<
  IconRecord,
  'term' | 'attribution' | 'creator' | 'license_description' | 'permalink' | 'license_text'
>;

export interface Drift {
  /** Name of the field on the wire, `creator.name` within a record. */
  field: string;
  locked: string;
  current: string;
  /** True if rights change (licence, creator, credit text), false for titles and addresses. */
  legal: boolean;
}

const FIELDS: readonly {
  field: string;
  legal: boolean;
  read: (of: CreditedWords) => string;
}[] = [
  { field: 'license_description', legal: true, read: (of) => of.license_description },
  { field: 'attribution', legal: true, read: (of) => of.attribution },
  { field: 'license_text', legal: true, read: (of) => nameText(of.license_text) },
  { field: 'creator.name', legal: true, read: (of) => of.creator.name },
  { field: 'creator.username', legal: true, read: (of) => of.creator.username },
  { field: 'creator.permalink', legal: false, read: (of) => of.creator.permalink },
  { field: 'term', legal: false, read: (of) => of.term },
  { field: 'permalink', legal: false, read: (of) => of.permalink },
];

/** What the catalog says otherwise now than when the icon was locked; empty if nothing changed. Compared byte for byte. */
export function findDrift(locked: CreditedWords, current: CreditedWords): Drift[] {
  return FIELDS.map(({ field, legal, read }) => ({
    field,
    legal,
    locked: read(locked),
    current: read(current),
  })).filter((drift) => drift.locked !== drift.current);
}

/** A text of pages in a few words. */
export function nameText(text: string | undefined): string {
  if (text === undefined) return '';
  return `${copyrightOf(text) ?? 'a text'} (sha256-${textDigest(text).slice(0, 16)})`;
}

/** `license_description was “public-domain”, is “creative-commons-attribution”`. */
export function describeDrift({ field, locked, current }: Omit<Drift, 'legal'>): string {
  return `${field} was ${quote(locked)}, is ${quote(current)}`;
}

export function quote(text: string): string {
  const line = toPlainLine(text);
  return line === '' ? 'empty' : `“${line}”`;
}
