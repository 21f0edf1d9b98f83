import {
  color,
  either,
  fontFamily,
  type Grammar,
  identifier,
  languages,
  length,
  lengths,
  number,
  numbers,
  paint,
  path,
  reference,
  transform,
  wordList,
  words,
} from './grammar.ts';

const anyFraction = numbers({ min: -1e6, max: 1e6, units: true, count: 1 });
/** An opacity below 0 counts as 0 (CSS Color 4, 12.1). */
const fraction: Grammar = (value) => {
  const result = anyFraction(value);
  return result?.startsWith('-') === true ? '0' : result;
};
const inherit = words('inherit');

/** The presentation attributes, which style declarations may also become. */
export const PRESENTATION: ReadonlyMap<string, Grammar> = new Map<string, Grammar>([
  ['fill', paint],
  ['stroke', paint],
  ['color', color],
  ['stop-color', color],
  ['flood-color', color],
  ['lighting-color', color],
  ['opacity', fraction],
  ['fill-opacity', either(fraction, inherit)],
  ['stroke-opacity', either(fraction, inherit)],
  ['stop-opacity', fraction],
  ['flood-opacity', fraction],
  ['fill-rule', words('nonzero evenodd inherit')],
  ['clip-rule', words('nonzero evenodd inherit')],
  ['stroke-width', either(length, inherit)],
  ['stroke-linecap', words('butt round square inherit')],
  ['stroke-linejoin', words('miter miter-clip round bevel arcs inherit')],
  ['stroke-miterlimit', either(number, inherit)],
  ['stroke-dasharray', either(words('none inherit'), numbers({ min: 0, units: true, count: 256 }))],
  ['stroke-dashoffset', either(length, inherit)],
  ['paint-order', wordList('normal fill stroke markers inherit')],
  ['vector-effect', words('none non-scaling-stroke inherit')],
  ['display', words('inline block none inherit')],
  ['visibility', words('visible hidden collapse inherit')],
  ['overflow', words('visible hidden scroll auto inherit')],
  ['clip-path', reference],
  ['mask', reference],
  ['filter', reference],
  ['mask-type', words('luminance alpha')],
  ['marker-start', reference],
  ['marker-mid', reference],
  ['marker-end', reference],
  ['color-interpolation', words('auto sRGB linearRGB inherit')],
  ['color-interpolation-filters', words('auto sRGB linearRGB inherit')],
  ['shape-rendering', words('auto optimizeSpeed crispEdges geometricPrecision inherit')],
  ['text-rendering', words('auto optimizeSpeed optimizeLegibility geometricPrecision inherit')],
  ['transform', transform],
  [
    'transform-origin',
    either(numbers({ units: true, count: 3 }), wordList('left center right top bottom')),
  ],
  ['font-family', fontFamily],
  [
    'font-size',
    either(
      length,
      words('xx-small x-small small medium large x-large xx-large larger smaller inherit'),
    ),
  ],
  ['font-style', words('normal italic oblique inherit')],
  ['font-variant', words('normal small-caps inherit')],
  [
    'font-weight',
    either(words('normal bold bolder lighter inherit'), numbers({ min: 1, max: 1000, count: 1 })),
  ],
  [
    'font-stretch',
    either(
      length,
      words(
        'normal wider narrower condensed expanded semi-condensed semi-expanded extra-condensed extra-expanded ultra-condensed ultra-expanded inherit',
      ),
    ),
  ],
  ['letter-spacing', either(length, words('normal inherit'))],
  ['word-spacing', either(length, words('normal inherit'))],
  ['text-anchor', words('start middle end inherit')],
  ['text-decoration', wordList('none underline overline line-through inherit')],
  [
    'dominant-baseline',
    words(
      'auto text-bottom alphabetic ideographic middle central mathematical hanging text-top text-before-edge text-after-edge use-script no-change reset-size inherit',
    ),
  ],
  [
    'alignment-baseline',
    words(
      'auto baseline before-edge text-before-edge middle central after-edge text-after-edge ideographic alphabetic hanging mathematical text-bottom text-top inherit',
    ),
  ],
  ['baseline-shift', either(length, words('baseline sub super inherit'))],
  [
    'writing-mode',
    words('horizontal-tb vertical-rl vertical-lr lr-tb rl-tb tb-rl lr rl tb inherit'),
  ],
  ['direction', words('ltr rtl inherit')],
]);

const set = (names: string): Set<string> => new Set(names.split(/\s+/));

/** The shapes are the elements that paint; all others contain or define something. */
export const SHAPES: ReadonlySet<string> = set(
  'path rect circle ellipse line polyline polygon text tspan textPath',
);
export const TEXT_ELEMENTS: ReadonlySet<string> = set('text tspan textPath');

/** Filter primitives except feImage, which loads a file. */
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

/** Elements that are only drawn if something refers to them. */
export const DEFINITIONS: ReadonlySet<string> = set(
  'defs symbol filter pattern mask clipPath marker linearGradient radialGradient',
);

/** Elements whose content has a coordinate system of its own, and may overflow it. */
export const VIEWPORTS: ReadonlySet<string> = set('svg symbol pattern marker');

export const HREF_ELEMENTS: ReadonlySet<string> = set(
  'use linearGradient radialGradient pattern textPath filter mpath',
);

/** Attributes that may contain `url(#id)`. */
export const URL_ATTRIBUTES: ReadonlySet<string> = set(
  'fill stroke clip-path mask filter marker-start marker-mid marker-end',
);

/** What may be set on the root: paint that the drawing inherits and that no box in the page could show. */
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

/** Geometry that CSS may also set (SVG 2, "Geometry properties"). */
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
  // The bounds of filters are far above what an icon shows and far below what stalls a renderer.
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
  // Positions, like x and y.
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

/** Every attribute that may be in the output, except `href`, `id` and those of animations. */
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
