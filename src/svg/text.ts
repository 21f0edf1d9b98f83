import type { XastChild, XastElement, XastRoot } from 'svgo';
import { childrenOf, textContent } from './walk.ts';

// C0/C1 controls, zero-width and bidirectional controls, noncharacters: invisible, but able to reorder or hide words.
const INVISIBLE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ufdd0-\ufdef]/g;

const LONE_SURROGATE = /\p{Cs}/gu;

// Template languages interpret these in markup that is pasted into a component.
const TEMPLATE = /[{}`\\]/g;

/** Text for people: no controls and no broken surrogates. */
export function cleanText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LONE_SURROGATE, '');
}

/**
 * Text that may be in markup, and the number of characters that had to be removed.
 *
 * @param keepsSpaces spaces that browsers would join or drop become spaces that they draw
 */
export function cleanDrawnText(
  text: string,
  { keepsSpaces }: { keepsSpaces: boolean },
): { text: string; removed: number } {
  const cleaned = cleanText(text).replace(TEMPLATE, '');
  const removed = text.length - cleaned.length;
  if (!keepsSpaces) return { text: cleaned, removed };
  const spaced = cleaned
    .replaceAll(/\r\n|[\t\n\r]/g, ' ')
    .replaceAll(/^ +| +$| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length));
  return { text: spaced, removed };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

/** Text for a value between double or single quotes. */
export function escapeAttribute(text: string): string {
  return /[&<>"']/.test(text)
    ? text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    : text;
}

// The words of a notice, not of a drawing: a letter or a number that is drawn as text stays part of the icon.
const CREDIT =
  /\b(?:created|designed|made|drawn|illustrated|icons?|art(?:work)?)\s+by\b|^\s*from\s+(?:the\s+)?\w|\bnoun\s+project\b|©|\(c\)\s|\bcopyright\b|\blicen[cs]ed?\b|\bcreative\s+commons\b|\bCC[ -]BY\b|\battribution\b|\brights\s+reserved\b|\b(?:non-?commercial|personal)\s+use\b|https?:\/\//i;

/** The outermost text elements that contain a credit, and their words. */
export function findCreditText(svg: XastElement): {
  elements: ReadonlySet<XastElement>;
  words: string[];
} {
  const elements = new Set<XastElement>();
  const words: string[] = [];
  const visit = (node: XastElement): void => {
    if (node.name === 'text') {
      const text = cleanText(textContent(node)).replaceAll(/\s+/g, ' ').trim().slice(0, 1_000);
      if (CREDIT.test(text)) {
        elements.add(node);
        words.push(text);
      }
      return;
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(svg);
  return { elements, words };
}

/** True if the markup still shows all of these words, however it is written. */
export function keepsCreditText(markup: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const shown = toLetters(
    markup
      .replaceAll(/<(title|desc|metadata|style|script)\b[^]*?<\/\1\s*>|<!--[^]*?-->/gi, '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&#(x?)([\da-f]{1,6});/gi, (_, hex: string, digits: string) =>
        toCharacter(Number.parseInt(digits, hex === '' ? 10 : 16)),
      )
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&'),
  );
  return words.every((text) => shown.includes(toLetters(text)));
}

function toLetters(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** What a text claims or grants. Conversion programs write that they created the file, which claims nothing. */
const CLAIM =
  /©\s*\S|\(c\)\s*\S|\bcopyright\s*(?:©|:|\d|by\b|of\b)|\bcopyright\b[^]{0,80}\b(?:19|20)\d\d\b|\brights\s+reserved\b|\brechte\s+vorbehalten\b|\bdroits\s+r[ée]serv|\blicen[cs]ed\s+(?:under|by)\b|\b(?:created|designed|drawn|illustrated)\s+by\b(?!\s*(?:potrace|fontforge)\b)|creativecommons\.org\/(?:licenses|publicdomain)\//i;

/** Names of licences, which the title of an icon may be as well. */
const LICENCE =
  /\bcopyright\b|\blicen[cs]e(?:\s*[:=]|\s+-\s|\s+https?:)|\bSPDX-|\b(?:MIT|ISC|BSD|Apache|Public|OFL)\s+licen[cs]e\b|\bCC[ -]BY\b|\bCC0\b|\bpublic\s+domain\b|\b(?:non-?commercial|personal)\s+use\b/i;

/** Metadata of Dublin Core, Creative Commons and XMP whose text is about rights in any case. */
const RIGHTS = /^(?:rights|license|usageterms)$/;

const ADDRESS =
  /https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/[\w./-]{1,60}/g;

/** Notices that are kept of one file, and characters of each. */
const MOST = 8;
const LONGEST = 2_000;

/** The place of a node: in the drawing, in its metadata, or in metadata about rights, whose text is read as a whole. */
type Place = 'drawing' | 'metadata' | 'rights';

/**
 * Notices about copyright and licence in a file as it was parsed, in its order and in its words: comments, descriptions,
 * metadata and the title of the root, none of which stays in the drawing.
 */
export function findNotices(root: XastRoot): string[] {
  const found = new Set<string>();
  const visit = (node: XastChild, place: Place, isRoot: boolean): void => {
    if (node.type === 'comment') read(node.value, [CLAIM, LICENCE]);
    if (node.type !== 'element') return;
    const name = node.name.replace(/^.*:/, '').toLowerCase();
    const inside = place === 'drawing' && name === 'metadata' ? 'metadata' : place;
    const isRights = inside === 'metadata' && RIGHTS.test(name);
    if (isRights) add(textContent(node));
    else if (inside === 'metadata')
      read(
        node.children
          .map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : ''))
          .join(''),
        [CLAIM, LICENCE],
      );
    else if (inside === 'drawing' && name === 'desc') read(textContent(node), [CLAIM, LICENCE]);
    if (inside !== 'drawing') {
      for (const value of Object.values(node.attributes))
        for (const [address] of value.matchAll(ADDRESS)) found.add(address);
    }
    for (const child of node.children) {
      if (isRoot && child.type === 'element' && /^(?:[\w.-]+:)?title$/.test(child.name))
        read(textContent(child), [CLAIM]);
      visit(child, isRights ? 'rights' : inside, false);
    }
  };
  const read = (text: string, patterns: readonly RegExp[]): void => {
    const at = patterns.map((pattern) => text.search(pattern)).find((index) => index !== -1);
    if (at !== undefined) add(text, at);
  };
  /** A text that is too long is cut so that the matching words are at its beginning. */
  const add = (text: string, at = 0): void => {
    const part = text.length <= LONGEST ? text : text.slice(at, at + LONGEST);
    const notice = part.replaceAll(/\p{Surrogate}/gu, '\ufffd').trim();
    if (notice !== '') found.add(notice);
  };
  for (const child of root.children) visit(child, 'drawing', child.type === 'element');
  return [...found].slice(0, MOST);
}
