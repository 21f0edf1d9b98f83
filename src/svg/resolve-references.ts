import type { XastElement } from 'svgo';
import { ANIMATIONS, URL_ATTRIBUTES } from './allowed.ts';
import { readReference } from './grammar.ts';
import { LIMITS, tooLargeSvg } from './limits.ts';
import type { Removals } from './removals.ts';
import { removeElements, walkElements } from './walk.ts';

const SYNC_ID = /(^|;)\s*([A-Za-z_][\w-]*)(?=\.(?:begin|end))/g;

/**
 * Makes every reference one within the file: what leads nowhere is taken out (in a page it could find an id of the page),
 * ids that nobody refers to go, the rest become `name(0)`, `name(1)`, … in document order.
 * @returns how many ids are left
 * @throws IconCatalogError SVG_TOO_LARGE
 */
export function resolveReferences(
  svg: XastElement,
  { id, removals, name }: { id: number; removals: Removals; name: (index: number) => string },
): number {
  const targets = collectIds(svg, id);
  const dangling = new Set<XastElement>();
  const used = new Set<string>();
  let syncs = 0;
  walkElements(svg, (node) => {
    if (!checkHref(node, { targets, used, removals })) dangling.add(node);
    for (const attribute of URL_ATTRIBUTES) checkUrl(node, { attribute, targets, used, removals });
    syncs += checkSync(node, { targets, used });
    if (syncs > LIMITS.syncs)
      throw tooLargeSvg(id, `more than ${LIMITS.syncs} animations begin with each other`);
  });
  removeElements(svg, (node) => dangling.has(node));
  const names = new Map<string, string>();
  walkElements(svg, (node) => {
    const own = node.attributes['id'];
    if (own === undefined) return;
    if (!used.has(own)) delete node.attributes['id'];
    else {
      const fresh = name(names.size);
      names.set(own, fresh);
      node.attributes['id'] = fresh;
    }
  });
  walkElements(svg, (node) => rename(node, names));
  return names.size;
}

function collectIds(svg: XastElement, id: number): Map<string, XastElement> {
  const targets = new Map<string, XastElement>();
  walkElements(svg, (node) => {
    const own = node.attributes['id'];
    if (own === undefined) return;
    // The first of two equal ids is the one that browsers find.
    if (targets.has(own) || node === svg) delete node.attributes['id'];
    else targets.set(own, node);
    if (targets.size > LIMITS.ids) throw tooLargeSvg(id, `it has more than ${LIMITS.ids} ids`);
  });
  return targets;
}

interface Check {
  targets: ReadonlyMap<string, XastElement>;
  used: Set<string>;
  removals?: Removals;
}

/** False where the element is nothing without the reference that it lost. */
function checkHref(node: XastElement, { targets, used, removals }: Check): boolean {
  const href = node.attributes['href'];
  const target = href?.slice(1);
  if (target !== undefined && targets.has(target)) used.add(target);
  else {
    if (href !== undefined) removals?.note('dangling-reference');
    delete node.attributes['href'];
    return node.name !== 'use' && node.name !== 'mpath';
  }
  return true;
}

function checkUrl(
  node: XastElement,
  { attribute, targets, used, removals }: Check & { attribute: string },
): void {
  const value = node.attributes[attribute];
  if (value === undefined || !value.startsWith('url(') || ANIMATIONS.has(node.name)) return;
  const found = readReference(value);
  if (found !== undefined && targets.has(found.id)) {
    used.add(found.id);
    node.attributes[attribute] = `url(#${found.id})`;
    return;
  }
  removals?.note('dangling-reference');
  if (attribute === 'fill' || attribute === 'stroke')
    node.attributes[attribute] = found?.rest || 'none';
  else delete node.attributes[attribute];
}

/** @returns how many times it waits for another animation */
function checkSync(node: XastElement, { targets, used }: Check): number {
  if (!ANIMATIONS.has(node.name)) return 0;
  let count = 0;
  for (const attribute of ['begin', 'end']) {
    const ids = [...(node.attributes[attribute] ?? '').matchAll(SYNC_ID)].map(
      (match) => match[2] ?? '',
    );
    count += ids.length;
    if (ids.every((target) => targets.has(target))) for (const target of ids) used.add(target);
    else delete node.attributes[attribute];
  }
  return count;
}

function rename(node: XastElement, names: ReadonlyMap<string, string>): void {
  const href = node.attributes['href'];
  if (href !== undefined) node.attributes['href'] = `#${names.get(href.slice(1)) ?? ''}`;
  for (const attribute of URL_ATTRIBUTES) {
    const value = node.attributes[attribute];
    const found = value?.startsWith('url(') ? readReference(value) : undefined;
    if (found !== undefined) node.attributes[attribute] = `url(#${names.get(found.id) ?? ''})`;
  }
  if (!ANIMATIONS.has(node.name)) return;
  for (const attribute of ['begin', 'end']) {
    const value = node.attributes[attribute];
    if (value !== undefined)
      node.attributes[attribute] = value.replaceAll(
        SYNC_ID,
        (_match, before: string, target: string) => `${before}${names.get(target) ?? ''}`,
      );
  }
}
