import type { XastChild, XastElement, XastRoot } from 'svgo';
import { textContent } from './walk.ts';

/** What somebody claims or grants. Programs that convert drawings write that they created them, which claims nothing. */
const CLAIM =
  /©\s*\S|\(c\)\s*\S|\bcopyright\s*(?:©|:|\d|by\b|of\b)|\bcopyright\b[^]{0,80}\b(?:19|20)\d\d\b|\brights\s+reserved\b|\brechte\s+vorbehalten\b|\bdroits\s+r[ée]serv|\blicen[cs]ed\s+(?:under|by)\b|\b(?:created|designed|drawn|illustrated)\s+by\b(?!\s*(?:potrace|fontforge)\b)|creativecommons\.org\/(?:licenses|publicdomain)\//i;

/** Names of licences, which the title of an icon may be as well. */
const LICENCE =
  /\bcopyright\b|\blicen[cs]e(?:\s*[:=]|\s+-\s|\s+https?:)|\bSPDX-|\b(?:MIT|ISC|BSD|Apache|Public|OFL)\s+licen[cs]e\b|\bCC[ -]BY\b|\bCC0\b|\bpublic\s+domain\b|\b(?:non-?commercial|personal)\s+use\b/i;

/** Metadata of Dublin Core, Creative Commons and XMP whose text is about rights, whatever it says. */
const RIGHTS = /^(?:rights|license|usageterms)$/;

const ADDRESS =
  /https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/[\w./-]{1,60}/g;

/** So much is read of one file. */
const MOST = 8;
const LONGEST = 2_000;

/** Where a node stands: in the drawing, in its metadata, or in metadata about rights, whose text is read as a whole. */
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
    else if (inside === 'metadata') read(ownText(node), [CLAIM, LICENCE]);
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
  /** A text that is too long is cut, the words that were found at the beginning. */
  const add = (text: string, at = 0): void => {
    const part = text.length <= LONGEST ? text : text.slice(at, at + LONGEST);
    const notice = part.replaceAll(/\p{Surrogate}/gu, '\ufffd').trim();
    if (notice !== '') found.add(notice);
  };
  for (const child of root.children) visit(child, 'drawing', child.type === 'element');
  return [...found].slice(0, MOST);
}

function ownText({ children }: XastElement): string {
  return children
    .map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : ''))
    .join('');
}
