import type { XastElement } from 'svgo';
import { ATTRIBUTES, DEFINITIONS, SHAPES } from './allow-list.ts';
import { type Grammar, numbers, path, readNumbers, words } from './grammar.ts';
import { LIMITS, type Removals } from './refusals.ts';
import { plainSpaces, sanitizeAttributes, type Scope } from './sanitize-attributes.ts';
import { childrenOf, elementsById, targetOf } from './walk.ts';

const SECONDS = '(?:\\d{1,6}(?:\\.\\d{1,6})?|\\.\\d{1,6})(?:h|min|s|ms)?';
const CLOCK = `[+-]?${SECONDS}|\\d{1,3}:\\d\\d(?::\\d\\d)?(?:\\.\\d{1,6})?|indefinite`;
const CLOCK_VALUE = new RegExp(`^(?:${CLOCK})$`);
const SYNC = new RegExp(`^([A-Za-z_][\\w-]{0,99}\\.(?:begin|end))(?:\\s*\\+\\s*(${SECONDS}))?$`);
const SHORTEST = `${LIMITS.shortestAnimation}s`;
/** A time that is long enough for a browser to do more than restart the animation. */
const duration: Grammar = (value) => {
  if (!CLOCK_VALUE.test(value)) return undefined;
  const seconds = toSeconds(value);
  if (seconds <= 0) return undefined;
  return seconds < LIMITS.shortestAnimation ? SHORTEST : value;
};

const UNITS: Readonly<Record<string, number>> = { h: 3_600, min: 60, s: 1, ms: 0.001 };

/** Of a clock value of SMIL (SMIL 3.0, 5.4.2); `indefinite` is endless. */
function toSeconds(clock: string): number {
  if (clock === 'indefinite') return Infinity;
  const [, number = '', unit = 's'] = /^([+-]?[\d.]+)(h|min|s|ms)?$/.exec(clock) ?? [];
  if (number !== '') return Number(number) * (UNITS[unit] ?? 1);
  return clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

/** A time of the clock, or one relative to another animation: never before that one, and not directly after it. */
const moment: Grammar = (value) => {
  if (CLOCK_VALUE.test(value)) return value;
  const [, event, offset] = SYNC.exec(value) ?? [];
  if (event === undefined || offset === undefined || toSeconds(offset) === 0) return event;
  return `${event}+${toSeconds(offset) < LIMITS.shortestAnimation ? SHORTEST : offset}`;
};

// Each reference is drawn again on every frame, so paint servers, masks and filters stay still.
const STILL = new Set(['filter', 'mask', 'clip-path', 'marker-start', 'marker-mid', 'marker-end']);

const OWN: ReadonlyMap<string, Grammar> = new Map<string, Grammar>([
  ['dur', duration],
  ['repeatDur', duration],
  ['min', duration],
  ['max', duration],
  [
    'repeatCount',
    (value) => (value === 'indefinite' ? value : numbers({ min: 0, count: 1 })(value)),
  ],
  ['restart', words('always whenNotActive never')],
  ['fill', words('freeze remove')],
  ['calcMode', words('discrete linear paced spline')],
  ['additive', words('replace sum')],
  ['accumulate', words('none sum')],
  ['type', words('translate scale rotate skewX skewY')],
  ['path', path],
  [
    'rotate',
    (value) =>
      value === 'auto' || value === 'auto-reverse' ? value : numbers({ count: 1 })(value),
  ],
]);
const LISTS: ReadonlyMap<string, Grammar> = new Map([
  ['keyTimes', numbers({ min: 0, max: 1, count: 1 })],
  ['keyPoints', numbers({ min: 0, max: 1, count: 1 })],
  ['keySplines', numbers({ min: 0, max: 1, count: 4 })],
]);

/**
 * Opt-in animation: of presentation attributes and geometry of the parent only, timed by the clock or by other
 * animations of the same file, never by events.
 * @returns false if nothing may be left of it
 */
export function sanitizeAnimation(
  node: XastElement,
  { local, scope, removals }: { local: string; scope: Scope; removals: Removals },
): boolean {
  if (local === 'discard' || local === 'animateColor') return refuse(removals);
  const values = new Map(
    Object.entries(node.attributes).map(([name, value]) => [name, plainSpaces(value) ?? '']),
  );
  const { id, href } = sanitizeAttributes(
    { ...node, attributes: namesAndEvents(node) },
    { element: local, scope, removals },
  );
  const kept: Record<string, string> = id === undefined ? {} : { id };
  node.children =
    local === 'animateMotion'
      ? childrenOf(node).filter((child) => isMotionPath(child, scope, removals))
      : [];
  node.name = local;
  node.attributes = kept;
  if (local === 'mpath') {
    if (href !== undefined) kept['href'] = href;
    return href !== undefined;
  }
  // With an address an animation could reach the page around it.
  if ([...values.keys()].some((name) => /(?:^|:)href$/i.test(name))) return refuse(removals);
  const target = targetGrammar(local, values.get('attributeName') ?? '');
  if (target === undefined) return refuse(removals);
  if (target.name !== undefined) kept['attributeName'] = target.name;
  for (const [name, value] of values) {
    const result = animationValue(name, { value, target: target.grammar });
    if (result !== undefined) kept[name] = result;
    // Such an animation begins with an event of the page, or with something that does not exist. Without `begin` it
    // would run at once, without `end` it would run longer than allowed.
    else if (name === 'begin' || name === 'end') return refuse(removals);
  }
  const { dur = 'indefinite', repeatCount = '1' } = kept;
  // A fractional `repeatCount` shortens the run, to half of it or to a thousandth.
  return Number(repeatCount) * toSeconds(dur) < LIMITS.shortestAnimation ? refuse(removals) : true;
}

/** The attributes that an animation shares with every element; its others have their own grammars. */
function namesAndEvents(node: XastElement): Record<string, string> {
  const names = Object.entries(node.attributes).filter(([name]) =>
    /^(?:id|href|(?:.*:)?on.*|.*:href)$/i.test(name),
  );
  return Object.fromEntries(names);
}

function refuse(removals: Removals): false {
  removals.note('unsafe-animation');
  return false;
}

function isMotionPath(child: XastElement, scope: Scope, removals: Removals): boolean {
  return child.name === 'mpath' && sanitizeAnimation(child, { local: 'mpath', scope, removals });
}

function targetGrammar(
  local: string,
  name: string,
): { name: string | undefined; grammar: Grammar } | undefined {
  if (local === 'animateMotion')
    return { name: undefined, grammar: numbers({ units: true, count: 2 }) };
  if (local === 'animateTransform') {
    const allowed = /^(?:transform|gradientTransform|patternTransform)$/.test(name);
    return allowed ? { name, grammar: numbers({ count: 3 }) } : undefined;
  }
  const grammar = STILL.has(name) ? undefined : ATTRIBUTES.get(name);
  if (grammar === undefined) return undefined;
  return { name, grammar: (value) => (value.includes('url(') ? undefined : grammar(value)) };
}

function animationValue(
  name: string,
  { value, target }: { value: string; target: Grammar },
): string | undefined {
  if (name === 'begin') return list(value, moment);
  // An end that depends on another animation could come as soon as this one begins.
  if (name === 'end') return list(value, (item) => (CLOCK_VALUE.test(item) ? item : undefined));
  if (name === 'values') return list(value, target);
  if (name === 'from' || name === 'to' || name === 'by') return target(value);
  const items = LISTS.get(name);
  return items === undefined ? OWN.get(name)?.(value) : list(value, items);
}

/** A `;`-separated list: all of it is kept or none. */
function list(value: string, grammar: Grammar): string | undefined {
  const items = value.replace(/;\s*$/, '').split(';');
  if (items.length > 256) return undefined;
  const results = items.map((item) => grammar(item.trim()));
  return results.every((item) => item !== undefined) ? results.join(';') : undefined;
}

/** What a shape inherits, as far as it decides whether the shape is visible. */
const INITIAL = {
  fill: '#000',
  stroke: 'none',
  'fill-opacity': '1',
  'stroke-opacity': '1',
  'stroke-width': '1',
  'stroke-dasharray': 'none',
  'stroke-dashoffset': '0',
  visibility: 'visible',
};
type Inherited = Readonly<typeof INITIAL>;
const NAMES = Object.keys(INITIAL) as (keyof Inherited)[];

/** Whether anything is visible of a drawing that has lost its animations: they may fade in or draw all of it. */
export function isVisibleAtRest(svg: XastElement): boolean {
  const targets = elementsById(svg);
  const isVisible = (node: XastElement, outer: Inherited): boolean => {
    const { name, attributes } = node;
    if (attributes['display'] === 'none' || isNothing(attributes['opacity'] ?? '1')) return false;
    if (/scale\(\s*0*\.?0+\s*[,)]/.test(attributes['transform'] ?? '')) return false;
    const own: Inherited = { ...outer, ...pick(attributes) };
    if (SHAPES.has(name) && isPainted(node, own)) return true;
    const target = name === 'use' ? targetOf(node, targets) : undefined;
    if (target !== undefined && isVisible(target, own)) return true;
    return childrenOf(node).some((child) => !DEFINITIONS.has(child.name) && isVisible(child, own));
  };
  return isVisible(svg, INITIAL);
}

function pick(attributes: Record<string, string>): Partial<Inherited> {
  const found: Partial<typeof INITIAL> = {};
  for (const name of NAMES) {
    const value = attributes[name];
    if (value !== undefined && value !== 'inherit') found[name] = value;
  }
  return found;
}

function isNothing(amount: string): boolean {
  return Number.parseFloat(amount) <= 0;
}

const SIZES: Readonly<Record<string, readonly string[]>> = {
  circle: ['r'],
  ellipse: ['rx', 'ry'],
  rect: ['width', 'height'],
};

function isPainted({ name, attributes }: XastElement, own: Inherited): boolean {
  if (own.visibility !== 'visible') return false;
  if (SIZES[name]?.some((side) => isNothing(attributes[side] ?? (name === 'ellipse' ? '1' : '0'))))
    return false;
  const isFilled = name !== 'line' && own.fill !== 'none' && !isNothing(own['fill-opacity']);
  const isStroked =
    own.stroke !== 'none' &&
    !isNothing(own['stroke-opacity']) &&
    !isNothing(own['stroke-width']) &&
    !startsInGap(own);
  return isFilled || isStroked;
}

/** One dash as long as the shape, moved by its own length: the way in which lines are made to draw themselves. */
function startsInGap(own: Inherited): boolean {
  const [dash = 0, gap = dash] = readNumbers(own['stroke-dasharray'], true) ?? [];
  const [offset = 0] = readNumbers(own['stroke-dashoffset'], true) ?? [];
  return dash > 0 && gap >= dash && Math.abs(offset) % (dash + gap) === dash;
}
