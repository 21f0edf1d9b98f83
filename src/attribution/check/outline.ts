import {
  DEEPEST,
  type DrawingNode,
  type DrawingTree,
  type DrawLine,
  propertyOf,
  readDrawing,
  SHAPES,
  tracePath,
} from './trace-path.ts';

/** Cells along each side of the grid: about a tenth of a unit in the usual view box of 24. */
const SIDE = 256;
/** Cells along each side of the rough grid, one bit each, a row in four bytes. */
const ROUGH = 32;
const FINE_IN_ROUGH = SIDE / ROUGH;
/** No icon has more lines. What a drawing has beyond it is not looked at. */
const MOST_LINES = 400_000;
/** An element costs as much as this many lines, however often `use` draws it. */
const LINES_PER_ELEMENT = 10;
/** Share of rough cells that two drawings of the same icon may not have in common: rounding removes the smallest dots. */
const ROUGHLY = 0.15;

const FILL = 1;
const STROKE = 2;
/** Share of the cells of two equal outlines that may be painted otherwise. */
const PAINT = 0.05;

/** Elements whose children are drawn where they are. */
const GROUPS: ReadonlySet<string> = new Set('svg g a switch'.split(' '));

/**
 * Where the visible lines of a drawing run, on a grid over its view box. It is the same however the drawing is written:
 * as shapes or paths, with or without transforms, in any order, rounded or not.
 */
export interface Outline {
  /** Numbers of the cells, row by row. */
  cells: Uint16Array;
  /** What the shapes do that run through each: `FILL`, `STROKE` or both. */
  paints: Uint8Array;
  /** The drawing itself says what is filled and stroked; otherwise a style sheet may. */
  isPainted: boolean;
  rough: Uint32Array;
}

/** The outline of a drawing, from its `<svg>` or `<symbol>` on, as markup or as calls that make the elements. */
export function outlineIn(markup: string): Outline | undefined {
  const tree = readDrawing(markup);
  return tree.root && outlineOf(tree.root, tree);
}

interface Inherited {
  matrix: Matrix;
  isFilled: boolean;
  isStroked: boolean;
}

function outlineOf(root: DrawingNode, { styles, byId }: DrawingTree): Outline | undefined {
  const box = viewBoxOf(root);
  if (box === undefined) return undefined;
  const scale = SIDE / Math.max(box.width, box.height);
  const grid = new Uint8Array(SIDE * SIDE);
  let lines = 0;
  let isPainted = false;
  function visit(node: DrawingNode, given: Inherited, depth: number): void {
    const read = (name: string): string | undefined => propertyOf(node, name, styles);
    lines += LINES_PER_ELEMENT;
    if (depth > DEEPEST || lines > MOST_LINES) return;
    if (read('display') === 'none' || Number(read('opacity') ?? 1) === 0) return;
    const [fill, stroke] = [read('fill'), read('stroke')];
    isPainted ||= fill !== undefined || stroke !== undefined;
    const state: Inherited = {
      matrix: node === root ? given.matrix : parseTransform(read('transform') ?? '', given.matrix),
      isFilled: isPaint(fill, given.isFilled),
      isStroked: isPaint(stroke, given.isStroked),
    };
    if (node.name === 'use') {
      const target = byId.get((read('href') ?? read('xlink:href') ?? '').replace(/^#/, ''));
      if (target === undefined) return;
      const place = [1, 0, 0, 1, numberOf(node, 'x'), numberOf(node, 'y')] as const;
      const moved = { ...state, matrix: multiply(state.matrix, place) };
      // A chain of links is shorter than a nest of groups.
      for (const each of target.name === 'symbol' ? target.children : [target])
        visit(each, moved, depth + DEEPEST / 8);
    } else if (SHAPES.has(node.name)) {
      if (!state.isFilled && !state.isStroked) return;
      const [a, b, c, d, e, f] = state.matrix;
      const paint = (state.isFilled ? FILL : 0) | (state.isStroked ? STROKE : 0);
      drawShape(node, read('d'), (x1, y1, x2, y2) => {
        lines += 1;
        const [fromX, fromY] = [a * x1 + c * y1 + e, b * x1 + d * y1 + f];
        markLine(grid, paint, [fromX, fromY, a * x2 + c * y2 + e, b * x2 + d * y2 + f]);
      });
    } else if (node === root || GROUPS.has(node.name)) {
      for (const child of node.children) visit(child, state, depth + 1);
    }
  }
  const matrix: Matrix = [scale, 0, 0, scale, -box.left * scale, -box.top * scale];
  visit(root, { matrix, isFilled: true, isStroked: false }, 0);
  return fromGrid(grid, isPainted);
}

function fromGrid(grid: Uint8Array, isPainted: boolean): Outline | undefined {
  const cells: number[] = [];
  const rough = new Uint32Array(ROUGH);
  // Most of the grid is empty: four cells at a time.
  const words = new Uint32Array(grid.buffer);
  for (let word = 0; word < words.length; word += 1) {
    if (words[word] === 0) continue;
    for (let cell = word * 4; cell < word * 4 + 4; cell += 1) {
      if (grid[cell] === 0) continue;
      cells.push(cell);
      const row = Math.floor(cell / SIDE / FINE_IN_ROUGH);
      rough[row] = (rough[row] ?? 0) | (1 << Math.floor((cell % SIDE) / FINE_IN_ROUGH));
    }
  }
  if (cells.length === 0) return undefined;
  const paints = Uint8Array.from(cells, (cell) => grid[cell] ?? 0);
  return { cells: Uint16Array.from(cells), paints, isPainted, rough };
}

/** The view box, or the size; nothing can be said of a drawing with neither. */
function viewBoxOf({
  attributes,
}: DrawingNode): { left: number; top: number; width: number; height: number } | undefined {
  const written = attributes.get('viewBox') ?? attributes.get('viewbox');
  const size = ['width', 'height'].map((name) => Number.parseFloat(attributes.get(name) ?? ''));
  const [left = 0, top = 0, width = Number.NaN, height = Number.NaN] =
    written === undefined
      ? [0, 0, ...size]
      : written
          .trim()
          .split(/[\s,]+/)
          .map(Number);
  const isBox = Number.isFinite(left + top + width + height) && width > 0 && height > 0;
  return isBox ? { left, top, width, height } : undefined;
}

function isPaint(value: string | undefined, inherited: boolean): boolean {
  if (value === undefined || value === 'inherit') return inherited;
  return value !== 'none' && value !== 'transparent';
}

function numberOf({ attributes }: DrawingNode, name: string): number {
  return Number.parseFloat(attributes.get(name) ?? '') || 0;
}

function drawShape(node: DrawingNode, data: string | undefined, draw: DrawLine): void {
  const read = (name: string): number => numberOf(node, name);
  const { name } = node;
  if (name === 'path') tracePath(data?.replace(/^path\(["']?/, '') ?? '', draw);
  else if (name === 'line') draw(read('x1'), read('y1'), read('x2'), read('y2'));
  else if (name === 'rect') tracePath(rectangle(node), draw);
  else if (name === 'circle' || name === 'ellipse') {
    const [rx, ry] = name === 'circle' ? [read('r'), read('r')] : [read('rx'), read('ry')];
    const half = `a${rx} ${ry} 0 1 1`;
    tracePath(`M${read('cx') - rx} ${read('cy')}${half} ${2 * rx} 0${half} ${-2 * rx} 0z`, draw);
  } else {
    const points = node.attributes.get('points') ?? '';
    tracePath(`M${points}${name === 'polygon' ? 'z' : ''}`, draw);
  }
}

function rectangle(node: DrawingNode): string {
  const [x, y] = [numberOf(node, 'x'), numberOf(node, 'y')];
  const [width, height] = [numberOf(node, 'width'), numberOf(node, 'height')];
  if (width <= 0 || height <= 0) return '';
  const radius = (name: string, other: string): number =>
    Math.max(0, numberOf(node, node.attributes.has(name) ? name : other));
  const rx = Math.min(radius('rx', 'ry'), width / 2);
  const ry = Math.min(radius('ry', 'rx'), height / 2);
  if (rx === 0 || ry === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const corner = (dx: number, dy: number): string => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  const [w, h] = [width - 2 * rx, height - 2 * ry];
  return `M${x + rx} ${y}h${w}${corner(rx, ry)}v${h}${corner(-rx, ry)}h${-w}${corner(-rx, -ry)}v${-h}${corner(rx, -ry)}z`;
}

/** Marks every cell on the way, as far as the line is within the grid. */
function markLine(
  grid: Uint8Array,
  paint: number,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
): void {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [from, to] = [0, 1];
  for (let side = 0; side < 4; side += 1) {
    const step = side < 2 ? dx : dy;
    const start = side < 2 ? x1 : y1;
    const [pace, room] = side % 2 === 0 ? [-step, start] : [step, SIDE - start];
    if (pace < 0) from = Math.max(from, room / pace);
    else if (pace > 0) to = Math.min(to, room / pace);
    else if (!(room >= 0)) return;
  }
  if (!(from <= to)) return;
  const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from) * 2) + 1;
  for (let step = 0; step <= steps; step += 1) {
    const t = from + ((to - from) * step) / steps;
    const column = Math.min(SIDE - 1, Math.max(0, Math.floor(x1 + dx * t)));
    const row = Math.min(SIDE - 1, Math.max(0, Math.floor(y1 + dy * t)));
    const cell = row * SIDE + column;
    grid[cell] = (grid[cell] ?? 0) | paint;
  }
}

/** The cells of an outline and those beside them, as 1. */
export function widen({ cells }: Outline): Uint8Array {
  const wide = new Uint8Array(SIDE * SIDE);
  for (const cell of cells) {
    const column = cell % SIDE;
    const row = (cell - column) / SIDE;
    const [left, right] = [Math.max(0, column - 1), Math.min(SIDE - 1, column + 1)];
    for (let y = Math.max(0, row - 1); y <= Math.min(SIDE - 1, row + 1); y += 1)
      wide.fill(1, y * SIDE + left, y * SIDE + right + 1);
  }
  return wide;
}

/** True if every cell is one of the other outline or beside one. */
export function isWithin({ cells }: Outline, wide: Uint8Array): boolean {
  for (const cell of cells) if (wide[cell] === 0) return false;
  return true;
}

/** True for outlines that are the same, unless one shape is filled in one of them and stroked in the other. */
export function isPaintedAlike(a: Outline, b: Outline): boolean {
  if (!a.isPainted || !b.isPainted) return true;
  const grid = new Uint8Array(SIDE * SIDE);
  for (const [index, cell] of a.cells.entries()) grid[cell] = a.paints[index] ?? 0;
  let otherwise = 0;
  for (const [index, cell] of b.cells.entries())
    if (grid[cell] !== 0 && grid[cell] !== b.paints[index]) otherwise += 1;
  return otherwise <= b.cells.length * PAINT;
}

/** True for drawings that may be the same icon: most of what each draws is where the other draws. */
export function isRoughly(a: Outline, b: Outline): boolean {
  return isMostlyWithin(a.rough, b.rough) && isMostlyWithin(b.rough, a.rough);
}

function isMostlyWithin(inner: Uint32Array, outer: Uint32Array): boolean {
  let [all, outside] = [0, 0];
  for (let row = 0; row < ROUGH; row += 1) {
    const rows = (outer[row - 1] ?? 0) | (outer[row] ?? 0) | (outer[row + 1] ?? 0);
    const cells = inner[row] ?? 0;
    all += bitsOf(cells);
    outside += bitsOf(cells & ~(rows | (rows << 1) | (rows >>> 1)));
  }
  return outside <= all * ROUGHLY;
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/** `[a, b, c, d, e, f]` as in `matrix(…)`. */
type Matrix = readonly [number, number, number, number, number, number];

const CALL = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)/g;

/** The attribute `transform` within another one. */
function parseTransform(text: string, outer: Matrix): Matrix {
  let matrix = outer;
  for (const [, name = '', body = ''] of text.matchAll(CALL)) {
    const numbers = body.match(/[-+]?[\d.]+(?:e[-+]?\d+)?/gi)?.map(Number) ?? [];
    matrix = multiply(matrix, matrixOf(name, numbers));
  }
  return matrix;
}

function matrixOf(name: string, [a = 0, ...more]: readonly number[]): Matrix {
  const [b = 0, c = 0, d = 0, e = 0, f = 0] = more;
  const angle = (a * Math.PI) / 180;
  if (name === 'matrix') return [a, b, c, d, e, f];
  if (name === 'translate') return [1, 0, 0, 1, a, b];
  if (name === 'scale') return [a, 0, 0, more[0] ?? a, 0, 0];
  if (name === 'skewX') return [1, 0, Math.tan(angle), 1, 0, 0];
  if (name === 'skewY') return [1, Math.tan(angle), 0, 1, 0, 0];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, b - cos * b + sin * c, c - sin * b - cos * c];
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}
