import type { CreditsNode } from './describe-list.ts';

/** Elements as nodes of a document. */
export function buildNode(node: CreditsNode): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const element = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  element.append(...node.children.map(buildNode));
  return element;
}
