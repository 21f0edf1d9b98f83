import type { Credit } from '../types.ts';
import { describeChanges } from './compute-changes.ts';
import type { LicenseGroup } from './group-icons.ts';
import { licenseLabel } from './license-label.ts';

/** One line of a credit: words of ours around words of somebody else, which may lead somewhere. */
export interface CreditLine {
  kind: 'title' | 'author' | 'requested' | 'terms' | 'note';
  before: string;
  /** A stranger's words, with their RDFa property. */
  term?: { text: string; tag?: 'bdi' | 'span'; property?: string };
  /** Where the term leads, an http(s) address. */
  link?: { href: string; property?: string };
  after: string;
}

/**
 * What pages and components say of one icon, in this order, with RDFa about the icon. Never `rel="license"`: without a
 * subject of its own it would put the page that holds it under the icon's licence.
 */
export function describeCredit(credit: Credit): CreditLine[] {
  const { requested, drawn = [] } = credit.credit;
  const words = (label: string, text: string): CreditLine =>
    line('requested', `${label}: `, { text, tag: 'bdi', property: 'dct:rights' });
  return [
    describeTitle(credit),
    describeAuthor(credit),
    ...(requested === null ? [] : [words('Credit', requested)]),
    ...drawn.map((text) => words('Drawn in the file', text)),
    describeLicense(credit),
    line('terms', 'Changes: ', {
      text: describeChanges(credit.changes),
      tag: 'span',
      property: 'dct:provenance',
    }),
  ];
}

/** What the licence of a group asks for. */
export function describeTerms({ url, icons, creditRequired }: LicenseGroup<Credit>): CreditLine {
  const status = icons[0]?.license.status;
  const address = toWebAddress(url);
  if (status === 'unknown')
    return line(
      'note',
      'The licence of these icons is not known. Ask their creators before you use them elsewhere.',
    );
  const free = 'No credit is required; it is given all the same.';
  if (address !== null) {
    const text = address.replace(/^https?:\/\/(?:www\.)?|\/$/g, '');
    const after = creditRequired ? '.' : `. ${free}`;
    return { ...line('note', 'Licence text: ', { text }), link: { href: address }, after };
  }
  if (!creditRequired) return line('note', free);
  return line(
    'note',
    status === 'attribution'
      ? 'Which version of the licence applies is not stated, so no licence text is linked.'
      : 'Licensed separately.',
  );
}

function describeTitle({ id, title, source }: Credit): CreditLine {
  const term: CreditLine['term'] =
    title === null
      ? { text: `Untitled icon ${id}`, tag: 'bdi' }
      : { text: title, tag: 'bdi', property: 'dct:title' };
  return withLink(line('title', '', term), source.url, 'dct:source');
}

function describeAuthor({ creator }: Credit): CreditLine {
  const text = creator.name ?? creator.username;
  if (text === null) return line('author', 'Creator not stated');
  const term = { text, tag: 'bdi', property: 'cc:attributionName' } as const;
  return withLink(line('author', 'by ', term), creator.url, 'cc:attributionURL');
}

function describeLicense({ license }: Credit): CreditLine {
  const isLinked = toWebAddress(license.url) !== null;
  const term: CreditLine['term'] = isLinked
    ? { text: licenseLabel(license), tag: 'bdi' }
    : { text: license.name, tag: 'bdi', property: 'dct:rights' };
  const after = license.versionBasis === 'project-assertion' ? ', as found out for this site' : '';
  return { ...withLink(line('terms', 'Licence: ', term), license.url, 'cc:license'), after };
}

function line(kind: CreditLine['kind'], before: string, term?: CreditLine['term']): CreditLine {
  return { kind, before, after: '', ...(term !== undefined && { term }) };
}

function withLink(line: CreditLine, address: string | null, property: string): CreditLine {
  const href = toWebAddress(address);
  return href === null ? line : { ...line, link: { href, property } };
}

/** Records may come from a file that anybody wrote: no other scheme becomes a link. */
function toWebAddress(address: string | null): string | null {
  return address !== null && /^https?:\/\/\S+$/i.test(address) ? address : null;
}
