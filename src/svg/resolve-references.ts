import type { XastElement } from 'svgo';
import { ANIMATIONS, URL_ATTRIBUTES } from './allow-list.ts';
import { readReference } from './grammar.ts';
import { LIMITS, type Removals, tooLargeSvg } from './refusals.ts';
import { childrenOf, removeElements, targetOf, walkElements } from './walk.ts';

const SYNC_ID = /(^|;)\s*([A-Za-z_][\w-]*)(?=\.(?:begin|end))/g;

/**
 * Makes every reference one within the file. References to nothing are removed (in a page they could find an id of the
 * page), ids without a reference are removed, the rest become `name(0)`, `name(1)`, … in document order.
 * @returns how many ids are left
 * @throws IconCatalogError SVG_TOO_LARGE
 */
export function resolveReferences(
  svg: XastElement,
  { id, removals, name }: { id: number; removals: Removals; name: (index: number) => string },
): number {
  // Most drawings have neither ids nor references.
  if (!hasLinks(svg)) return 0;
  const found = collectIds(svg, id);
  const dangling = findDangling(svg, found);
  for (const { attributes } of dangling)
    if (attributes['href'] !== undefined) removals.note('dangling-reference');
  removeElements(svg, (node) => dangling.has(node));
  const targets = new Map(
    [...found].filter(([, { holder }]) => holder === undefined || !dangling.has(holder)),
  );
  const used = new Set<string>();
  let syncs = 0;
  walkElements(svg, (node) => {
    checkHref(node, { targets, used, removals });
    for (const attribute of URL_ATTRIBUTES) checkUrl(node, { attribute, targets, used, removals });
    syncs += checkSync(node, { targets, used });
    if (syncs > LIMITS.syncs)
      throw tooLargeSvg(id, `more than ${LIMITS.syncs} animations begin with each other`);
  });
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

function hasLinks({ name, attributes, children }: XastElement): boolean {
  if (attributes['id'] !== undefined || isReference(name) || ANIMATIONS.has(name)) return true;
  for (const attribute in attributes)
    if (attribute === 'href' || attributes[attribute]?.startsWith('url(') === true) return true;
  return childrenOf({ children }).some(hasLinks);
}

/**
 * An element with an id, and the nearest `use` or `mpath` that it is or that contains it: without that one it is
 * removed, too.
 */
interface Target {
  node: XastElement;
  holder: XastElement | undefined;
}

function collectIds(svg: XastElement, id: number): Map<string, Target> {
  const targets = new Map<string, Target>();
  const visit = (node: XastElement, outer: XastElement | undefined): void => {
    const holder = isReference(node.name) ? node : outer;
    const own = node.attributes['id'];
    if (own !== undefined) {
      // Browsers find the first of two equal ids.
      if (targets.has(own) || node === svg) delete node.attributes['id'];
      else targets.set(own, { node, holder });
      if (targets.size > LIMITS.ids) throw tooLargeSvg(id, `it has more than ${LIMITS.ids} ids`);
    }
    for (const child of childrenOf(node)) visit(child, holder);
  };
  visit(svg, undefined);
  return targets;
}

/** Elements that have no meaning without the element that they refer to. */
function isReference(name: string): boolean {
  return name === 'use' || name === 'mpath';
}

/**
 * The elements that refer to nothing, and those that refer to them or into them: a chain of `use` whose last one refers
 * to nothing is removed as a whole.
 */
function findDangling(
  svg: XastElement,
  targets: ReadonlyMap<string, Target>,
): ReadonlySet<XastElement> {
  const dangling = new Set<XastElement>();
  const followers = new Map<XastElement, XastElement[]>();
  const lost: XastElement[] = [];
  const visit = (node: XastElement, outer: XastElement | undefined): void => {
    const isLink = isReference(node.name);
    if (isLink) {
      const target = targetOf(node, targets);
      if (target === undefined) lost.push(node);
      for (const leader of [target?.holder, outer]) {
        if (leader === undefined) continue;
        const others = followers.get(leader);
        if (others === undefined) followers.set(leader, [node]);
        else others.push(node);
      }
    }
    for (const child of childrenOf(node)) visit(child, isLink ? node : outer);
  };
  visit(svg, undefined);
  for (let node = lost.pop(); node !== undefined; node = lost.pop()) {
    if (dangling.has(node)) continue;
    dangling.add(node);
    for (const follower of followers.get(node) ?? []) lost.push(follower);
  }
  return dangling;
}

interface Check {
  targets: ReadonlyMap<string, Target>;
  used: Set<string>;
  removals: Removals;
}

function checkHref(node: XastElement, { targets, used, removals }: Check): void {
  const href = node.attributes['href'];
  if (href === undefined) return;
  const target = href.slice(1);
  if (targets.has(target)) used.add(target);
  else {
    removals.note('dangling-reference');
    delete node.attributes['href'];
  }
}

function checkUrl(
  node: XastElement,
  { attribute, targets, used, removals }: Check & { attribute: string },
): void {
  const value = node.attributes[attribute];
  if (value === undefined || !value.startsWith('url(') || ANIMATIONS.has(node.name)) return;
  const found = readReference(value);
  const target = targets.get(found?.id ?? '')?.node;
  const isPaint = attribute === 'fill' || attribute === 'stroke';
  if (
    found !== undefined &&
    target !== undefined &&
    !(isPaint && !PAINT_SERVERS.has(target.name))
  ) {
    used.add(found.id);
    return;
  }
  removals.note('dangling-reference');
  if (isPaint) node.attributes[attribute] = found?.rest || 'none';
  else delete node.attributes[attribute];
}

/** Browsers draw the fallback of a paint that refers to anything else. */
const PAINT_SERVERS: ReadonlySet<string> = new Set(['linearGradient', 'radialGradient', 'pattern']);

/** @returns the number of times that it waits for another animation */
function checkSync(node: XastElement, { targets, used }: Omit<Check, 'removals'>): number {
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
    if (found !== undefined)
      node.attributes[attribute] = `url(#${names.get(found.id) ?? ''}) ${found.rest}`.trimEnd();
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
