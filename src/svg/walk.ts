import type { XastChild, XastElement } from 'svgo';

/** The elements in an element, without its texts and comments. */
export function childrenOf({ children }: { children: readonly XastChild[] }): XastElement[] {
  return children.filter((child) => child.type === 'element');
}

/** Every element of the tree, parents before children. Depth is bounded before anything is parsed. */
export function walkElements(
  node: XastElement,
  visit: (element: XastElement, parent: XastElement | undefined) => void,
  parent?: XastElement,
): void {
  visit(node, parent);
  for (const child of node.children) if (child.type === 'element') walkElements(child, visit, node);
}

/** Whether an element of the tree passes the test. */
export function hasElement(node: XastElement, test: (element: XastElement) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => hasElement(child, test));
}

/** Elements by their ids; of two with the same id the last. */
export function elementsById(svg: XastElement): Map<string, XastElement> {
  const targets = new Map<string, XastElement>();
  walkElements(svg, (node) => {
    const { id } = node.attributes;
    if (id !== undefined) targets.set(id, node);
  });
  return targets;
}

/** What a `use` and its like refer to. */
export function targetOf<Target>(
  { attributes }: XastElement,
  targets: ReadonlyMap<string, Target>,
): Target | undefined {
  return targets.get(attributes['href']?.slice(1) ?? '');
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
  for (const child of childrenOf(node)) removeElements(child, isRemoved);
}

/** A copy of an element, without its ids, in definitions of `parent`. Names of the file's own ids are already `a0`, `a1`, …. */
export function addCopy(
  parent: XastElement,
  target: XastElement,
  id: string,
  attributes: Record<string, string> = {},
): XastElement {
  const copy = structuredClone(target);
  walkElements(copy, (node) => delete node.attributes['id']);
  copy.attributes['id'] = id;
  parent.children.push({ type: 'element', name: 'defs', attributes, children: [copy] });
  return copy;
}
