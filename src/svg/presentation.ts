import {
  color,
  either,
  fontFamily,
  length,
  number,
  numbers,
  paint,
  reference,
  transform,
  wordList,
  words,
  type Grammar,
} from './grammar.ts';

const anyFraction = numbers({ min: -1e6, max: 1e6, units: true, count: 1 });
/** An opacity below nothing is nothing (CSS Color 4, 12.1). */
const fraction: Grammar = (value) => {
  const result = anyFraction(value);
  return result?.startsWith('-') === true ? '0' : result;
};
const inherit = words('inherit');

/** Presentation attributes: also what a style declaration may become. */
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
