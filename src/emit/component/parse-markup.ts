import type { DrawnElement } from './component-types.ts';

const TOKEN =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/"'<>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /\s+([^\s=/"'<>]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Reads what this package writes, and what a project's transform makes of it: one well-formed element without prolog.
 * @returns `undefined` where the markup is something else
 */
export function parseMarkup(markup: string): DrawnElement | undefined {
  const top: DrawnElement = { name: '', attributes: {}, children: [] };
  const open = [top];
  const text = markup.trim();
  let end = 0;
  for (const [token, cdata, closed, opened, attributes = '', isEmpty, words] of text.matchAll(
    TOKEN,
  )) {
    end += token.length;
    const parent = open.at(-1);
    if (parent === undefined) return undefined;
    if (opened !== undefined) {
      const read = parseAttributes(attributes);
      if (read === undefined) return undefined;
      const element = { name: opened, attributes: read, children: [] };
      parent.children.push(element);
      if (isEmpty === '') open.push(element);
    } else if (closed !== undefined) {
      if (open.pop()?.name !== closed) return undefined;
    } else {
      const said = cdata ?? decode(words ?? '');
      if (said !== '') parent.children.push(said);
    }
  }
  const [root, ...others] = top.children;
  const isWhole = end === text.length && open.length === 1 && others.length === 0;
  return isWhole && typeof root === 'object' ? root : undefined;
}

function parseAttributes(text: string): Record<string, string> | undefined {
  const attributes: Record<string, string> = {};
  let end = 0;
  for (const [token, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    end += token.length;
    attributes[name] = decode(double ?? single ?? '');
  }
  return text.slice(end).trim() === '' ? attributes : undefined;
}

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole, decimal, hex, name: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
