import type { Credit, Manifest, ManifestIcon, PageWords } from '../../types.ts';
import { compareCodeUnits } from '../plain-text.ts';
import { count, ENGLISH, fill } from '../render/page-words.ts';

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
  /** Address of the collection. */
  url: string | null;
  /** The credit text around the icon's name; `undefined` if the catalog asks for none. */
  requested: RequestedText | undefined;
  icons: Icon[];
}

/** A credit text that is the same for all icons of a set but for the icon's name. */
export interface RequestedText {
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
const SHARED = new Set([
  'title',
  'creator',
  'credit',
  'license',
  'changes',
  'collections',
  'usedIn',
  'requested',
  'required',
  'notices',
]);

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

export const INCOMPLETE_NOTICE: string = ENGLISH.incomplete;

export interface Section<Icon extends Credit = ManifestIcon> extends LicenseGroup<Icon> {
  /** Id of the section in the page, unique in it. */
  fragment: string;
}

/** Gives each licence an id to link to. */
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
