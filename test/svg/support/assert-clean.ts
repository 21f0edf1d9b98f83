import { expect } from 'vitest';

/**
 * An opinion of its own on what may leave the pipeline: a strict tokenizer and lists written out here, so that a slip in
 * the library's lists is not repeated.
 */
const ELEMENTS = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon linearGradient radialGradient stop pattern clipPath
  mask marker text tspan textPath filter title switch feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
  feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
  feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(
    /\s+/,
  ),
);
const ANIMATIONS = new Set(['animate', 'animateTransform', 'animateMotion', 'set', 'mpath']);
const FORBIDDEN_ATTRIBUTE =
  /^on|:|^(?:style|class|src|srcset|data|action|formaction|ping|target|download|is|slot|part|key|ref|lang|tabindex|nonce|cursor|pointer-events|from|to|by|values|begin|end|attributeName)$/i;
const ROOT_ONLY = new Set(['xmlns', 'class', 'role', 'aria-hidden', 'focusable']);
const ANIMATION_ATTRIBUTES = new Set([
  'from',
  'to',
  'by',
  'values',
  'begin',
  'end',
  'attributeName',
  'keyTimes',
  'keySplines',
  'keyPoints',
]);
const TEXT_HOLDERS = new Set(['text', 'tspan', 'textPath', 'title']);
const TOKEN = /<(\/?)([A-Za-z]+)((?: [A-Za-z][\w:-]*="[^"<>]*")*)(\/?)>|([^<>]+)/y;
const ATTRIBUTE = / ([A-Za-z][\w:-]*)="([^"<>]*)"/g;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39);)/;

export function assertClean(
  svg: string,
  { id = 7, animation = false }: { id?: number; animation?: boolean } = {},
): void {
  const open: string[] = [];
  let at = 0;
  let first = true;
  const ids = new Set<string>();
  const targets = new Set<string>();
  while (at < svg.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(svg);
    if (match === null) expect.fail(`not in canonical form at ${at}: ${svg.slice(at, at + 80)}`);
    at = TOKEN.lastIndex;
    const [, closing, name = '', attributes = '', empty, text] = match;
    if (text !== undefined) {
      if (!TEXT_HOLDERS.has(open.at(-1) ?? ''))
        expect.fail(`text outside of text: ${text.slice(0, 80)}`);
      assertValue(text, false);
      continue;
    }
    if (closing === '/') {
      expect(open.pop()).toBe(name);
      continue;
    }
    if (first) expect(name).toBe('svg');
    if (!ELEMENTS.has(name) && !(animation && ANIMATIONS.has(name))) expect.fail(`element ${name}`);
    for (const [, attribute = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
      if (first && ROOT_ONLY.has(attribute)) {
        assertValue(value, false);
        if (attribute === 'xmlns') expect(value).toBe('http://www.w3.org/2000/svg');
        continue;
      }
      const animated = animation && ANIMATIONS.has(name) && ANIMATION_ATTRIBUTES.has(attribute);
      const matrix = name.startsWith('fe') && attribute === 'values';
      if (FORBIDDEN_ATTRIBUTE.test(attribute) && !animated && !matrix)
        expect.fail(`attribute ${attribute} on ${name}`);
      if (attribute.startsWith('aria') || attribute.startsWith('data'))
        expect.fail(`attribute ${attribute}`);
      if (animated && attribute === 'attributeName' && /href|^on|style|class|src/i.test(value))
        expect.fail(`animates ${value}`);
      assertValue(value, true, animated);
      if (attribute === 'id') {
        expect(value).toMatch(new RegExp(`^i${id}(?:-[0-9a-f]{6})?-\\d+$`));
        if (ids.has(value)) expect.fail('an id twice');
        ids.add(value);
      }
      if (attribute === 'href') {
        expect(value).toMatch(/^#i\d+/);
        targets.add(value.slice(1));
      }
      if (
        value.includes('(') &&
        !/^(?:transform|gradientTransform|patternTransform)$/.test(attribute)
      ) {
        const reference = /^url\(#([\w-]+)\)(?: (?:none|#[\da-f]{3,6}|currentColor))?$/.exec(value);
        if (reference?.[1] !== undefined) targets.add(reference[1]);
        else expect(value).toMatch(/^(?:hwb|lab|lch|oklab|oklch|color)\([^()]*\)$/);
      }
    }
    first = false;
    if (empty !== '/') open.push(name);
  }
  expect(open).toEqual([]);
  for (const target of targets)
    if (!ids.has(target)) expect.fail(`refers to ${target}, which is not there`);
}

function assertValue(value: string, attribute: boolean, animated = false): void {
  if (ENTITY.test(value)) expect.fail(`bare ampersand in ${value.slice(0, 80)}`);
  const bad =
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff`{}\\]|\p{Cs}/u;
  if (bad.test(value))
    expect.fail(`control or template character in ${JSON.stringify(value.slice(0, 80))}`);
  if (!attribute) return;
  if (
    /[@$]/.test(value) ||
    (!animated && value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '').includes(';'))
  )
    expect.fail(`character in ${value.slice(0, 80)}`);
  if (/script:|data:|\/\/|NaN|Infinity|undefined|\[object/i.test(value))
    expect.fail(`value ${value.slice(0, 80)}`);
}