import { remember } from '../../untrusted.ts';
import { findLicense } from './list.ts';

/** What a licence asks of those who share a work, beyond what the law asks anyway. */
type Term =
  | 'credit'
  | 'no commercial use'
  | 'no derivatives'
  | 'share alike'
  | 'all rights reserved';

interface Licence {
  /** Licences of one family differ in their version only. */
  family: string;
  /** `major.minor`, where one is stated. */
  version: string | null;
  terms: ReadonlySet<Term>;
}

/** A licence, or a single restriction, as a text names it. */
interface Mention {
  words: string;
  /** `undefined`: the words are a restriction that may be part of any licence. */
  licence: Licence | undefined;
  terms: ReadonlySet<Term>;
}

/** What is read of a record; a catalog may leave any of it out. */
interface Statement {
  term?: string | undefined;
  creator?: { name?: string | undefined } | undefined;
  collections?: readonly { name?: string | undefined }[] | undefined;
  attribution?: string | undefined;
  license_description?: string | undefined;
}

/** A text about an icon that names another licence than the icon's record. */
export interface Contradiction {
  /** `license_description`, byte for byte. */
  declared: string;
  words: string;
  /** `credit-text`: the record's own `attribution`; `file`: a notice in the icon's file. */
  source: 'credit-text' | 'file';
  /** What the text asks for and the record does not; empty if the text is not the stricter one. */
  stricter: readonly Term[];
}

const COMMERCIAL = /commercial\s*(?:and|or|&|\/|,)\s*$/i;
const AND_COMMERCIAL = /^[^.;]{0,20}?(?:and|or|&|\/)\s*commercial/i;

const CC_ADDRESS =
  /creativecommons\.org\/(?:licenses\/(?<codes>by(?:-(?:nc|nd|sa))*)|publicdomain\/(?<dedication>zero|mark))(?:\/(?<version>\d\.\d))?[\w./-]*/gi;
const CC_WORDS =
  /\b(?:(?:CC|Creative\s+Commons)[\s_-]*(?:BY\b|Attribution\b)|BY(?=-(?:NC|ND|SA)\b))(?<codes>(?:[\s_–/-]+(?:NC|ND|SA|Non-?\s?Commercial|No-?\s?Deriv\w*|Share-?\s?Alike)\b)*)[\s,_-]*(?:v(?:ersion)?[\s.]*)?(?<version>[1-4]\.\d\b)?/gi;
const PUBLIC_DOMAIN = /(?<!\bnot\s(?:in\s)?(?:the\s)?)(?:\bCC[\s-]?0\b|\bpublic[\s-]domain\b)/gi;
const NAMED =
  /\bGNU\s+(?<gnu>Affero\s+|Lesser\s+)?General\s+Public\s+Licen[cs]e(?:[\s,-]*(?:v(?:ersion)?[\s.]*)?(?<gnuVersion>\d(?:\.\d)?)\b)?|\b(?<short>[AL]?GPL|MPL|OFL|Apache(?=[\s-]*(?:licen[cs]e|v?\d)))(?:\s+licen[cs]e)?(?:[\s,-]*(?:v(?:ersion)?[\s.]*)?(?<shortVersion>\d(?:\.\d)?)\b)?|\b(?<plain>MIT|ISC|BSD)(?=[\s-]*(?:\d-Clause\s*)?licen[cs]|-\d-Clause|\))/gi;

const RESTRICTIONS: readonly { term: Term; pattern: RegExp }[] = [
  {
    term: 'no commercial use',
    pattern:
      /\bnon[\s-]?commercial\b|\bno(?:t\s+for)?\s+commercial\s+(?:use|purposes?)\b|\bpersonal\s+use\s+only\b/gi,
  },
  {
    term: 'no derivatives',
    pattern: /\bno[\s-]?deriv(?:ative|s\b)\w*|\bno\s+modifications?\b/gi,
  },
  { term: 'share alike', pattern: /\bshare[\s-]?alike\b/gi },
  {
    term: 'all rights reserved',
    pattern: /\ball\s+rights\s+reserved\b|\balle\s+rechte\s+vorbehalten\b|\btous\s+droits\s+r/gi,
  },
];

const COPYLEFT = /^(?:agpl|lgpl|gpl|mpl|ofl|eupl|epl)$/;

/**
 * The first text about an icon that names another licence than `license_description`, a stricter one before others; `undefined`
 * where nothing contradicts the record, or where the record's own value is not known. The icon's title and the names of its
 * creator and collections are no statements: an icon may be called “CC BY-NC”.
 *
 * @param notices what the file itself says: drawn credit text, comments, metadata
 */
export function findContradiction(
  record: Statement,
  notices: readonly string[] = [],
): Contradiction | undefined {
  const { term = '', attribution = '', license_description = '', collections = [] } = record;
  const declared = licenceOf(license_description);
  const texts = [attribution, ...notices];
  if (declared === undefined) return undefined;
  const names = [term, record.creator?.name ?? '', ...collections.map(({ name = '' }) => name)];
  const found: Contradiction[] = [];
  let { version } = declared;
  for (const [index, text] of texts.entries()) {
    const plain = withoutNames(text, names);
    const mentions = readMentions(plain);
    const isNamed = mentions.some(({ licence }) => licence && isSame(licence, declared, version));
    for (const { words, licence, terms } of mentions) {
      const stricter = [...terms].filter((term) => !declared.terms.has(term));
      const agrees = licence === undefined || isSame(licence, declared, version);
      // Words beside the record's own licence that ask for no more are a second licence to choose from.
      const isChoice = isNamed && licence?.family !== declared.family;
      if (stricter.length > 0 || !(agrees || isChoice))
        found.push({
          declared: license_description,
          words,
          source: index === 0 ? 'credit-text' : 'file',
          stricter,
        });
      if (licence?.family === declared.family) version ??= licence.version;
    }
  }
  return found.find(({ stricter }) => stricter.length > 0) ?? found[0];
}

function isSame(licence: Licence, { family }: Licence, version: string | null): boolean {
  if (licence.family !== family) return false;
  return licence.version === null || version === null || licence.version === version;
}

/** The licence that `license_description` stands for; `undefined`: its conditions are not known. */
function licenceOf(declared: string): Licence | undefined {
  if (declared === 'creative-commons-attribution') return creativeCommons('', null);
  if (declared === 'public-domain') return dedication();
  const facts = findLicense(declared);
  if (facts === undefined) return undefined;
  const codes = /^CC-BY((?:-(?:NC|ND|SA))*)/.exec(declared)?.[1];
  if (codes !== undefined) return creativeCommons(codes, facts.version);
  if (!facts.creditRequired) return dedication();
  return named(/^[A-Za-z]+/.exec(declared)?.[0] ?? declared, facts.version);
}

function creativeCommons(codes: string, version: string | null): Licence {
  const terms = new Set<Term>(['credit']);
  if (/n(?:c|on)/i.test(codes)) terms.add('no commercial use');
  if (/n(?:d|o-?\s?deriv)/i.test(codes)) terms.add('no derivatives');
  if (/sa|share/i.test(codes)) terms.add('share alike');
  return { family: [...terms].join(), version, terms };
}

function dedication(): Licence {
  return { family: 'public domain', version: null, terms: new Set() };
}

function named(name: string, version: string | null): Licence {
  const family = name.toLowerCase();
  const terms = new Set<Term>(['credit']);
  if (COPYLEFT.test(family)) terms.add('share alike');
  // The words stand in the copyright line of the licence's own text.
  if (family === 'bsd') terms.add('all rights reserved');
  return { family, version, terms };
}

/** Without the names, credit texts of thousands of icons are one. */
const readMentions = remember(findMentions);

function findMentions(text: string): readonly Mention[] {
  const mentions: Mention[] = [];
  // Icon fonts name the licences of their parts in one line: “Icons: CC BY 4.0, Fonts: SIL OFL 1.1, Code: MIT License”.
  let rest = text.replaceAll(/\b(?:fonts?|code|software)\s*:[^,;)\n]{0,60}/gi, ' ; ');
  /** Words that were understood are not read a second time. */
  const take = (pattern: RegExp, toLicence: (match: RegExpExecArray) => Licence): void => {
    for (const match of rest.matchAll(pattern)) {
      const licence = toLicence(match);
      mentions.push({ words: match[0].trim(), licence, terms: licence.terms });
    }
    rest = rest.replace(pattern, ' ; ');
  };
  take(CC_ADDRESS, ({ groups = {} }) =>
    groups['codes'] === undefined
      ? dedication()
      : creativeCommons(groups['codes'], groups['version'] ?? null),
  );
  rest = rest.replace(/https?:\/\/[^\s<>"')\]]+/gi, ' ');
  take(CC_WORDS, ({ groups }) =>
    creativeCommons(groups?.['codes'] ?? '', groups?.['version'] ?? null),
  );
  take(NAMED, ({ groups = {} }) => {
    const { gnu, gnuVersion, short, shortVersion, plain } = groups;
    const version = gnuVersion ?? shortVersion ?? null;
    const whole = version !== null && !version.includes('.') ? `${version}.0` : version;
    return named(plain ?? short ?? `${gnu?.[0] ?? ''}GPL`, whole);
  });
  for (const { term, pattern } of RESTRICTIONS) {
    for (const { 0: words, index } of rest.matchAll(pattern)) {
      // “Free for commercial and non-commercial use” forbids nothing.
      const after = rest.slice(index + words.length);
      const isBoth = COMMERCIAL.test(rest.slice(0, index)) || AND_COMMERCIAL.test(after);
      if (term === 'no commercial use' && isBoth) continue;
      mentions.push({ words, licence: undefined, terms: new Set([term]) });
    }
  }
  take(PUBLIC_DOMAIN, dedication);
  return mentions;
}

/**
 * Each name once, as whole words: what remains are the words of the catalog or the author about the licence. A name that is
 * a part of such words stays: an icon called “Reserved” does not change what “All rights reserved” says.
 */
function withoutNames(text: string, names: readonly string[]): string {
  if (findMentions(text).length === 0) return text;
  return names.reduce((before, name) => {
    const after = withoutName(before, name);
    const left = new Set(readMentions(after).map(({ words }) => words));
    const isPart = ({ words }: Mention): boolean =>
      !left.has(words) && !name.toLowerCase().includes(words.toLowerCase());
    return findMentions(before).some(isPart) ? before : after;
  }, text);
}

function withoutName(text: string, name: string): string {
  const at = name.trim() === '' ? -1 : text.toLowerCase().indexOf(name.toLowerCase());
  const isWord = at >= 0 && !/\w{2}/.test(`${text[at - 1] ?? ' '}${text[at]}`);
  if (!isWord || /^\w/.test(text.slice(at + name.length))) return text;
  return `${text.slice(0, at)} ; ${text.slice(at + name.length)}`;
}
