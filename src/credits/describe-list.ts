import { creditFragment } from '../attribution/credit-fragment.ts';
import { describeCredit, describeTerms, type CreditLine } from '../attribution/describe-credit.ts';
import { toHtmlText } from '../attribution/escape-html.ts';
import { groupIcons, NO_ICONS } from '../attribution/group-icons.ts';
import { nameSections, type Section } from '../attribution/name-sections.ts';
import { RDFA_PREFIX } from '../attribution/rdfa-prefix.ts';
import type { Credit } from '../types.ts';
import { breakWords } from './break-words.ts';
import type { CreditsLook } from './credits-props.ts';

/** An element of any framework. Texts are not escaped, never empty and never side by side, which hydration relies on. */
export interface CreditsElement {
  tag: string;
  attributes: Record<string, string>;
  children: readonly CreditsNode[];
}

export type CreditsNode = CreditsElement | string;

/** What is around the list, before the attributes that a page gives. */
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
