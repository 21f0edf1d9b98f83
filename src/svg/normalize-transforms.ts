import type { XastElement } from 'svgo';
import { ANIMATIONS, VIEWPORTS } from './allow-list.ts';
import type { CanvasSize } from './expansion.ts';
import { readNumbers } from './grammar.ts';
import { hasElement, walkElements } from './walk.ts';

/** Where they lie on either axis, as a part of the box. */
const SIDES: Readonly<Record<string, number>> = {
  left: 0,
  top: 0,
  center: 0.5,
  right: 1,
  bottom: 1,
};

/**
 * Writes a `transform-origin` into the `transform` beside it, which svgo would carry on without it.
 * @returns false if some origin depends on a box that only a renderer knows
 */
export function foldOrigins(svg: XastElement, canvas: CanvasSize): boolean {
  let isFolded = true;
  // An animation may put another transform there, about the same origin.
  if (hasElement(svg, ({ name }) => ANIMATIONS.has(name))) return false;
  const visit = (node: XastElement, isInner: boolean): void => {
    const { attributes } = node;
    const { transform, 'transform-origin': written } = attributes;
    const isPaint = 'gradientTransform' in attributes || 'patternTransform' in attributes;
    if (transform === undefined && !isPaint) delete attributes['transform-origin'];
    else if (transform !== undefined && written !== undefined) {
      const origin = readOrigin(written, isInner ? undefined : canvas);
      if (origin === undefined) isFolded = false;
      else {
        const [x, y] = origin;
        attributes['transform'] = `translate(${x} ${y}) ${transform} translate(${-x} ${-y})`;
        delete attributes['transform-origin'];
      }
    }
    const isViewport = node !== svg && VIEWPORTS.has(node.name);
    for (const child of node.children)
      if (child.type === 'element') visit(child, isInner || isViewport);
  };
  visit(svg, false);
  return isFolded;
}

/** In user units. @param canvas what percentages are of; undefined if it is not known */
function readOrigin(
  written: string,
  canvas: CanvasSize | undefined,
): readonly [number, number] | undefined {
  const words = written.toLowerCase().split(/[\s,]+/);
  // Words may stand in either order: `top left` is `left top`.
  if (/^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? ''))
    words.splice(0, 2, words[1] ?? 'center', words[0] ?? 'center');
  const lengths = [canvas?.width, canvas?.height].map((size, axis) => {
    const word = words[axis] ?? 'center';
    const side = SIDES[word];
    if (side !== undefined) return size === undefined ? Number.NaN : side * size;
    const match = /^([-+\d.e]+?)(px|%)?$/.exec(word);
    const [number = Number.NaN] = readNumbers(match?.[1] ?? '') ?? [];
    return match?.[2] === '%' ? (number * (size ?? Number.NaN)) / 100 : number;
  });
  const [x = Number.NaN, y = Number.NaN] = lengths;
  return Number.isNaN(x + y) ? undefined : [x, y];
}

/** WebKit ignores the transform of a nested `<svg>`: a group around it has it instead. */
export function wrapNested(svg: XastElement): void {
  walkElements(svg, (node) => {
    if (node === svg || node.name !== 'svg' || node.attributes['transform'] === undefined) return;
    const outer: Record<string, string> = {};
    const inner: Record<string, string> = {};
    for (const [name, value] of Object.entries(node.attributes))
      (OF_WHOLE.has(name) ? outer : inner)[name] = value;
    const nested: XastElement = { ...node, attributes: inner };
    node.name = 'g';
    node.attributes = outer;
    node.children = [nested];
  });
}

const OF_WHOLE: ReadonlySet<string> = new Set([
  'id',
  'systemLanguage',
  'transform',
  'transform-origin',
]);
