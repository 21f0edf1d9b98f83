/** `[a, b, c, d, e, f]` as in `matrix(…)`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Receives straight pieces of a line, in the coordinates of the path. */
export type DrawLine = (x1: number, y1: number, x2: number, y2: number) => void;

const PATH_TOKEN = /[MmLlHhVvCcSsQqTtAaZz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
/** An arc's two flags may be written without a space: `a1 1 0 011 1`. */
const ARC = /[Aa][^MmLlHhVvCcSsQqTtZzAa]*/g;
const ARC_FLAGS =
  /((?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[\s,]*){3})([01])[\s,]*([01])[\s,]*((?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[\s,]*){2})/g;
const COUNT: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
};
/** A curve is drawn as this many straight pieces. */
const PIECES = 12;

/** Draws path data as straight lines. What follows a mistake in the data is not drawn, as in browsers. */
export function tracePath(data: string, draw: DrawLine): void {
  const tokens =
    data.replaceAll(ARC, (arc) => arc.replaceAll(ARC_FLAGS, '$1 $2 $3 $4 ')).match(PATH_TOKEN) ??
    [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  /** The last control point, which `S` and `T` mirror. */
  let [controlX, controlY] = [0, 0];
  let previous = '';
  let command = '';
  const args: number[] = [];

  const lineTo = (toX: number, toY: number): void => {
    draw(x, y, toX, toY);
    [x, y] = [toX, toY];
  };
  const curveTo = (
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    x3: number,
    y3: number,
  ): void => {
    const [x0, y0] = [x, y];
    for (let piece = 1; piece <= PIECES; piece += 1) {
      const t = piece / PIECES;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      lineTo(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
    }
    [controlX, controlY] = [x2, y2];
  };
  const quadraticTo = (x1: number, y1: number, x2: number, y2: number): void => {
    const [x0, y0] = [x, y];
    curveTo(
      x0 + (2 / 3) * (x1 - x0),
      y0 + (2 / 3) * (y1 - y0),
      x2 + (2 / 3) * (x1 - x2),
      y2 + (2 / 3) * (y1 - y2),
      x2,
      y2,
    );
    [controlX, controlY] = [x1, y1];
  };

  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? '';
    if (/[A-Za-z]/.test(token)) {
      command = token;
      at += 1;
    } else if (command === 'M') command = 'L';
    else if (command === 'm') command = 'l';
    const name = command.toUpperCase();
    const count = COUNT[name];
    if (count === undefined) return;
    if (name === 'Z') {
      if (!/[A-Za-z]/.test(token)) return;
      // Also where nothing is left to close: `M4 4z` is a dot.
      lineTo(startX, startY);
      previous = name;
      continue;
    }
    args.length = 0;
    for (; args.length < count && at < tokens.length; at += 1) args.push(Number(tokens[at]));
    if (args.length < count || args.some((each) => Number.isNaN(each))) return;
    const [ox, oy] = command === name ? [0, 0] : [x, y];
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = args;
    if (name === 'M') [x, y, startX, startY] = [ox + a, oy + b, ox + a, oy + b];
    else if (name === 'L') lineTo(ox + a, oy + b);
    else if (name === 'H') lineTo(ox + a, y);
    else if (name === 'V') lineTo(x, oy + a);
    else if (name === 'C') curveTo(ox + a, oy + b, ox + c, oy + d, ox + e, oy + f);
    else if (name === 'S') {
      const mirrors = previous === 'C' || previous === 'S';
      curveTo(
        mirrors ? 2 * x - controlX : x,
        mirrors ? 2 * y - controlY : y,
        ox + a,
        oy + b,
        ox + c,
        oy + d,
      );
    } else if (name === 'Q') quadraticTo(ox + a, oy + b, ox + c, oy + d);
    else if (name === 'T') {
      const mirrors = previous === 'Q' || previous === 'T';
      quadraticTo(mirrors ? 2 * x - controlX : x, mirrors ? 2 * y - controlY : y, ox + a, oy + b);
    } else
      traceArc(
        { x, y, rx: a, ry: b, tilt: c, large: d, sweep: e, toX: ox + f, toY: oy + g },
        lineTo,
      );
    previous = name;
  }
}

interface Arc {
  x: number;
  y: number;
  rx: number;
  ry: number;
  tilt: number;
  large: number;
  sweep: number;
  toX: number;
  toY: number;
}

/** SVG 2, B.2.4: from end points to the centre of the ellipse. */
function traceArc(arc: Arc, lineTo: (x: number, y: number) => void): void {
  const { x, y, toX, toY } = arc;
  let [rx, ry] = [Math.abs(arc.rx), Math.abs(arc.ry)];
  if (rx === 0 || ry === 0 || (x === toX && y === toY)) {
    lineTo(toX, toY);
    return;
  }
  const tilt = (arc.tilt * Math.PI) / 180;
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  const [halfX, halfY] = [(x - toX) / 2, (y - toY) / 2];
  const [px, py] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  const tooFar = (px / rx) ** 2 + (py / ry) ** 2;
  if (tooFar > 1) [rx, ry] = [rx * Math.sqrt(tooFar), ry * Math.sqrt(tooFar)];
  const spread = (rx * py) ** 2 + (ry * px) ** 2;
  const root = Math.sqrt(Math.max(0, ((rx * ry) ** 2 - spread) / spread));
  const side = arc.large === arc.sweep ? -root : root;
  const [qx, qy] = [(side * rx * py) / ry, (-side * ry * px) / rx];
  const centerX = cos * qx - sin * qy + (x + toX) / 2;
  const centerY = sin * qx + cos * qy + (y + toY) / 2;
  const from = Math.atan2((py - qy) / ry, (px - qx) / rx);
  let turn = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - from;
  if (arc.sweep === 0 && turn > 0) turn -= 2 * Math.PI;
  if (arc.sweep !== 0 && turn < 0) turn += 2 * Math.PI;
  const pieces = Math.max(2, Math.ceil((Math.abs(turn) / Math.PI) * 2 * PIECES));
  for (let piece = 1; piece < pieces; piece += 1) {
    const angle = from + (turn * piece) / pieces;
    const [ex, ey] = [rx * Math.cos(angle), ry * Math.sin(angle)];
    lineTo(centerX + cos * ex - sin * ey, centerY + sin * ex + cos * ey);
  }
  lineTo(toX, toY);
}

const CALL = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g;

/** The attribute `transform` within another one. */
export function parseTransform(text: string, outer: Matrix): Matrix {
  let matrix = outer;
  for (const [, name = '', body = ''] of text.matchAll(CALL)) {
    const [a = 0, b, c, d = 0, e = 0, f = 0] =
      body.match(/[-+]?[\d.]+(?:e[-+]?\d+)?/gi)?.map(Number) ?? [];
    if (name === 'matrix') matrix = multiply(matrix, [a, b ?? 0, c ?? 0, d, e, f]);
    else if (name === 'translate') matrix = multiply(matrix, [1, 0, 0, 1, a, b ?? 0]);
    else if (name === 'scale') matrix = multiply(matrix, [a, 0, 0, b ?? a, 0, 0]);
    else if (name === 'rotate') {
      const [cos, sin] = [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)];
      const [x, y] = [b ?? 0, c ?? 0];
      matrix = multiply(matrix, [
        cos,
        sin,
        -sin,
        cos,
        x - cos * x + sin * y,
        y - sin * x - cos * y,
      ]);
    } else {
      const slope = Math.tan((a * Math.PI) / 180);
      matrix = multiply(matrix, name === 'skewX' ? [1, 0, slope, 1, 0, 0] : [1, slope, 0, 1, 0, 0]);
    }
  }
  return matrix;
}

export function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** An element of a drawing, as far as its geometry asks. */
export interface DrawingNode {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: DrawingNode[];
}

export interface DrawingTree {
  /** The first `<svg>` or `<symbol>`. */
  root: DrawingNode | undefined;
  byId: ReadonlyMap<string, DrawingNode>;
  /** Declarations by class name. */
  styles: ReadonlyMap<string, string>;
}

export const SHAPES: ReadonlySet<string> = new Set(
  'path rect circle ellipse line polyline polygon use'.split(' '),
);
/** Elements inside of elements, and links of `use`, are followed this far. */
export const DEEPEST = 64;

const NAMES = `svg|symbol|g|defs|${[...SHAPES].join('|')}`;
const TAG_TOKEN = new RegExp(
  [
    '<!--[^]*?(?:-->|$)',
    String.raw`<style\b[^>]*>(?<style>[^]*?)</style`,
    `<(?<slash>/?)(?<tag>[a-z][\\w:-]*)(?<inTag>(?:[^"'\`<>]|"[^"]*"|'[^']*'|\`[^\`]*\`)*)>?`,
    // A call that makes an element: `h("path", { d: "…" })`.
    `["'\`](?<called>${NAMES})["'\`](?=\\s*[,)\\]])(?<inCall>[^<]*?)(?=["'\`](?:${NAMES})["'\`]|<|$)`,
  ].join('|'),
  'gi',
);
const ATTRIBUTE =
  /(?<![\w-])["']?([a-z][\w:-]*)["']?\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|(-?[\w.#][\w.#%-]*))/gi;

/** Reads markup, or code that makes the elements. Lenient: neither has to be whole. */
export function readDrawing(markup: string): DrawingTree {
  const stack: DrawingNode[] = [{ name: '', attributes: new Map(), children: [] }];
  const styles = new Map<string, string>();
  const byId = new Map<string, DrawingNode>();
  let root: DrawingNode | undefined;
  for (const { groups = {} } of markup.matchAll(TAG_TOKEN)) {
    const { style, slash, tag, inTag = '', called, inCall = '' } = groups;
    if (style !== undefined) readStyles(style, styles);
    const name = tag ?? called;
    if (name === undefined) continue;
    if (slash === '/') {
      const open = stack.findLastIndex((each) => each.name === name);
      if (open > 0) stack.length = open;
      continue;
    }
    const isRoot = name === 'svg' || name === 'symbol';
    // Calls do not show where a group ends: it does so where the next one begins.
    if (called === 'g') stack.length = Math.min(stack.length, 2);
    const attributes = attributesOf(tag === undefined ? inCall : inTag);
    const node: DrawingNode = { name, attributes, children: [] };
    stack.at(-1)?.children.push(node);
    const id = attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, node);
    if (isRoot) root ??= node;
    const isOpen =
      tag === undefined ? isRoot || name === 'g' : !SHAPES.has(name) && !inTag.endsWith('/');
    if (isOpen && stack.length < DEEPEST) stack.push(node);
  }
  return { root, byId, styles };
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', a, b, c, d] of text.matchAll(ATTRIBUTE))
    if (!attributes.has(name)) attributes.set(name, a ?? b ?? c ?? d ?? '');
  return attributes;
}

/** `.a,.b{fill:none}` */
function readStyles(css: string, styles: Map<string, string>): void {
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const [, name = ''] of selectors.matchAll(/(?:^|,)\s*\.([\w-]+)\s*(?=,|$)/g))
      styles.set(name, `${styles.get(name) ?? ''};${body}`);
}

/** The value of an attribute, or of the declaration that overrules it. */
export function propertyOf(
  { attributes }: DrawingNode,
  name: string,
  styles: ReadonlyMap<string, string>,
): string | undefined {
  const classes = styles.size === 0 ? [] : (attributes.get('class')?.split(/\s+/) ?? []);
  const css = [...classes.map((each) => styles.get(each) ?? ''), attributes.get('style') ?? ''];
  const declared = css
    .join(';')
    .split(';')
    .findLast((each) => each.slice(0, each.indexOf(':')).trim() === name);
  return declared === undefined
    ? attributes.get(name)?.trim()
    : declared.slice(declared.indexOf(':') + 1).trim();
}
