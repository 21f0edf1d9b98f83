import type { XastElement } from 'svgo';
import { cleanText } from './clean-text.ts';
import { textContent } from './walk.ts';

// Words of a notice, not of a drawing: a letter or a number drawn as text stays part of the icon.
const CREDIT =
  /\b(?:created|designed|made|drawn|illustrated|icons?|art(?:work)?)\s+by\b|^\s*from\s+(?:the\s+)?\w|\bnoun\s+project\b|©|\(c\)\s|\bcopyright\b|\blicen[cs]ed?\b|\bcreative\s+commons\b|\bCC[ -]BY\b|\battribution\b|\brights\s+reserved\b|\b(?:non-?commercial|personal)\s+use\b|https?:\/\//i;

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

/** True where the markup still shows all of these words, however it is written. */
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
