import { parseDocument, DomUtils } from 'htmlparser2';
import type { Framework } from './renderers.ts';

export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** What a page holds: `[tag, attributes, children]`, texts as they are read. */
export type Read = string | [tag: string, attributes: Record<string, string>, children: Read[]];

/** The element around the list, as a parser reads it. */
export function readRoot(html: string, framework: Framework): Element {
  const outer = onlyElement(parseDocument(html).children);
  return framework === 'web-component' ? onlyElement(outer.children) : outer;
}

function onlyElement(nodes: Element['children']): Element {
  const [element, ...others] = nodes.flatMap((node) => ('attribs' in node ? [node] : []));
  if (element === undefined || others.length > 0) throw new Error('This is not one element.');
  return element;
}

export function readElement({ name, attribs, children }: Element): Read {
  const read = children.flatMap((child): Read[] => {
    if ('attribs' in child) return [readElement(child)];
    // Comments are marks of the frameworks.
    return 'data' in child && child.nodeType === TEXT ? [child.data] : [];
  });
  return [name, attribs, read];
}

const TEXT = 3;

/** Texts of all elements of a kind. */
export function textsOf(root: Element, tag: string): string[] {
  return DomUtils.getElementsByTagName(tag, root).map((element) =>
    DomUtils.textContent(element).replaceAll('\n', ''),
  );
}

export function elementsOf(root: Element): Element[] {
  const elements: Element[] = [root];
  for (const element of DomUtils.getElementsByTagName('*', root)) elements.push(element);
  return elements;
}
