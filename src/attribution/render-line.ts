import type { CreditLine } from './describe-credit.ts';
import { escapeHtml } from './escape-html.ts';

/** One line of a credit as a paragraph. */
export function renderLine({ kind, before, term, link, after }: CreditLine): string {
  return `<p class="${kind}">${before}${renderLink(link, renderTerm(term))}${after}</p>`;
}

function renderTerm(term: CreditLine['term']): string {
  if (term === undefined) return '';
  const text = escapeHtml(term.text);
  if (term.tag === undefined) return text;
  return `<${term.tag}${renderProperty(term.property)}>${text}</${term.tag}>`;
}

function renderLink(link: CreditLine['link'], content: string): string {
  if (link === undefined) return content;
  return `<a${renderProperty(link.property)} href="${escapeHtml(link.href)}">${content}</a>`;
}

function renderProperty(property: string | undefined): string {
  return property === undefined ? '' : ` property="${property}"`;
}
