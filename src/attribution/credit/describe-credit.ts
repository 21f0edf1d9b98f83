import type { Change, Credit, CreditLicense, PageWords } from '../../types.ts';
import { toPlainLine } from '../plain-text.ts';
import { ENGLISH, fill, ownValue } from '../render/page-words.ts';
import type { LicenseGroup } from './group-icons.ts';

/** One line of a credit: words of ours around words of somebody else, which may lead somewhere. */
export interface CreditLine {
  kind: 'title' | 'author' | 'requested' | 'terms' | 'note';
  before: string;
  /** Untrusted words, with their RDFa property. */
  term?: { text: string; tag?: 'bdi' | 'span'; property?: string };
  /** Where the term leads, an http(s) address. */
  link?: { href: string; property?: string };
  after: string;
}

/**
 * What pages and components say of one icon, in this order, with RDFa about the icon. Never `rel="license"`: without a
 * subject of its own it would put the page that holds it under the icon's licence.
 */
export function describeCredit(credit: Credit, words: PageWords = ENGLISH): CreditLine[] {
  const { requested, drawn = [] } = credit.credit;
  return [
    describeTitle(credit, words),
    describeAuthor(credit, words),
    ...(requested === null ? [] : [said(words.credit, requested)]),
    ...drawn.map((text) => said(words.drawnInFile, text)),
    ...describeNotices(credit, words),
    describeLicense(credit, words),
    ...describeHolders(credit, words),
    describeAllChanges(credit, words),
  ];
}

/** What icons of a set say once: creator, licence, changes, and notices that all of their files hold. */
export function describeShared(credit: Credit, words: PageWords = ENGLISH): CreditLine[] {
  return [
    describeAuthor(credit, words),
    describeLicense(credit, words),
    ...describeHolders(credit, words),
    describeAllChanges(credit, words),
    ...describeNotices(credit, words),
  ];
}

function describeNotices({ credit }: Credit, words: PageWords): CreditLine[] {
  return otherNotices(credit).map((text) => said(words.noticeInFile, text));
}

/** Notices of the file that are not drawn. */
export function otherNotices({ drawn = [], notices = [] }: Credit['credit']): string[] {
  return notices.filter((text) => !drawn.includes(text));
}

function said(label: string, text: string): CreditLine {
  return line('requested', label, { text, tag: 'bdi', property: 'dct:rights' });
}

/** What the licence of a group asks for. */
export function describeTerms(
  { url, icons, creditRequired }: LicenseGroup<Credit>,
  words: PageWords = ENGLISH,
): CreditLine {
  const status = icons[0]?.license.status;
  const address = toWebAddress(url);
  if (status === 'unknown') return line('note', words.licenceUnknown);
  if (address !== null) {
    const text = shorten(address);
    const after = creditRequired ? '.' : `. ${words.noCreditRequired}`;
    return { ...line('note', words.licenceText, { text }), link: { href: address }, after };
  }
  if (!creditRequired) return line('note', words.noCreditRequired);
  return line('note', status === 'attribution' ? words.versionNotStated : words.licensedSeparately);
}

/** The name of a licence in the language of the page. */
export function nameLicense(name: string, words: PageWords): string {
  return ownValue(words.licenceNames, name) ?? name;
}

export function describeTitle({ id, title, source }: Credit, words: PageWords): CreditLine {
  const term: CreditLine['term'] =
    title === null
      ? { text: fill(words.untitled, { id }), tag: 'bdi' }
      : { text: title, tag: 'bdi', property: 'dct:title' };
  return withLink(line('title', '', term), source.url, 'dct:source');
}

function describeAuthor({ creator }: Credit, words: PageWords): CreditLine {
  const text = creator.name ?? creator.username;
  if (text === null) return line('author', words.creatorNotStated);
  const term = { text, tag: 'bdi', property: 'cc:attributionName' } as const;
  return withLink(line('author', words.by, term), creator.url, 'cc:attributionURL');
}

function describeLicense({ license }: Credit, words: PageWords): CreditLine {
  const isLinked = toWebAddress(license.url) !== null;
  const term: CreditLine['term'] = isLinked
    ? { text: licenseLabel(license), tag: 'bdi' }
    : { text: nameLicense(license.name, words), tag: 'bdi', property: 'dct:rights' };
  const after = license.versionBasis === 'project-assertion' ? words.asserted : '';
  return { ...withLink(line('terms', words.licence, term), license.url, 'cc:license'), after };
}

/** The copyright lines of the licence's text, and where the set's licence file lies. */
function describeHolders({ license }: Credit, words: PageWords): CreditLine[] {
  const file = toWebAddress(license.file ?? null);
  return [
    ...copyrightLines(license).map((text) =>
      line('terms', '', { text, tag: 'bdi', property: 'dct:rights' }),
    ),
    ...(file === null
      ? []
      : [{ ...line('terms', words.licenceFile, { text: shorten(file) }), link: { href: file } }]),
  ];
}

/** Who holds the rights, a line each. */
export function copyrightLines({ copyright = '' }: Credit['license']): string[] {
  return copyright.split('\n').filter((text) => text !== '');
}

/** An address as people write it. */
function shorten(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?|\/$/g, '');
}

function describeAllChanges({ changes }: Credit, words: PageWords): CreditLine {
  const text =
    [...new Set(changes.map((change) => nameChange(change, words)))].join('; ') || words.noChanges;
  return line('terms', words.changes, { text, tag: 'span', property: 'dct:provenance' });
}

function nameChange({ kind, summary, visible }: Change, words: PageWords): string {
  const text = ownValue(words.changeWords, kind) ?? toPlainLine(summary);
  return visible ? text : `${text} (${words.encodingOnly})`;
}

function line(kind: CreditLine['kind'], before: string, term?: CreditLine['term']): CreditLine {
  return { kind, before, after: '', ...(term !== undefined && { term }) };
}

function withLink(line: CreditLine, address: string | null, property: string): CreditLine {
  const href = toWebAddress(address);
  return href === null ? line : { ...line, link: { href, property } };
}

/** Records may come from a file that anybody wrote: no other scheme becomes a link. */
export function toWebAddress(address: string | null): string | null {
  return address !== null && /^https?:\/\/\S+$/i.test(address) ? address : null;
}

/** Short name of a licence for a line of a list: `CC BY 3.0`, `MIT`. */
export function licenseLabel({ spdx, name }: Pick<CreditLicense, 'spdx' | 'name'>): string {
  if (spdx.startsWith('LicenseRef-') || spdx === 'NOASSERTION') return name;
  return spdx.startsWith('CC-BY') ? spdx.replace('-', ' ').replace(/-(?=\d)/, ' ') : spdx;
}
