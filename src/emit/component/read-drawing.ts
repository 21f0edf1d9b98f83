import { readAttributes, readTokens } from '../../markup/tokens.ts';
import type { SvgMaster, SvgTemplate } from '../../types.ts';
import type { Drawing, DrawnElement, Slotted } from './shared.ts';

/** Stand for the slots while markup is text. No drawing holds them: they are no characters. */
const MARKS = ['\ufdd0', '\ufdd1'] as const;
const MARK = /([\ufdd0\ufdd1])/;

/** Each component writes these itself, unless a transform has changed them. */
const OWN: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  role: 'img',
  'aria-hidden': 'true',
};
const COLORS = new Set(['fill', 'stroke', 'stop-color', 'flood-color', 'lighting-color', 'color']);

export function drawingOfMaster({ viewBox, width, height, root, body }: SvgMaster): Drawing {
  const element = parseMarkup(`<svg${marked(root)}>${marked(body)}</svg>`);
  // What the sanitiser wrote is well-formed.
  if (element === undefined) throw new TypeError('The drawing of an icon cannot be read');
  openSlots(element, toSlots);
  const { attributes, children } = element;
  return { viewBox, ratio: round(width / height), attributes, children };
}

/**
 * The same from finished markup, which a project's transform may have changed: every id is a slot, and so is a colour
 * that is the icon's.
 *
 * @param shown what `markup` was rendered with
 * @returns `undefined` where the markup is not one well-formed `<svg>` with a `viewBox`
 */
export function drawingOfMarkup(
  markup: string,
  shown: { paint: string; width: string; height: string; title: string | null },
): (Drawing & { class: string | null }) | undefined {
  const element = parseMarkup(markup);
  const viewBox = element?.attributes['viewBox'];
  if (element?.name !== 'svg' || typeof viewBox !== 'string') return undefined;
  const ids = new Set(idsOf(element));
  openSlots(element, (name, value) => openValue(name, value, { ids, paint: shown.paint }));
  const { attributes, children } = element;
  const [, , width = Number.NaN, height = Number.NaN] = viewBox.split(/[\s,]+/).map(Number);
  const ratio = width > 0 && height > 0 ? round(width / height) : 1;
  const { viewBox: _viewBox, class: className, ...rest } = attributes;
  const { width: shownWidth, height: shownHeight } = shown;
  for (const [name, value] of Object.entries({ ...OWN, width: shownWidth, height: shownHeight }))
    if (rest[name] === value) delete rest[name];
  const [first] = children;
  const isTitle = typeof first === 'object' && first.name === 'title';
  if (isTitle && first.children[0] === shown.title) children.shift();
  return {
    viewBox,
    ratio,
    attributes: rest,
    children,
    class: typeof className === 'string' ? className : null,
  };
}

function marked(template: SvgTemplate): string {
  return template.map((part) => (typeof part === 'string' ? part : MARKS[part])).join('');
}

function toSlots(_: string, text: string): Slotted {
  const parts = text
    .split(MARK)
    .filter((part) => part !== '')
    .map((part) => (part === MARKS[0] ? 0 : part === MARKS[1] ? 1 : part));
  const [only = ''] = parts;
  if (parts.length > 1 || only === 1) return parts;
  return only;
}

function openValue(
  name: string,
  value: string,
  { ids, paint }: { ids: ReadonlySet<string>; paint: string },
): Slotted {
  if (COLORS.has(name) && value === paint) return 0;
  if (name === 'id') return [1, `-${value}`];
  const [, before = '', id = '', after = ''] =
    /^(url\(\s*["']?#|#)([^"')]+)(.*)$/.exec(value) ?? [];
  return ids.has(id) ? [before, 1, `-${id}${after}`] : value;
}

function openSlots(element: DrawnElement, open: (name: string, value: string) => Slotted): void {
  for (const [name, value] of Object.entries(element.attributes))
    if (typeof value === 'string') element.attributes[name] = open(name, value);
  for (const child of element.children) if (typeof child === 'object') openSlots(child, open);
}

function idsOf({ attributes, children }: DrawnElement): string[] {
  const { id } = attributes;
  const below = children.flatMap((child) => (typeof child === 'object' ? idsOf(child) : []));
  return typeof id === 'string' ? [id, ...below] : below;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

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
function parseMarkup(markup: string): DrawnElement | undefined {
  const top: DrawnElement = { name: '', attributes: {}, children: [] };
  const open = [top];
  const text = markup.trim();
  let at = 0;
  for (const token of readTokens(text)) {
    const parent = open.at(-1);
    if (parent === undefined) return undefined;
    const { kind, name, start, end } = token;
    if (start > at) parent.children.push(decode(text.slice(at, start)));
    at = end;
    if (kind === 'open') {
      const element: DrawnElement = { name, attributes: {}, children: [] };
      for (const attribute of readAttributes(text, token))
        element.attributes[attribute.name] = decode(attribute.written);
      parent.children.push(element);
      if (!token.empty) open.push(element);
    } else if (kind === 'close') {
      if (open.pop()?.name !== name) return undefined;
    } else if (kind === 'cdata') {
      const words = text.slice(start + '<![CDATA['.length, end - ']]>'.length);
      if (words !== '') parent.children.push(words);
    } else if (kind !== 'comment') return undefined;
  }
  const [root, ...others] = top.children;
  const isWhole = at === text.length && open.length === 1 && others.length === 0;
  return isWhole && typeof root === 'object' ? root : undefined;
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
