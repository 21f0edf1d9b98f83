import type { Credit } from '../types.ts';

/**
 * The credit as a comment for an svg file that stands alone: `<!--! “Star” by Ana, CC BY 3.0, https://… -->`.
 * The `!` is what minifiers take for a comment that must stay.
 */
export function creditComment({ credit, license, source }: Credit): string {
  const parts = [credit.line, license.name, source.url].map((part) => toCommentText(part ?? ''));
  const said = parts.filter(
    (part, index) => part !== '' && !parts.slice(0, index).join(' ').includes(part),
  );
  return `<!--! ${said.join(', ')} -->`;
}

/** One line, without what XML forbids in a comment: `--`, control characters, halves of characters. */
function toCommentText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Surrogate}\ufffe\uffff]/gu, '')
    .replace(/-(?=-)/g, '- ')
    .trim();
}

/** The file with its credit, still one document: the comment stands last in the root. */
export function withCreditComment(svg: string, credit: Credit): string {
  const end = svg.lastIndexOf('</svg>');
  const comment = creditComment(credit);
  return end === -1 ? svg + comment : svg.slice(0, end) + comment + svg.slice(end);
}
