import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAssertion } from '../attribution/license-policy.ts';
import { toPlainLine } from '../attribution/plain-text.ts';
import { resolveLicense, type LicenseAssertion } from '../attribution/resolve-license.ts';
import type { IconRecord } from '../types.ts';
import { publicSigns } from './public-signs.ts';

/** Icons of one licence that a message names. */
const LISTED = 20;

export interface VendorNotice {
  root: string;
  /** Path of the vendor file relative to the root. */
  vendorFile: string;
  /** Of the icons that the file holds. */
  records: readonly IconRecord[];
  assert: Readonly<Record<string, LicenseAssertion>>;
  /** What the catalog’s terms state for all its icons. */
  terms?: { version: string } | undefined;
}

/**
 * A warning where icons whose licence asks for something are committed to a repository that looks public; `undefined`
 * where none is, or where the project says whose they are: in `REUSE.toml`, or in a `.license` file beside.
 */
export async function vendorNotice({
  root,
  vendorFile,
  ...licensed
}: VendorNotice): Promise<string | undefined> {
  const icons = iconsByLicense(licensed);
  if (icons.size === 0) return undefined;
  const signs = await publicSigns(root);
  if (signs.length === 0 || (await isDeclared(root, vendorFile))) return undefined;
  const licenses = [...icons].map(([name, ids]) => {
    const more = ids.length > LISTED ? ` and ${ids.length - LISTED} more` : '';
    return `\n  ${name}: ${ids.length === 1 ? 'icon' : 'icons'} ${ids.slice(0, LISTED).join(', ')}${more}`;
  });
  return `${vendorFile} holds icons as the catalog sent them, and this repository looks public (${signs.join('; ')}): who commits the file redistributes them, under conditions of${licenses.join('')}\n  Say whose they are in REUSE.toml or in ${vendorFile}.license, and this warning ends; see "Vendor file" in the README.`;
}

/** Ids by the name of their licence, without those that may be passed on as one likes. */
function iconsByLicense({
  records,
  assert,
  terms,
}: Pick<VendorNotice, 'records' | 'assert' | 'terms'>): Map<string, string[]> {
  const icons = new Map<string, string[]>();
  const sorted = records.toSorted((one, other) => Number(one.id) - Number(other.id));
  for (const record of sorted) {
    const assertion = findAssertion(record, assert);
    const termsVersion = terms?.version;
    const found = resolveLicense({ record, assertion, termsVersion });
    const { license, creditRequired, noDerivatives } = found;
    if (!creditRequired && !noDerivatives && license.status !== 'unknown') continue;
    const name = toPlainLine(license.name);
    icons.set(name, [...(icons.get(name) ?? []), record.id]);
  }
  return icons;
}

async function isDeclared(root: string, vendorFile: string): Promise<boolean> {
  const license = await readFile(join(root, `${vendorFile}.license`), 'utf8').catch(() => '');
  if (license.trim() !== '') return true;
  const reuse = await readFile(join(root, 'REUSE.toml'), 'utf8').catch(() => '');
  return reuse.includes(vendorFile);
}
