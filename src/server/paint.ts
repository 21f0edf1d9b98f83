/** How one shape of a document is painted, after inheritance. */
export interface ShapePaint {
  /** As written; `black` is what a shape gets that says nothing. */
  fill: string;
  stroke: string;
  /** Stroke width in units of the view box. */
  strokeWidth: number;
  /** True where nobody said a fill. */
  fillIsInherited: boolean;
}

interface Level {
  fill: string | undefined;
  stroke: string;
  width: string;
  scale: number;
  /** Inside `defs`, `clipPath` and the like: not drawn where it stands. */
  hidden: boolean;
}

/** Comments, CDATA, end tags (1: name) and start tags (2: name, 3: attributes, 4: `/` of an empty element). */
export const TAG: RegExp =
  /<(?:!--[\s\S]*?-->|!\[CDATA\[[\s\S]*?\]\]>|\/([^\s<>/="']+)\s*>|([^\s<>/="'!?]+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>)/g;
const ATTRIBUTE = /([^\s<>/="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const SHAPES = new Set([
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
]);
const UNSEEN = new Set([
  'defs',
  'clipPath',
  'mask',
  'marker',
  'pattern',
  'symbol',
  'linearGradient',
  'radialGradient',
  'filter',
]);
const MAX_DEPTH = 128;

/** Attributes of a start tag, with its `style` attribute spread over them, as CSS does. */
export function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    attributes.set(name, double ?? single ?? '');
  for (const declaration of attributes.get('style')?.split(';') ?? []) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      attributes.set(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
  }
  return attributes;
}

/** The paint of every shape that is drawn. Documents deeper than 128 levels give none. */
export function* shapePaints(svg: string): Generator<ShapePaint> {
  const stack: Level[] = [{ fill: undefined, stroke: 'none', width: '1', scale: 1, hidden: false }];
  for (const [, closing, name, rest = '', empty] of svg.matchAll(TAG)) {
    if (closing) {
      if (stack.length > 1) stack.pop();
      continue;
    }
    const parent = stack.at(-1);
    if (!name || !parent) continue;
    const attributes = readAttributes(rest);
    const level: Level = {
      fill: inherit(attributes.get('fill'), parent.fill),
      stroke: inherit(attributes.get('stroke'), parent.stroke) ?? 'none',
      width: inherit(attributes.get('stroke-width'), parent.width) ?? '1',
      scale: parent.scale * scaleOf(attributes.get('transform')),
      hidden: parent.hidden || UNSEEN.has(name),
    };
    if (!level.hidden && SHAPES.has(name)) {
      const stroke = Number.parseFloat(level.width) > 0 ? level.stroke : 'none';
      yield {
        fill: level.fill ?? 'black',
        fillIsInherited: level.fill === undefined,
        stroke,
        strokeWidth: Number.parseFloat(level.width) * level.scale,
      };
    }
    if (!empty && stack.push(level) > MAX_DEPTH) return;
  }
}

function inherit(own: string | undefined, inherited: string | undefined): string | undefined {
  return own === undefined || own === 'inherit' ? inherited : own;
}

/** Mean scale of a transform list: the square root of the area that it makes of one unit. */
function scaleOf(transform: string | undefined): number {
  let area = 1;
  for (const [, kind, list = ''] of transform?.matchAll(/(scale|matrix)\s*\(([^)]*)\)/g) ?? []) {
    const [a = 1, b = a, c = 0, d = 1] = list
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
    area *= kind === 'scale' ? a * b : a * d - b * c;
  }
  return Number.isFinite(area) ? Math.sqrt(Math.abs(area)) : 1;
}
