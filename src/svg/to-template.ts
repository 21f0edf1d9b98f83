import type { XastElement } from 'svgo';
import type { SvgTemplate } from '../types.ts';
import { ANIMATIONS, COLOR_ATTRIBUTES, URL_ATTRIBUTES } from './allow-list.ts';
import { SENTINEL } from './render-svg.ts';
import { escapeAttribute, escapeText } from './text.ts';
import { walkElements } from './walk.ts';

/** Precedes an id until the namespace is known. No grammar and no text allows it. */
export const ID_MARK = '\ufdd1';
const COLOR_MARK = '\ufdd0';
const MARKS = /([\ufdd0\ufdd1])/;

const SLOT = `#${SENTINEL}`;

export interface TemplateParts {
  root: SvgTemplate;
  body: SvgTemplate;
}

/** The locked-down tree as markup with open slots; attributes that hold the sentinel become the colour. */
export function toTemplate(svg: XastElement, { withColor }: { withColor: boolean }): TemplateParts {
  const children = svg.children
    .map((child) => (child.type === 'element' ? writeElement(child, withColor) : ''))
    .join('');
  return { root: splitMarks(writeAttributes(svg, withColor)), body: splitMarks(children) };
}

function writeElement(node: XastElement, withColor: boolean): string {
  const open = `<${node.name}${writeAttributes(node, withColor)}`;
  const children = node.children
    .map((child) =>
      child.type === 'element'
        ? writeElement(child, withColor)
        : child.type === 'text'
          ? escapeText(child.value)
          : '',
    )
    .join('');
  return children === '' ? `${open}/>` : `${open}>${children}</${node.name}>`;
}

function writeAttributes(node: XastElement, withColor: boolean): string {
  let written = '';
  for (const [name, value] of Object.entries(node.attributes)) {
    if (name !== 'xmlns') written += ` ${name}="${writeValue(node, { name, value, withColor })}"`;
  }
  return written;
}

function writeValue(
  node: XastElement,
  { name, value, withColor }: { name: string; value: string; withColor: boolean },
): string {
  const animates = ANIMATIONS.has(node.name);
  if (name === 'id') return ID_MARK + escapeAttribute(value);
  if (name === 'href') return `#${ID_MARK}${escapeAttribute(value.slice(1))}`;
  if (animates && (name === 'begin' || name === 'end'))
    return value.replaceAll(/(^|;)(?=-\d+\.(?:begin|end))/g, `$1${ID_MARK}`);
  if (URL_ATTRIBUTES.has(name) && value.startsWith('url(#')) {
    const text = `url(#${ID_MARK}${escapeAttribute(value.slice(5))}`;
    return withColor && text.endsWith(` ${SLOT}`) ? text.slice(0, -SLOT.length) + COLOR_MARK : text;
  }
  if (withColor) {
    if (!animates && COLOR_ATTRIBUTES.includes(name) && value === SLOT) return COLOR_MARK;
    if (animates && COLOR_ATTRIBUTES.includes(node.attributes['attributeName'] ?? ''))
      return value
        .split(';')
        .map((item) => (item === SLOT ? COLOR_MARK : item))
        .join(';');
  }
  return escapeAttribute(
    COLOR_ATTRIBUTES.includes(name) ? value.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3') : value,
  );
}

function splitMarks(text: string): SvgTemplate {
  return text
    .split(MARKS)
    .filter((part) => part !== '')
    .map((part) => (part === COLOR_MARK ? 0 : part === ID_MARK ? 1 : part));
}

const GEOMETRY: ReadonlySet<string> = new Set(
  'points cx cy r rx ry x y x1 y1 x2 y2 width height'.split(' '),
);
const MOST_PATHS = 16;
const LONGEST = 64;

/**
 * The fingerprint that finds this drawing in the bytes of a bundle, without white space and commas: the first sixteen
 * different pieces of its path data in the order of the drawing, `M12h3|M45z`; of one with more than 64 characters the
 * first 64, `~` and how many it has. A drawing without path data has its other geometry, `cx=12;cy=12;r=9`.
 */
export function fingerprint(svg: XastElement): string {
  const paths = new Set<string>();
  const geometry: string[] = [];
  walkElements(svg, (element) => {
    if (element === svg) return;
    for (const [name, written] of Object.entries(element.attributes)) {
      if (name !== 'd' && !GEOMETRY.has(name)) continue;
      const value = written.replaceAll(/[\s,]/g, '');
      if (name !== 'd') geometry.push(`${name}=${value}`);
      else if (value !== '') paths.add(shorten(value));
    }
  });
  return paths.size > 0 ? [...paths].slice(0, MOST_PATHS).join('|') : geometry.join(';');
}

function shorten(path: string): string {
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}~${path.length}` : path;
}
