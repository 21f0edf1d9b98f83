import { cross, FETCH, file, RUN, SHAPE, type Family } from './svg-file.ts';

/** Attributes of the root that would reach out of its box. */
const ROOT = [
  'font-size="5000"',
  'font-size="5000px" font="5000px/2 x"',
  'style="font-size:3000px;line-height:9"',
  'font-size="larger"',
  'font-family="x" font-weight="900" letter-spacing="999"',
  'width="99999" height="99999"',
  'width="100%" height="100%" preserveAspectRatio="none"',
  'x="999" y="999" overflow="visible"',
  'style="position:fixed;inset:0;z-index:9"',
  'display="block"',
  'display="none"',
  'visibility="hidden"',
  'transform="scale(1000)" transform-origin="0 0"',
  'style="transform:scale(1000);translate:99px;rotate:9deg;scale:9"',
  'filter="url(#f)" clip-path="url(#f)" mask="url(#f)" opacity=".1"',
  'writing-mode="vertical-rl" direction="rtl"',
  'baseline-shift="900" dominant-baseline="hanging" alignment-baseline="top" vertical-align="top"',
  'pointer-events="all" cursor="none" tabindex="1" autofocus="" contenteditable="true" draggable="true"',
  'id="body" class="container hidden" name="x" slot="x" part="x" is="x" popover="auto" inert="" hidden=""',
  'id="__proto__"',
  'role="dialog" aria-modal="true" aria-label="x" aria-live="assertive"',
  'zoomAndPan="magnify" baseProfile="x" version="2" contentScriptType="x"',
  `v-html="x" :x="y" @click="z" x-on:click="${RUN}" ng-app="" hx-get="${FETCH}" data-x="y" *ngIf="x" {...x}="y"`,
  'mix-blend-mode="difference" style="mix-blend-mode:difference;isolation:auto;backdrop-filter:blur(9px)"',
  'requiredExtensions="x" systemLanguage="xx"',
].map((attributes) => `viewBox="0 0 24 24" ${attributes}`);

const VIEW_BOXES = [
  '0 0 1e9 1e9',
  '-1e9 -1e9 1e9 1e9',
  '0 0 .00001 .00001',
  '0 0 1e-7 1e-7',
  '0 0 1e999 1',
  '0 0 NaN NaN',
  '0 0 Infinity 1',
  '0 0 -9 -9',
  '0 0 1 10000',
  '0 0 10000 1',
  '1e-300 1e-300 1 1',
  '0,0,,9 9',
  '0 0 9',
  '0 0 9 9 9',
  '0 0 9px 9px',
  '0 0 0x9 9',
  '\u00a00 0 9 9',
  '',
].map((box) => `viewBox="${box}"`);

const SIZES = [
  'width="1e9" height="1e9"',
  'width="9e-9" height="9"',
  'width="100%" height="9"',
  'width="5em" height="calc(9px)"',
  'width="--9" height="9"',
  'width="9.9.9" height="1e"',
  'width="" height=""',
];

const RATIOS = [
  'none slice',
  'xMidYMid meet meet',
  'defer none',
  'x',
  `xMinYMin" onload="${RUN}`,
].map((ratio) => `viewBox="0 0 9 9" preserveAspectRatio="${ratio}"`);

/** Names that a page or an object may know already. */
const NAMES =
  'body head documentElement forms cookie location __proto__ constructor hasOwnProperty toString valueOf attributes parentNode innerHTML getElementById app root main a0 m0 -0 i7-0'.split(
    ' ',
  );

const TARGETS =
  'href xlink:href HREF style class id onclick onload width height viewBox font-size x y transform opacity display visibility fill d values filter clip-path mask cursor overflow begin attributeName color preserveAspectRatio stroke-dasharray r points'.split(
    ' ',
  );

const ANIMATIONS = [
  'animate',
  'set',
  'animateTransform',
  'animateMotion',
  'animateColor',
  'discard',
];
const TIMES = [
  '0s',
  'click',
  'a.click',
  'accessKey(s)',
  'a.accessKey(s)',
  'repeat(2)',
  'a.begin',
  'b.end+1s',
  'nobody.begin',
  'body.click',
  'wallclock(2020-01-01)',
  'indefinite',
  '-9999999s',
  '0s;click',
  'a.begin;;',
  '.000001s',
  '99999999999999999999s',
  'a\\.b.begin',
];

export const page: Family = {
  ...cross('root', [...ROOT, ...VIEW_BOXES, ...SIZES, ...RATIOS], {
    still: (attributes) =>
      file(
        `<filter id="f"><feFlood x="-999" y="-999" width="9999" height="9999"/></filter>${SHAPE}<text font-size="2">a</text>`,
        attributes,
      ),
    nested: (attributes) => file(`${SHAPE}<svg ${attributes}>${SHAPE}</svg>`),
  }),
  ...cross('name', NAMES, {
    'of an id': (name) =>
      file(`<path id="${name}" class="${name}" d="M0 0h9"/><use href="#${name}"/>`),
    'of an attribute': (name) => file(`<path ${name.replace(/^-/, 'a')}="x" d="M0 0h9"/>`),
    'of a result': (name) =>
      file(
        `<filter id="${name}"><feOffset result="${name}"/><feBlend in="${name}" in2="${name}"/></filter><g filter="url(#${name})">${SHAPE}</g>`,
      ),
    'of a timer': (name) =>
      file(
        `<path d="M0 0h9"><set id="${name}" attributeName="fill" to="red" begin="0s"/><set attributeName="fill" to="red" begin="${name}.end"/></path>`,
      ),
  }),
  ...cross(
    'animation',
    TARGETS.flatMap((target) =>
      ANIMATIONS.map(
        (name) =>
          `<${name} attributeName="${target}" attributeType="XML" from="0" to="99999" values="0;99999" dur="1ms" fill="freeze" repeatCount="2"/>`,
      ),
    ),
    { 'of the root': (animation) => file(animation + SHAPE) },
  ),
  ...cross(
    'animated address',
    TARGETS.map(
      (target) =>
        `<animate attributeName="${target}" values="javascript:${RUN};${FETCH};url(${FETCH})" to="url(${FETCH})" dur="1ms"/>`,
    ),
    {
      'of a link': (animation) =>
        file(`<a href="#">${animation}<path d="M0 0h9v9">${animation}</path></a>`),
    },
  ),
  ...cross('time', TIMES, {
    begins: (time) =>
      file(
        `<path d="M0 0h9v9"><set id="a" attributeName="fill" to="red" begin="0s" dur="1s"/><set id="b" attributeName="fill" to="blue" begin="${time}" end="${time}" dur="${time}"/></path>`,
      ),
  }),
  'motion along another document': file(
    `<path d="M0 0h9"><animateMotion dur="1s"><mpath href="${FETCH}#a"/></animateMotion></path>`,
  ),
};