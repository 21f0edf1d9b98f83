import type { XastElement, XastRoot } from 'svgo';
import { textContent } from './walk.ts';

const ADDRESS =
  /https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/[\w./-]{1,60}/g;
/** A file that names more of them says nothing certain. */
const MOST = 8;

/** Addresses of licences in the metadata of a file as it was parsed; metadata itself is dropped. */
export function findLicenseNotices(root: XastRoot): string[] {
  const found = new Set<string>();
  const visit = (node: XastElement, isInside: boolean): void => {
    const inside = isInside || /^(?:[\w.-]+:)?metadata$/i.test(node.name);
    if (inside) {
      for (const text of [...Object.values(node.attributes), textContent(node)])
        for (const [address] of text.matchAll(ADDRESS)) found.add(address);
    }
    for (const child of node.children) if (child.type === 'element') visit(child, inside);
  };
  for (const child of root.children) if (child.type === 'element') visit(child, false);
  return [...found].sort().slice(0, MOST);
}
