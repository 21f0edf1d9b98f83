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
  const pen = new Pen(draw);
  let previous = '';
  let command = '';
  const args: number[] = [];

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
      // A path with nothing left to close is closed too: `M4 4z` is a dot.
      pen.close();
      previous = name;
      continue;
    }
    args.length = 0;
    for (; args.length < count && at < tokens.length; at += 1) args.push(Number(tokens[at]));
    if (args.length < count || args.some((each) => Number.isNaN(each))) return;
    runCommand(pen, command, args, previous);
    previous = name;
  }
}

class Pen {
  x = 0;
  y = 0;
  #start: readonly [number, number] = [0, 0];
  #control: readonly [number, number] = [0, 0];
  readonly #draw: DrawLine;

  constructor(draw: DrawLine) {
    this.#draw = draw;
  }

  moveTo(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    this.#start = [x, y];
  }

  lineTo(x: number, y: number): void {
    this.#draw(this.x, this.y, x, y);
    [this.x, this.y] = [x, y];
  }

  /** Cubic, with the two control points. */
  curveTo(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    const { x: x0, y: y0 } = this;
    for (let piece = 1; piece <= PIECES; piece += 1) {
      const t = piece / PIECES;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      this.lineTo(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
    }
    this.#control = [x2, y2];
  }

  quadraticTo(x1: number, y1: number, x2: number, y2: number): void {
    const towards = (from: number, control: number): number => from + (2 / 3) * (control - from);
    const [ax, ay] = [towards(this.x, x1), towards(this.y, y1)];
    this.curveTo(ax, ay, towards(x2, x1), towards(y2, y1), x2, y2);
    this.#control = [x1, y1];
  }

  /** The last control point as `S` and `T` continue it. */
  mirrored(): [number, number] {
    return [2 * this.x - this.#control[0], 2 * this.y - this.#control[1]];
  }

  close(): void {
    this.lineTo(...this.#start);
  }
}

/** One command of path data with its numbers, but for `Z`. */
function runCommand(pen: Pen, command: string, args: readonly number[], previous: string): void {
  const { x, y } = pen;
  const name = command.toUpperCase();
  const [ox, oy] = command === name ? [0, 0] : [x, y];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = args;
  const after = (...names: string[]): [number, number] =>
    names.includes(previous) ? pen.mirrored() : [x, y];
  if (name === 'M') pen.moveTo(ox + a, oy + b);
  else if (name === 'L') pen.lineTo(ox + a, oy + b);
  else if (name === 'H') pen.lineTo(ox + a, y);
  else if (name === 'V') pen.lineTo(x, oy + a);
  else if (name === 'C') pen.curveTo(ox + a, oy + b, ox + c, oy + d, ox + e, oy + f);
  else if (name === 'S') pen.curveTo(...after('C', 'S'), ox + a, oy + b, ox + c, oy + d);
  else if (name === 'Q') pen.quadraticTo(ox + a, oy + b, ox + c, oy + d);
  else if (name === 'T') pen.quadraticTo(...after('Q', 'T'), ox + a, oy + b);
  else traceArc(pen, args, ox + f, oy + g);
}

/** SVG 2, B.2.4: from end points to the centre of the ellipse. */
function traceArc(pen: Pen, args: readonly number[], toX: number, toY: number): void {
  const { x, y } = pen;
  const [radiusX = 0, radiusY = 0, angleInDegrees = 0, large, sweep] = args;
  let [rx, ry] = [Math.abs(radiusX), Math.abs(radiusY)];
  if (rx === 0 || ry === 0 || (x === toX && y === toY)) return pen.lineTo(toX, toY);
  const tilt = (angleInDegrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  const [halfX, halfY] = [(x - toX) / 2, (y - toY) / 2];
  const [px, py] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  const tooFar = (px / rx) ** 2 + (py / ry) ** 2;
  if (tooFar > 1) [rx, ry] = [rx * Math.sqrt(tooFar), ry * Math.sqrt(tooFar)];
  const spread = (rx * py) ** 2 + (ry * px) ** 2;
  const root = Math.sqrt(Math.max(0, ((rx * ry) ** 2 - spread) / spread));
  const side = large === sweep ? -root : root;
  const [qx, qy] = [(side * rx * py) / ry, (-side * ry * px) / rx];
  const centerX = cos * qx - sin * qy + (x + toX) / 2;
  const centerY = sin * qx + cos * qy + (y + toY) / 2;
  const from = Math.atan2((py - qy) / ry, (px - qx) / rx);
  let turn = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - from;
  if (sweep === 0 && turn > 0) turn -= 2 * Math.PI;
  if (sweep !== 0 && turn < 0) turn += 2 * Math.PI;
  const pieces = Math.max(2, Math.ceil((Math.abs(turn) / Math.PI) * 2 * PIECES));
  for (let piece = 1; piece < pieces; piece += 1) {
    const angle = from + (turn * piece) / pieces;
    const [ex, ey] = [rx * Math.cos(angle), ry * Math.sin(angle)];
    pen.lineTo(centerX + cos * ex - sin * ey, centerY + sin * ex + cos * ey);
  }
  pen.lineTo(toX, toY);
}

/** An element of a drawing, as far as its geometry asks. */
export interface DrawingNode {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: DrawingNode[];
}

export interface DrawingTree {
  root: DrawingNode | undefined;
  byId: ReadonlyMap<string, DrawingNode>;
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
  for (const rule of css.split('}')) {
    const [body = '', selectors = ''] = rule.split('{').toReversed();
    for (const [, name = ''] of selectors.matchAll(/(?:^|,)\s*\.([\w-]+)\s*(?=,|$)/g))
      styles.set(name, `${styles.get(name) ?? ''};${body}`);
  }
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
