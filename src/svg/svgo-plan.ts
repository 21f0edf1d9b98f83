import type { Config, PluginConfig, XastElement } from 'svgo';
import { SHAPES, TEXT_ELEMENTS } from './allow-list.ts';
import { readNumbers } from './grammar.ts';
import { LIMITS } from './refusals.ts';
import { childrenOf, walkElements } from './walk.ts';

export interface DrawingSize {
  elements: number;
  characters: number;
  longestAttribute: number;
  hasAnimation: boolean;
}

/** The steps of svgo that run between ours. The precision and the exceptions are those that changed no rendering. */
export function planSvgo(
  optimize: boolean | Config,
  { size, overrides }: { size: DrawingSize; overrides: Overrides },
): PluginConfig[] {
  // An animated drawing looks different from its state at rest.
  if (optimize === false || size.hasAnimation) return [];
  const isSlow =
    size.elements > LIMITS.slowElements ||
    size.characters > LIMITS.slowCharacters ||
    size.longestAttribute > LIMITS.slowPath ||
    size.characters * size.longestAttribute > LIMITS.slowProduct;
  if (optimize === true) return isSlow ? LINEAR : [safePreset(overrides)];
  const plugins = (optimize.plugins ?? ['preset-default']).map((plugin) =>
    withPrecision(plugin, optimize.floatPrecision),
  );
  return isSlow ? plugins.flatMap(onlyLinear) : plugins;
}

/** Parameters of built-in plugins, `false` for none, of the preset; our own visitor adds those that a drawing needs. */
export type Overrides = Record<string, false | Record<string, boolean>>;

const none = (names: string): Record<string, false> =>
  Object.fromEntries(names.split(' ').map((name) => [name, false]));

/** Keeps what defines the box of a group: filters, masks and clips may be relative to it. */
const KEEP_INVISIBLE = none(
  'isHidden opacity0 circleR0 ellipseRX0 ellipseRY0 rectWidth0 rectHeight0 pathEmptyD polylineEmptyPoints polygonEmptyPoints',
);
/** Plugins that look for what was removed before they run. Each of them would walk over the whole drawing. */
const NOTHING_LEFT = none(
  'removeDoctype removeXMLProcInst removeComments removeDeprecatedAttrs removeMetadata removeEditorsNSData removeDesc cleanupEnableBackground removeUnusedNS',
);
/** Plugins that find nothing in a drawing of shapes alone, as most icons are. */
const NO_GROUPS = none(
  'removeUselessDefs removeNonInheritableGroupAttrs removeEmptyText moveElemsAttrsToGroup collapseGroups convertTransform removeEmptyContainers sortDefsChildren',
);

/** What svgo 4.1.0 would draw differently in this drawing, and what it need not look for. */
export function findOverrides(
  svg: XastElement,
  { hasOrigins }: { hasOrigins: boolean },
): Overrides {
  const { names, attributes, isSpaced, isShown, isRelative } = contentOf(svg);
  const hasTransform = attributes.has('transform');
  // The sanitiser has left what SVG has. svgo has an older list, without a `pathLength` of circles.
  const unknowns: Record<string, boolean> = { unknownAttrs: false, unknownContent: false };
  const found: Overrides = { ...NOTHING_LEFT, removeUnknownsAndDefaults: unknowns };
  if (
    !hasTransform &&
    [...names].every((name) => name === 'svg' || (SHAPES.has(name) && !TEXT_ELEMENTS.has(name)))
  )
    Object.assign(found, NO_GROUPS);
  if (!isSpaced) found['cleanupAttrs'] = false;
  if (!CONVERTED.some((name) => names.has(name))) found['convertShapeToPath'] = false;
  if (!names.has('ellipse')) found['convertEllipseToCircle'] = false;
  if (![...attributes].some((name) => name.startsWith('stroke') || name.startsWith('fill-')))
    found['removeUselessStrokeAndFill'] = false;
  const hasUse = names.has('use');
  const kept: Record<string, boolean> = {};
  if (isShown && !HIDING.some((name) => attributes.has(name))) found['removeHiddenElems'] = false;
  if (hasUse) {
    // It shows an element in places where that element inherits something else than in its own place.
    Object.assign(unknowns, { defaultAttrs: false, uselessOverrides: false });
    // It shows what is inside something that is not displayed.
    kept['displayNone'] = false;
    found['removeHiddenElems'] = kept;
  }
  // Half of a half is not a half.
  if (EFFECTS.some((name) => attributes.has(name)) && hasRepetition(svg, new Set()))
    found['collapseGroups'] = false;
  // It would move the transform away from its origin.
  if (hasOrigins) {
    found['moveElemsAttrsToGroup'] = false;
    found['collapseGroups'] = false;
    found['removeNonInheritableGroupAttrs'] = false;
  }
  // With convertToQ, svgo makes a wrong curve of `c3-2 6-2 9 0s6 2 9 0`.
  const paths = {
    convertToQ: false,
    applyTransforms: hasTransform && !hasOrigins,
    // Each vertex has a marker.
    removeUseless: !names.has('marker'),
    noSpaceAfterFlags: true,
  };
  found['convertPathData'] = paths;
  if (isRelative) {
    // Equal words on nested elements are no repetition: `2em` in `2em` is `4em`.
    unknowns['uselessOverrides'] = false;
    found['moveElemsAttrsToGroup'] = false;
    found['collapseGroups'] = false;
  }
  walkElements(svg, (node) => {
    const { name, attributes, children } = node;
    const isContainer = children.length > 0 || name === 'use';
    if (isContainer && BOXED.some((box) => attributes[box] !== undefined))
      found['removeHiddenElems'] = Object.assign(kept, KEEP_INVISIBLE);
    // A paint that a shape inherits lies in the coordinates of the shape.
    if (isContainer && PAINT.some((paint) => attributes[paint]?.startsWith('url(')))
      paths.applyTransforms = false;
    if (name === 'path' && losesControlPoint(attributes['d'] ?? '')) paths.removeUseless = false;
  });
  return found;
}

/** The shapes of which svgo makes a path. */
const CONVERTED = ['rect', 'line', 'polyline', 'polygon'];
const HIDING = ['display', 'visibility', 'opacity'];

interface Content {
  /** Names of elements and of attributes that are there at all. */
  names: Set<string>;
  attributes: Set<string>;
  /** True if a value has white space to collapse. */
  isSpaced: boolean;
  /** True if a value has another meaning on an element inside. */
  isRelative: boolean;
  /** True if the drawing has no element that is not drawn for its own geometry or its name. */
  isShown: boolean;
}

function contentOf(svg: XastElement): Content {
  const content: Content = {
    names: new Set(),
    attributes: new Set(),
    isSpaced: false,
    isRelative: false,
    isShown: true,
  };
  walkElements(svg, (node) => {
    content.names.add(node.name);
    content.isShown &&= isShown(node);
    for (const name in node.attributes) {
      const value = node.attributes[name] ?? '';
      content.attributes.add(name);
      content.isSpaced ||= /\s\s/.test(value);
      content.isRelative ||= isRelative(name, value);
    }
  });
  return content;
}

/** The sizes without which svgo removes a shape. */
const SIZES: Readonly<Record<string, readonly string[]>> = {
  svg: [],
  g: [],
  line: [],
  circle: ['r'],
  ellipse: ['rx', 'ry'],
  rect: ['width', 'height'],
};
/** The first two commands of a path, with their numbers. */
const BEGINNING = /^m([^a-df-z]*[^a-df-z,\s])\s*(?:([a-df-z])([^a-df-z]*))?/i;
/** How many numbers a whole segment has. */
const NUMBERS: Readonly<Record<string, number>> = {
  z: 0,
  h: 1,
  v: 1,
  l: 2,
  t: 2,
  s: 4,
  q: 4,
  c: 6,
  a: 7,
};

/** Whether path data begins with two whole segments: one alone is a point. */
function hasSegments(data: string): boolean {
  const [, start = '', command = '', list = ''] = BEGINNING.exec(data) ?? [];
  const count = readNumbers(start.trim())?.length ?? 0;
  const needed = NUMBERS[command.toLowerCase()];
  if (count < 2 || count % 2 === 1 || needed === undefined) return false;
  const numbers = readNumbers(list.trim()) ?? [];
  // Flags that are not apart from what follows are one number with it.
  const areFlags = needed < 7 || numbers.slice(3, 5).every((flag) => flag === 0 || flag === 1);
  return numbers.length >= needed && areFlags;
}

/** False for what svgo removes for its own geometry, and for anything about which that is not plain. */
function isShown({ name, attributes }: XastElement): boolean {
  if (name === 'path') return hasSegments(attributes['d'] ?? '');
  if (name === 'polyline' || name === 'polygon') return attributes['points'] !== undefined;
  return (
    SIZES[name]?.every((size) => !(Math.abs(Number.parseFloat(attributes[size] ?? '')) < 0.01)) ??
    false
  );
}

const BOXED = ['filter', 'mask', 'clip-path'];
const PAINT = ['fill', 'stroke', 'marker-start', 'marker-mid', 'marker-end'];

const EFFECTS = ['opacity', 'filter', 'mask'];

/** Whether an element has an effect that an element around it has with the same value, which svgo would take for one. */
function hasRepetition(node: XastElement, around: ReadonlySet<string>): boolean {
  const own = EFFECTS.flatMap((name) => {
    const value = node.attributes[name];
    return value === undefined ? [] : [`${name} ${value}`];
  });
  if (own.some((effect) => around.has(effect))) return true;
  const inside = own.length === 0 ? around : new Set([...around, ...own]);
  return childrenOf(node).some((child) => hasRepetition(child, inside));
}

const RELATIVE = /\d(?:em|ex|ch)\b|^(?:larger|smaller|bolder|lighter)$/;
const OWN_TEXT = /^(?:baseline-shift|text-decoration|alignment-baseline|dominant-baseline)$/;

/** Whether the same word has another meaning on an element inside. */
function isRelative(name: string, value: string): boolean {
  if (name === 'd') return false;
  return RELATIVE.test(value) || OWN_TEXT.test(name) || (name === 'font-size' && /%/.test(value));
}

const COMMANDS = /([a-df-z])([^a-df-z]*)/gi;

/** Whether a smooth curve follows a segment without length: without that segment it mirrors the curve before. */
function losesControlPoint(data: string): boolean {
  if (!/[st]/i.test(data)) return false;
  let isEmpty = false;
  for (const [, command = '', list = ''] of data.matchAll(COMMANDS)) {
    if (isEmpty && /[st]/i.test(command)) return true;
    isEmpty = /z/i.test(command) || hasNoLength(command, readNumbers(list.trim()) ?? []);
  }
  return false;
}

/** Whether the last of its segments has no length; true if that cannot be known. */
function hasNoLength(command: string, numbers: readonly number[]): boolean {
  const lower = command.toLowerCase();
  if (lower === 'm') return false;
  // Of an arc only its end counts.
  const last = numbers.slice(lower === 'a' ? -2 : -(NUMBERS[lower] ?? 2));
  const isNothing = (number: number): boolean => Math.abs(number) < 1e-3;
  if (command === lower) return last.every(isNothing);
  if (!'CSQ'.includes(command)) return true;
  return last.every((number, at) => isNothing(number - (last[at % 2] ?? 0)));
}

/** Plugins whose time is proportional to the file, for drawings on which the rest of svgo would stall. */
const LINEAR: PluginConfig[] = [
  { name: 'cleanupNumericValues', params: { floatPrecision: 4 } },
  'convertColors',
];

function safePreset(overrides: Overrides): PluginConfig {
  Object.assign(overrides, {
    mergePaths: false,
    moveGroupAttrsToElems: false,
    // Our plugins replace these.
    cleanupIds: false,
    inlineStyles: false,
    mergeStyles: false,
    minifyStyles: false,
  });
  return { name: 'preset-default', params: { floatPrecision: 4, overrides } };
}

const QUADRATIC = new Set([
  'applyTransforms',
  'collapseGroups',
  'convertPathData',
  'convertShapeToPath',
  'mergePaths',
  'moveElemsAttrsToGroup',
  'moveGroupAttrsToElems',
  'removeHiddenElems',
  'removeOffCanvasPaths',
  'reusePaths',
]);

/** The user's own plugins stay. Built-in ones that would stall are removed. */
function onlyLinear(plugin: PluginConfig): PluginConfig[] {
  const name = typeof plugin === 'string' ? plugin : plugin.name;
  if (name === 'preset-default') return LINEAR;
  return QUADRATIC.has(name) ? [] : [plugin];
}

function withPrecision(plugin: PluginConfig, floatPrecision: number | undefined): PluginConfig {
  if (floatPrecision === undefined) return plugin;
  if (typeof plugin === 'string')
    return { name: plugin, params: { floatPrecision } } as PluginConfig;
  const params = 'params' in plugin ? plugin.params : undefined;
  return { ...plugin, params: { ...params, floatPrecision } } as PluginConfig;
}
