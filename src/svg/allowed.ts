import {
  either,
  identifier,
  languages,
  length,
  lengths,
  number,
  numbers,
  path,
  transform,
  words,
  type Grammar,
} from './grammar.ts';
import { PRESENTATION } from './presentation.ts';

const set = (names: string): Set<string> => new Set(names.split(/\s+/));

/** Shapes are what paints; everything else holds or defines. */
export const SHAPES: ReadonlySet<string> = set(
  'path rect circle ellipse line polyline polygon text tspan textPath',
);
export const TEXT_ELEMENTS: ReadonlySet<string> = set('text tspan textPath');

/** Filter primitives but feImage, which fetches. */
const FILTER_ELEMENTS = set(
  `feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`,
);

export const ELEMENTS: ReadonlySet<string> = new Set([
  ...SHAPES,
  ...FILTER_ELEMENTS,
  ...set(
    'svg g defs symbol use switch linearGradient radialGradient stop pattern clipPath mask marker filter',
  ),
]);

export const ANIMATIONS: ReadonlySet<string> = set(
  'animate animateTransform animateMotion set animateColor mpath discard',
);

/** What is drawn only where something refers to it. */
export const DEFINITIONS: ReadonlySet<string> = set(
  'defs symbol filter pattern mask clipPath marker linearGradient radialGradient',
);

export const HREF_ELEMENTS: ReadonlySet<string> = set(
  'use linearGradient radialGradient pattern textPath filter mpath',
);

/** Attributes that hold `url(#id)`. */
export const URL_ATTRIBUTES: ReadonlySet<string> = set(
  'fill stroke clip-path mask filter marker-start marker-mid marker-end',
);

/** What may stand on the root: paint that the drawing inherits and that no box in the page could show. */
export const ROOT_ATTRIBUTES: ReadonlySet<string> = set(
  `xmlns color fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset paint-order clip-rule color-interpolation color-interpolation-filters shape-rendering
  text-rendering marker-start marker-mid marker-end visibility`,
);

export const COLOR_ATTRIBUTES: readonly string[] = [
  'fill',
  'stroke',
  'stop-color',
  'flood-color',
  'lighting-color',
];

/** Geometry that CSS may set too (SVG 2, "Geometry properties"). */
export const CSS_GEOMETRY: ReadonlySet<string> = set('x y width height cx cy r rx ry');

const units = words('userSpaceOnUse objectBoundingBox');
const amount = numbers({ min: -1e4, max: 1e4, count: 2 });
const auto = words('auto');

const rows: readonly (readonly [string, Grammar])[] = [
  ['x y dx dy', lengths],
  ['rotate', numbers()],
  ['width height rx ry', either(length, auto)],
  ['cx cy r x1 y1 x2 y2 fx fy fr startOffset offset refX refY', length],
  ['markerWidth markerHeight textLength pathLength', length],
  ['d', path],
  ['points', numbers()],
  ['viewBox', numbers({ count: 4 })],
  ['gradientTransform patternTransform', transform],
  [
    'preserveAspectRatio',
    (value) =>
      /^(?:none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max))(?: (?:meet|slice))?$/.test(value)
        ? value
        : undefined,
  ],
  [
    'gradientUnits patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits',
    units,
  ],
  ['markerUnits', words('strokeWidth userSpaceOnUse')],
  ['spreadMethod', words('pad reflect repeat')],
  ['orient', either(number, words('auto auto-start-reverse'))],
  ['lengthAdjust', words('spacing spacingAndGlyphs')],
  ['method', words('align stretch')],
  ['spacing', words('auto exact')],
  ['side', words('left right')],
  ['systemLanguage', languages],
];

const filterRows: readonly (readonly [string, Grammar])[] = [
  ['in in2 result', identifier],
  // Bounds on filters: each is far beyond what an icon shows and far below what stalls a renderer.
  ['stdDeviation', numbers({ min: 0, max: 1000, count: 2 })],
  ['radius', numbers({ min: 0, max: 100, count: 2 })],
  ['numOctaves', numbers({ min: 0, max: 8, count: 1 })],
  ['order', numbers({ min: 1, max: 8, count: 2 })],
  ['baseFrequency', numbers({ min: 0, max: 100, count: 2 })],
  ['kernelUnitLength', numbers({ min: 0.1, max: 1000, count: 2 })],
  [
    'scale seed surfaceScale specularConstant specularExponent diffuseConstant divisor bias targetX targetY',
    amount,
  ],
  ['slope intercept amplitude exponent k1 k2 k3 k4 azimuth elevation limitingConeAngle', amount],
  // Places, like x and y.
  ['z pointsAtX pointsAtY pointsAtZ', number],
  ['values tableValues kernelMatrix', numbers({ count: 256 })],
  [
    'mode',
    words(
      'normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity',
    ),
  ],
  ['operator', words('over in out atop xor lighter arithmetic erode dilate')],
  [
    'type',
    words(
      'matrix saturate hueRotate luminanceToAlpha identity table discrete linear gamma fractalNoise turbulence',
    ),
  ],
  ['xChannelSelector yChannelSelector', words('R G B A')],
  ['stitchTiles', words('stitch noStitch')],
  ['edgeMode', words('duplicate wrap mirror none')],
  ['preserveAlpha', words('true false')],
];

const toTable = (list: typeof rows): [string, Grammar][] =>
  list.flatMap(([names, grammar]) =>
    names.split(' ').map((name): [string, Grammar] => [name, grammar]),
  );

/** Every attribute that may stand in the output, but `href`, `id` and those of animations. */
export const ATTRIBUTES: ReadonlyMap<string, Grammar> = new Map([
  ...PRESENTATION,
  ...toTable(rows),
]);

/** The same for filter primitives. */
const FILTER_ATTRIBUTES: ReadonlyMap<string, Grammar> = new Map([
  ...ATTRIBUTES,
  ...toTable(filterRows),
]);

export function attributesOf(element: string): ReadonlyMap<string, Grammar> {
  return element.startsWith('fe') ? FILTER_ATTRIBUTES : ATTRIBUTES;
}
