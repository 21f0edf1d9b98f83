import type { XastElement } from 'svgo';
import { cleanText } from './clean-text.ts';
import { textContent } from './walk.ts';

// Words of a notice, not of a drawing: a letter or a number drawn as text stays part of the icon.
const CREDIT =
  /\b(?:created|designed|made|drawn|illustrated|icons?|art(?:work)?)\s+by\b|^\s*from\s+(?:the\s+)?\w|\bnoun\s+project\b|©|\(c\)\s|\bcopyright\b|\blicen[cs]ed?\b|\bcreative\s+commons\b|\bCC[ -]BY\b|\battribution\b|https?:\/\//i;

/** The outermost text elements that hold a credit, and their words. */
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
    for (const child of node.children) if (child.type === 'element') visit(child);
  };
  visit(svg);
  return { elements, words };
}
