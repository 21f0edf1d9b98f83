import { Parser } from 'htmlparser2';
import type { Manifest, ManifestIcon, PageLanguage } from '../../types.ts';
import { creditFragment } from '../credit/describe-credit.ts';
import { toPlainLine } from '../../untrusted.ts';
import { namesOfLicense } from '../render/page-words.ts';
import { nameInBill } from '../render/software-bill.ts';
import { isInvisible } from './links.ts';
import { type CreditedWords, findDrift } from '../credit/drift.ts';
import { type LicenseSources, resolveLicense } from '../license/resolve-license.ts';

/** An element of a page: the words that visitors see in it, and where its links lead. */
interface Part {
  parent: Part | undefined;
  words: string;
  links: string;
  /** Of a credit: the fragment of its icon. */
  credit: string | undefined;
  hasCredits: boolean;
  isHidden: boolean;
  isName: boolean;
}

/**
 * What a page of credits does not say of the icons that it should credit: each in a sentence. Words that hold for several
 * icons (a heading with their licence or creator) count for each of them, in any layout and language.
 *
 * @param isRequired the page must have a credit for this icon; the others count only if they are there
 */
export function findAlteredCredits(
  html: string,
  {
    path,
    icons,
    isRequired,
    language,
  }: {
    path: string;
    icons: readonly ManifestIcon[];
    isRequired: (icon: ManifestIcon) => boolean;
    /** Of the project's page. */
    language?: string | PageLanguage | undefined;
  },
): string[] {
  const words = wordsByCredit(html);
  const messages: string[] = [];
  for (const icon of icons) {
    const said = words.get(creditFragment(icon.id));
    const name = `icon ${icon.id} (“${nameInBill(icon)}”)`;
    if (said === undefined) {
      if (isRequired(icon)) messages.push(`${path} has no credit for ${name}.`);
      continue;
    }
    const missing = expectedOf(icon, language).filter(
      ([, ...texts]) => !texts.some((text) => said.includes(squeeze(text))),
    );
    if (missing.length === 0) continue;
    const list = missing.map(([what, text]) => `the ${what} “${toPlainLine(text)}”`).join(' and ');
    messages.push(`${path} does not say ${list} of ${name}.`);
  }
  return messages;
}

/** What it is, and the texts of which the page has to say one. */
type Expected = [what: string, text: string, ...others: string[]];

function expectedOf(
  { title, creator, credit, license }: ManifestIcon,
  language: string | PageLanguage | undefined,
): Expected[] {
  const author = creator.name ?? creator.username;
  const names = license.url === null ? namesOfLicense(license.name, language) : [];
  return [
    ['title', title],
    ['creator', author],
    // Icons of a set share one credit text, in which a mark stands for the name.
    ['credit text', credit.requested, credit.requested?.replace(title ?? '', () => NAME)],
    ['licence', license.url ?? license.name, ...names],
    ['copyright line', license.copyright],
  ].filter((each): each is Expected => each.slice(1).every((text) => typeof text === 'string'));
}

/** Stands for the name of an icon in a credit text that many icons share. */
const NAME = '\ufffc';

function wordsByCredit(html: string): Map<string, string> {
  const credits: Part[] = [];
  let part: Part | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const about = attributes['about'] ?? '';
      const credit = about.startsWith('#icon-') ? about.slice(1) : part?.credit;
      const isHidden =
        part?.isHidden === true ||
        ['template', 'script', 'style', 'title'].includes(name) ||
        isInvisible(attributes);
      const links = isHidden ? '' : (attributes['href'] ?? '');
      const opened = {
        parent: part,
        words: '',
        links,
        credit,
        hasCredits: false,
        isHidden,
        isName: name === 'var',
      };
      if (credit !== undefined && part?.credit !== credit) credits.push(opened);
      part = opened;
    },
    ontext(text) {
      if (part === undefined || part.isHidden) return;
      part.words += part.isName ? NAME : text;
    },
    onclosetag() {
      const closed = part;
      part = closed?.parent;
      if (closed === undefined || part === undefined) return;
      const isCredit = closed.credit !== undefined && part.credit !== closed.credit;
      part.hasCredits ||= closed.hasCredits || isCredit;
      if (isCredit || closed.hasCredits) return;
      part.words += closed.words;
      part.links += ` ${closed.links}`;
    },
  });
  parser.end(html);
  return new Map(
    credits.map((credit) => {
      let words = '';
      for (let each: Part | undefined = credit; each !== undefined; each = each.parent)
        words += ` ${each.words} ${each.links}`;
      return [credit.credit ?? '', squeeze(words)];
    }),
  );
}

/** White space and marks of direction are the page’s own. */
function squeeze(text: string): string {
  return toPlainLine(text).replaceAll(/[\s\u2066-\u2069]/g, '');
}

/** What the lock says of an icon, and what the project says of its licence. */
export type LockedWords = CreditedWords & Pick<LicenseSources, 'assertion' | 'termsVersion'>;

/** What the list says of a licence beside the catalog's own words, from which it follows. */
const OF_LICENSE = ['name', 'version', 'url', 'spdx'] as const;

/** Records of the list that say something else than the lock, which the build wrote them from: each in a sentence. */
export function findAlteredRecords(
  icons: readonly ManifestIcon[],
  locked: ReadonlyMap<string, LockedWords>,
): string[] {
  return icons.flatMap(({ id, title, creator, credit, license }) => {
    const lock = locked.get(id);
    if (lock === undefined) return [];
    const listed: CreditedWords = {
      ...lock,
      term: title ?? '',
      attribution: credit.requested ?? '',
      license_description: license.declared ?? '',
      creator: { ...lock.creator, name: creator.name ?? '' },
    };
    const altered = findDrift(lock, listed).filter((each) => each.locked.trim() !== each.current);
    const due = resolveLicense({ ...lock, record: lock, fileNotices: credit.notices }).license;
    const field = OF_LICENSE.find((name) => license[name] !== due[name]);
    // Another project, whose list this one took over, may have had other grounds.
    if (altered.length === 0 && field !== undefined && license.versionBasis === due.versionBasis) {
      const [current, before] = [license[field] ?? 'none', due[field] ?? 'none'];
      altered.push({ field: `license.${field}`, locked: before, current, legal: true });
    }
    return altered.map(
      ({ field: what, locked: before, current }) =>
        `The list says “${toPlainLine(current)}” as ${what} of icon ${id}, and the lock “${toPlainLine(before)}”.`,
    );
  });
}

/** Icons that a page of credits must have: all, or those of its own folder if that has a list of its own. */
export function requiredOn(
  page: string,
  { creditsFiles, paths }: { creditsFiles: readonly string[]; paths: readonly string[] },
): (icon: ManifestIcon) => boolean {
  const folder = page.slice(0, page.lastIndexOf('/') + 1);
  const isInner = folder !== '' && paths.includes(`${folder}icon-attribution.json`);
  if (!isInner || creditsFiles.includes(page)) return () => true;
  return ({ usedIn }) => usedIn.some(({ file }) => file.startsWith(folder));
}

/**
 * Icons of lists in folders below, as a restored or copied output brings them, that the list itself lacks.
 *
 * @param lists by path
 */
export function findUnlisted(
  lists: ReadonlyMap<string, Manifest>,
  { credited, found }: Record<'credited' | 'found', ReadonlyMap<string, unknown>>,
): { kind: 'uncredited'; message: string; remedy: string; files: string[] }[] {
  const places = new Map<string, string>();
  for (const [path, { icons }] of lists)
    for (const { id } of icons) if (!credited.has(id) && !found.has(id)) places.set(id, path);
  return Array.from(places, ([id, path]) => ({
    kind: 'uncredited',
    message: `Icon ${id} is in the list ${path} and not in that of this folder, which speaks for all folders in it.`,
    remedy: 'Build this folder again: the build takes over the lists below it.',
    files: [path],
  }));
}

/** @param missing ids of builds */
export function reportMissing(
  missing: readonly string[],
): { kind: 'incomplete'; message: string; remedy: string; files: string[] }[] {
  if (missing.length === 0) return [];
  const [names, build] = [missing.join(', '), missing.length === 1 ? 'build' : 'builds'];
  return [
    {
      kind: 'incomplete',
      message: `The list lacks the icons of the ${build} ${names}, which \`attribution.builds\` names.`,
      remedy: `Run the ${build} into this folder, or join the lists of jobs that ran apart: npx icon-catalog attribution merge <folder…> --output <folder>`,
      files: [],
    },
  ];
}
