import type {
  Change,
  Credit,
  CreditLicense,
  Manifest,
  ManifestIcon,
  PageWords,
} from '../../types.ts';
import { compareCodeUnits, toPlainLine } from '../../untrusted.ts';
import { count, ENGLISH, fill, ownValue } from '../render/page-words.ts';

/** RDFa prefixes of the credits; needed on an element around them. */
export const RDFA_PREFIX = 'cc: http://creativecommons.org/ns# dct: http://purl.org/dc/terms/';

/** Fragment under which the page holds an icon's credit, safe in an attribute and in an address. */
export function creditFragment(id: string): string {
  return `icon-${encodeURIComponent(toPlainLine(id)).replaceAll("'", '%27')}`;
}

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

export function otherNotices({ drawn = [], notices = [] }: Credit['credit']): string[] {
  return notices.filter((text) => !drawn.includes(text));
}

function said(label: string, text: string): CreditLine {
  return line('requested', label, { text, tag: 'bdi', property: 'dct:rights' });
}

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

export function nameLicense(name: string, words: PageWords): string {
  return ownValue(words.licenceNames, name) ?? name;
}

function describeTitle({ id, title, source }: Credit, words: PageWords): CreditLine {
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

/** Icons under one licence, in the manifest's order. */
export interface LicenseGroup<Icon extends Credit = ManifestIcon> {
  name: string;
  url: string | null;
  /** False if the licence asks for no credit. */
  creditRequired: boolean;
  icons: Icon[];
}

/** By licence; those that require credit first, then by name in code-unit order. */
export function groupIcons<Icon extends Credit>({
  icons,
}: {
  icons: readonly Icon[];
}): LicenseGroup<Icon>[] {
  const groupByKey = new Map<string, LicenseGroup<Icon>>();
  for (const icon of icons) {
    const { name, url } = icon.license;
    const key = `${icon.credit.required ? 0 : 1}\n${name}\n${url ?? ''}`;
    const group = groupByKey.get(key);
    if (group === undefined)
      groupByKey.set(key, { name, url, creditRequired: icon.credit.required, icons: [icon] });
    else group.icons.push(icon);
  }
  return [...groupByKey.entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, group]) => group);
}

/** The texts of a group's licences that no group before it has shown. @param shown digests of those, to which these are added */
export function textsOf(
  { icons }: Pick<LicenseGroup<Credit>, 'icons'>,
  texts: Readonly<Record<string, string>> = {},
  shown: Set<string>,
): string[] {
  const digests = new Set(icons.map(({ license }) => license.text ?? ''));
  const found = [...digests].filter((each) => Object.hasOwn(texts, each) && !shown.has(each));
  for (const digest of found) shown.add(digest);
  return found.sort(compareCodeUnits).map((digest) => texts[digest] ?? '');
}

/** From this number on, icons that share everything but name, id and address are said once. */
export const MANY = 8;

/** Icons of one set and creator whose credits differ in nothing but name, id and address. */
export interface IconSet<Icon extends Credit = Credit> {
  /** Of the collection, or of the creator if the icons are in none. */
  name: string;
  url: string | null;
  /** The credit text around the icon's name; `undefined` if the catalog asks for none. */
  requested: RequestedText | undefined;
  icons: Icon[];
}

/** A credit text that is the same for all icons of a set but for the icon's name. */
interface RequestedText {
  before: string;
  /** What follows the name; `null` for a text without it. */
  after: string | null;
}

/** What of a list stands alone, and the sets of {@link MANY} icons and more, by name in code-unit order. */
export function groupSets<Icon extends Credit>(
  icons: readonly Icon[],
): { single: Icon[]; sets: IconSet<Icon>[] } {
  const setByKey = new Map<string, IconSet<Icon>>();
  for (const icon of icons) {
    const { creator, credit, license, changes, collections, title } = icon;
    const name = collections[0]?.name ?? creator.name ?? creator.username;
    const { id: _id, line: _line, source: _source, ...others } = { ...icon, ...credit };
    // A record with more to say than others of its set (drawn credit) has to say it by itself.
    if (name === null || title === null || Object.keys(others).some((key) => !SHARED.has(key)))
      continue;
    const requested = splitRequested(credit.requested, title);
    const key = JSON.stringify([
      collections[0],
      creator,
      license,
      changes,
      requested,
      credit.notices,
    ]);
    const set = setByKey.get(key);
    if (set === undefined)
      setByKey.set(key, { name, url: collections[0]?.url ?? null, requested, icons: [icon] });
    else set.icons.push(icon);
  }
  const sets = [...setByKey]
    .filter(([, set]) => set.icons.length >= MANY)
    .sort(
      ([keyA, a], [keyB, b]) => compareCodeUnits(a.name, b.name) || compareCodeUnits(keyA, keyB),
    )
    .map(([, set]) => set);
  const inSets = new Set(sets.flatMap((set) => set.icons));
  return { single: icons.filter((icon) => !inSets.has(icon)), sets };
}

/** Fields that a set says once, or that its grid says of each icon. */
const SHARED = new Set(
  'title creator credit license changes collections usedIn requested required notices'.split(' '),
);

function splitRequested(text: string | null, title: string): RequestedText | undefined {
  if (text === null) return undefined;
  const at = text.indexOf(title);
  return at === -1
    ? { before: text, after: null }
    : { before: text.slice(0, at), after: text.slice(at + title.length) };
}

/** `63 icons by 12 creators under 3 licences.` */
export function summarize(manifest: Manifest, words: PageWords = ENGLISH): string {
  if (manifest.icons.length === 0) return words.noIcons;
  const creators = new Set<string>();
  for (const { creator } of manifest.icons) {
    if (creator.name !== null || creator.username !== null) {
      creators.add(`${creator.name ?? ''}\n${creator.username ?? ''}\n${creator.url ?? ''}`);
    }
  }
  const licenses = new Set(manifest.icons.map((icon) => icon.license.name));
  return fill(creators.size === 0 ? words.summaryWithoutCreators : words.summary, {
    icons: count(manifest.icons.length, words.icons, words),
    creators: count(creators.size, words.creators, words),
    licences: count(licenses.size, words.licences, words),
  });
}

/** True if no output was searched: the list has what is requested, which may be more than what ships. */
export function isRequested({ builds }: Pick<Manifest, 'builds'>): boolean {
  return builds.length > 0 && builds.every(({ precision }) => precision === 'requested');
}

export const NO_ICONS: string = ENGLISH.noIcons;

export interface Section<Icon extends Credit = ManifestIcon> extends LicenseGroup<Icon> {
  /** Id of the section in the page, unique in it. */
  fragment: string;
}

export function nameSections<Icon extends Credit>(
  groups: readonly LicenseGroup<Icon>[],
): Section<Icon>[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    const words = (group.icons[0]?.license.spdx ?? '').replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
    let fragment = `licence-${words}`;
    for (let number = 2; taken.has(fragment); number += 1) fragment = `licence-${words}-${number}`;
    taken.add(fragment);
    return { ...group, fragment };
  });
}
