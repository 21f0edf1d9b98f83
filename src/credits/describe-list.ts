import {
  creditFragment,
  type CreditLine,
  describeCredit,
  describeTerms,
  groupIcons,
  nameSections,
  NO_ICONS,
  RDFA_PREFIX,
  type Section,
} from '../attribution/credit/describe-credit.ts';
import { IconCatalogError } from '../errors.ts';
import { escapeHtml, toHtmlText } from '../untrusted.ts';
import type { Credit } from '../types.ts';

/** The props of `<IconCredits>` in every framework; all others go to its element. */
export interface CreditsProps {
  /** The default export of `icon:credits`. */
  credits: readonly Credit[];
  /**
   * The level of the headings above the licences, 1–6.
   * @default 2
   */
  heading?: number | `${number}` | undefined;
  /**
   * False: one list in the order of `credits`, without headings.
   * @default true
   */
  grouped?: boolean | undefined;
}

/** What the lists of all frameworks are rendered from. */
export interface CreditsLook {
  credits: readonly Credit[];
  heading: number;
  grouped: boolean;
}

/**
 * Applies defaults and checks, in one place for all frameworks.
 * @throws {IconCatalogError} `OPTIONS_INVALID` for credits that are not a list, and for a heading level that HTML does
 * not have
 */
export function parseProps({ credits, heading = 2, grouped = true }: CreditsProps): CreditsLook {
  if (!Array.isArray(credits)) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `\`credits\` of <IconCredits> is ${nameOf(credits)}, not a list of credits.`,
      remedy: "Give it the default export of `icon:credits`: `import credits from 'icon:credits'`.",
    });
  }
  const level = Number(heading);
  if (!Number.isInteger(level) || level < 1 || level > 6) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `\`heading\` of <IconCredits> is ${JSON.stringify(heading)}, not a heading level.`,
      remedy: 'Give it a whole number from 1 to 6.',
    });
  }
  return { credits: credits as readonly Credit[], heading: level, grouped };
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** An element of any framework. Texts are not escaped, never empty and never adjacent, which hydration relies on. */
export interface CreditsElement {
  tag: string;
  attributes: Record<string, string>;
  children: readonly CreditsNode[];
}

export type CreditsNode = CreditsElement | string;

/** The wrapper of the list, before the attributes that a page sets. */
export const ROOT_CLASS = 'icon-credits';

/** The credits as elements, with the words, classes, ids and RDFa of `icon-attribution.html`. */
export function describeList({ credits, heading, grouped }: CreditsLook): CreditsElement {
  const content =
    credits.length === 0
      ? [createElement('p', { class: 'summary' }, [NO_ICONS])]
      : grouped
        ? nameSections(groupIcons({ icons: credits })).map((section) =>
            describeSection(section, heading),
          )
        : [describeItems(credits)];
  return createElement('div', { class: ROOT_CLASS, prefix: RDFA_PREFIX }, content);
}

function describeSection(section: Section<Credit>, heading: number): CreditsElement {
  const { fragment, name, icons } = section;
  const label = `${fragment}-name`;
  return createElement('section', { id: fragment, 'aria-labelledby': label }, [
    createElement(`h${heading}`, { id: label }, [createElement('bdi', {}, [name])]),
    describeLine(describeTerms(section)),
    describeItems(icons),
  ]);
}

function describeItems(credits: readonly Credit[]): CreditsElement {
  return createElement('ul', { class: 'credits' }, credits.map(describeItem));
}

function describeItem(credit: Credit): CreditsElement {
  const id = creditFragment(credit.id);
  const attributes = { id, about: `#${id}`, typeof: 'cc:Work' };
  return createElement('li', attributes, describeCredit(credit).map(describeLine));
}

function describeLine({ kind, before, term, link, after }: CreditLine): CreditsElement {
  return createElement('p', { class: kind }, [before, ...describeTerm(term, link), after]);
}

function describeTerm(term: CreditLine['term'], link: CreditLine['link']): CreditsNode[] {
  if (term === undefined) return [];
  const words =
    term.tag === undefined
      ? term.text
      : createElement(term.tag, withProperty(term.property), [term.text]);
  if (link === undefined) return [words];
  return [createElement('a', { ...withProperty(link.property), href: link.href }, [words])];
}

function withProperty(property: string | undefined): Record<string, string> {
  return property === undefined ? {} : { property };
}

function createElement(
  tag: string,
  attributes: Record<string, string>,
  children: readonly CreditsNode[],
): CreditsElement {
  return {
    tag,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, toHtmlText(value)]),
    ),
    children: children
      .flatMap((child) => (typeof child === 'string' ? breakWords(toHtmlText(child)) : [child]))
      .filter((child) => child !== ''),
  };
}

/** A longer word does not fit on a phone; addresses are broken into shorter pieces. */
const LONGEST = 40;

/**
 * The scheme with its host, then pieces up to and including a separator of the address, or as much as fits on any line.
 */
const PIECES = /(?:\(?https?:\/\/)?[^/?&#=]{0,15}[/?&#=]+|[^/?&#=]{1,16}/g;

/**
 * A text with `<wbr>` in its addresses, so that a narrow page need not scroll sideways. Elements need no style sheet
 * and no inline style, which a page's policy may forbid. Only ASCII is broken: elsewhere several code points may form
 * one character.
 */
function breakWords(text: string): CreditsNode[] {
  const nodes: CreditsNode[] = [];
  let kept = 0;
  for (const { 0: word, index } of text.matchAll(/[!-~]{17,}/g)) {
    if (!word.includes('/') && word.length <= LONGEST) continue;
    let end = index;
    for (const [piece] of word.matchAll(PIECES)) {
      end += piece.length;
      if (end === index + word.length) break;
      nodes.push(text.slice(kept, end), { tag: 'wbr', attributes: {}, children: [] });
      kept = end;
    }
  }
  return [...nodes, text.slice(kept)];
}

/** Elements as HTML, for frameworks that take markup. Everything is escaped. */
export function renderMarkup(node: CreditsNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  return renderTag(node.tag, node.attributes, renderChildren(node));
}

export function renderChildren({ children }: CreditsElement): string {
  return children.map(renderMarkup).join('');
}

/**
 * Attributes that are not set, or that HTML cannot hold, are left out. So are functions, which only a browser can use.
 */
export function renderTag(
  tag: string,
  attributes: Readonly<Record<string, unknown>>,
  content: string,
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    const text = toAttribute(name, value);
    return text === null || !/^[^\s"'<>/=\u0000-\u001f]+$/.test(name)
      ? []
      : [` ${name}="${escapeHtml(text)}"`];
  });
  const start = `<${tag}${written.join('')}>`;
  return tag === 'wbr' ? start : `${start}${content}</${tag}>`;
}

/** The text of an attribute; `null` if it is not set. */
export function toAttribute(name: string, value: unknown): string | null {
  const isWord = /^(?:aria|data)-/.test(name);
  if (typeof value === 'boolean') return isWord ? String(value) : value ? '' : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
