import type { XastElement } from 'svgo';

/** Every element of the tree, parents before children. Depth is bounded before anything is parsed. */
export function walkElements(
  node: XastElement,
  visit: (element: XastElement, parent: XastElement | undefined) => void,
  parent?: XastElement,
): void {
  visit(node, parent);
  for (const child of node.children) if (child.type === 'element') walkElements(child, visit, node);
}

/** All text inside the element, as one string. */
export function textContent(node: XastElement): string {
  return node.children
    .map((child) =>
      child.type === 'element'
        ? textContent(child)
        : child.type === 'text' || child.type === 'cdata'
          ? child.value
          : '',
    )
    .join('');
}

export function removeElements(
  node: XastElement,
  isRemoved: (element: XastElement) => boolean,
): void {
  node.children = node.children.filter((child) => child.type !== 'element' || !isRemoved(child));
  for (const child of node.children) if (child.type === 'element') removeElements(child, isRemoved);
}
