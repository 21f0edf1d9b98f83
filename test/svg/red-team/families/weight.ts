import { AREA, file, many, SHAPE, type Family } from './svg-file.ts';

const used = (body: string, count: number): string =>
  `<g id="u">${body}</g>${'<use href="#u"/>'.repeat(count)}`;
const filtered = (primitives: string, count: number): string =>
  `<filter id="f">${primitives}</filter>${`<g filter="url(#f)">${AREA}</g>`.repeat(count)}`;
const blended = (count: number, of: (index: number) => string): string =>
  filtered(`<feOffset dx="1" result="r0"/>${many(count, of)}`, 1);
const star = (count: number, step: number): string =>
  `<path d="M0 0${many(count, (index) => `L${index % 24} ${(index * step) % 24}`)}z"/>`;
const STROKE = 'fill="none" stroke="red" stroke-width="5" stroke-linejoin="round"';
const PATTERN = 'id="p" width=".01" height=".01" patternUnits="userSpaceOnUse"';
const letters = (count: number): string => 'abcdefghij'.repeat(count / 10);

/** Short files that keep a parser or a renderer busy; each is refused, or drawn in time. */
export const weight: Family = {
  'a long path used often': file(used(`<path d="M0 0${'l3 2-3 3'.repeat(25_000)}"/>`, 3_000)),
  'a crossing path used often': file(used(star(6_000, 7), 100)),
  'a stroked path used often': file(
    used(`<path ${STROKE} d="M0 0${'c9 9-9-7 3 4'.repeat(15_000)}"/>`, 30),
  ),
  'stroked paths': file(`<path ${STROKE} d="M0 0${'c9 9-9-7 3 4'.repeat(18_000)}"/>`.repeat(3)),
  'a text used often': file(used(`<text>${letters(9_990)}</text>`, 3_000)),
  'a short text used often': file(used('<text>abcdefgh</text>'.repeat(40), 3_200)),
  'texts in thousands of sizes': file(
    many(9_900, (index) => `<text font-size="${index % 30}.${index}">a</text>`),
  ),
  tspans: file(`<text>${'<tspan dx="1">a</tspan>'.repeat(9_900)}</text>`),
  'letters in their own places': file(
    `<text stroke="red" x="${many(9_990, (index) => `${index % 24} `)}" rotate="${many(9_990, (index) => `${index % 360} `)}">${letters(9_990)}</text>`,
  ),
  'text on a path': file(
    `<path id="p" d="M0 9${many(9_000, (index) => `l${index % 9} ${index % 7}`)}"/><text><textPath href="#p">${letters(9_990)}</textPath></text>`,
  ),
  'a huge text': file(
    `<text font-size="1e9" letter-spacing="1e9" textLength="1e9">${letters(9_990)}</text>`,
  ),
  'combining marks': file(`<text>a${'\u0301'.repeat(9_900)}</text>`),
  'closed subpaths with markers': file(
    `<marker id="m">${SHAPE.repeat(10)}</marker><path marker-mid="url(#m)" d="M0 0h1${'z'.repeat(120_000)}"/>`,
  ),
  'single coordinates with markers': file(
    `<marker id="m">${SHAPE}</marker><path marker-mid="url(#m)" d="M0 0${'h1v1'.repeat(60_000)}"/>`,
  ),
  'masks that borrow': file(
    `<g id="t" fill="#010203">${SHAPE.repeat(1_850)}</g>${many(64, (index) => `<mask id="k${index}"><use href="#t"/></mask>`)}<rect mask="url(#k0)" width="9" height="9"/>`,
  ),
  'masks that borrow from each other': file(
    `${many(60, (index) => `<g id="t${index}">`)}${'<path fill="#010203" d="M0 0h1"/>'.repeat(1_500)}${'</g>'.repeat(60)}<mask id="k">${many(60, (index) => `<use href="#t${index}"/>`)}</mask><rect mask="url(#k)" width="9" height="9"/>`,
  ),
  masks: file(`<mask id="m">${AREA}</mask>${`<g mask="url(#m)">${AREA}</g>`.repeat(9_000)}`),
  'masks in masks': file(
    `${many(40, (index) => `<mask id="m${index}"><g mask="url(#m${index + 1})">${AREA}</g></mask>`)}<mask id="m40">${AREA}</mask><g mask="url(#m0)">${AREA}</g>`,
  ),
  'two paths that clip': file(
    `<clipPath id="c">${star(300, 7)}${star(300, 5)}</clipPath><g clip-path="url(#c)">${AREA}</g>`,
  ),
  'sixty clips': file(
    `${many(60, (index) => `<clipPath id="c${index}">${star(300, 7)}${star(300, 5)}</clipPath>`)}${many(60, (index) => `<g clip-path="url(#c${index})">`)}${AREA}${'</g>'.repeat(60)}`,
  ),
  'clips of clips': file(
    `${many(500, (index) => `<clipPath id="c${index}" clip-path="url(#c${index + 1})">${AREA}</clipPath>`)}<clipPath id="c500">${AREA}</clipPath><g clip-path="url(#c0)">${AREA}</g>`,
  ),
  'use of use': file(
    many(600, (index) => `<use id="a${index}" href="#a${index + 1}"/>`) +
      `<g id="a600">${AREA}</g>`,
  ),
  'use in groups': file(
    many(
      30,
      (index) =>
        `<g id="a${index}">${'<g>'.repeat(60)}<use href="#a${index + 1}"/>${'</g>'.repeat(60)}</g>`,
    ) + `<g id="a30">${AREA}</g>`,
  ),
  symbols: file(
    `<symbol id="s" viewBox="0 0 1 1">${SHAPE}</symbol>${'<use width="9" height="9" href="#s"/>'.repeat(15_000)}`,
  ),
  'nested drawings': file(`${'<svg viewBox="0 0 1 1">'.repeat(60)}${SHAPE}${'</svg>'.repeat(60)}`),
  'a filter that doubles': file(
    blended(60, (index) => `<feBlend in="r${index}" in2="r${index}" result="r${index + 1}"/>`),
  ),
  'a filter that doubles twenty times': file(
    blended(
      20,
      (index) =>
        `<feComposite operator="over" in="r${index}" in2="r${index}" result="r${index + 1}"/>`,
    ),
  ),
  'a filter that doubles without names': file(
    filtered(`<feOffset result="a"/>${'<feBlend in2="a" result="a"/>'.repeat(40)}`, 1),
  ),
  'a filter that merges': file(
    blended(
      12,
      (index) =>
        `<feMerge result="r${index + 1}">${`<feMergeNode in="r${index}"/>`.repeat(8)}</feMerge>`,
    ),
  ),
  blurs: file(filtered('<feGaussianBlur stdDeviation="5"/>', 900)),
  'huge blurs': file(
    `<filter id="f" x="-1e9" y="-1e9" width="2e9" height="2e9" filterUnits="userSpaceOnUse"><feGaussianBlur stdDeviation="1000"/></filter>${`<g transform="scale(1e6)" filter="url(#f)">${AREA}</g>`.repeat(60)}`,
  ),
  convolutions: file(
    filtered(`<feConvolveMatrix order="8" kernelMatrix="${'1 '.repeat(64)}"/>`, 40),
  ),
  morphologies: file(
    `<filter id="f"><feMorphology operator="dilate" radius="100"/></filter>${`<g transform="scale(1000)" filter="url(#f)">${AREA}</g>`.repeat(30)}`,
  ),
  turbulences: file(filtered('<feTurbulence baseFrequency="100" numOctaves="8"/>', 40)),
  tiles: file(filtered('<feFlood width=".0001" height=".0001"/><feTile/>', 300)),
  'microscopic patterns': file(
    `<pattern ${PATTERN}>${SHAPE}</pattern>${'<rect width="24" height="24" fill="url(#p)"/>'.repeat(1_000)}`,
  ),
  'patterns that overflow': file(
    `<pattern ${PATTERN} overflow="visible"><rect x="-500" y="-500" width="1000" height="1000"/></pattern>${'<rect width="24" height="24" fill="url(#p)"/>'.repeat(20)}`,
  ),
  'a pattern on letters': file(
    `<pattern ${PATTERN}>${SHAPE.repeat(50)}</pattern><text fill="url(#p)" x="${many(9_000, (index) => `${index % 24} `)}">${letters(9_000)}</text>`,
  ),
  stops: file(
    `<linearGradient id="a">${many(19_000, (index) => `<stop offset="${index / 19_000}" stop-color="#${(index + 4_096).toString(16)}"/>`)}</linearGradient><path fill="url(#a)" d="M0 0h9v9"/>`,
  ),
  'dashes on screen': file(
    `<path vector-effect="non-scaling-stroke" transform="scale(1e6)" stroke="red" d="M0 0${'c1 2 3 4 5 6'.repeat(200)}" stroke-dasharray=".01"/>`,
  ),
  'dashes of a huge circle': file(
    '<circle r="1000em" font-size="1e6" stroke="red" stroke-dasharray="1" fill="none"/>',
  ),
  'dashes of an animation': file(
    '<circle r="100" stroke="red"><animate attributeName="stroke-dasharray" from=".00001" to=".00002" dur="9s"/></circle>'.repeat(
      100,
    ),
  ),
  'dashes of a thousand circles on the screen': file(
    many(
      900,
      (index) =>
        `<circle r="1" vector-effect="non-scaling-stroke" stroke="red" stroke-width="1e6" stroke-dasharray="1 ${index}" transform="scale(${index * 1e5})"/>`,
    ),
  ),
  'round dashes of an animation': file(
    '<circle r="100" stroke="red" stroke-width="20" stroke-linecap="round"><animate attributeName="stroke-dasharray" from=".001" to=".002" dur="9s"/></circle>'.repeat(
      3,
    ),
  ),
  'round dashes of a growing circle': file(
    '<circle r="1" stroke="red" stroke-width="20" stroke-linecap="round" stroke-dasharray=".01"><animate attributeName="r" from="1000" to="10000" dur="9s"/></circle>'.repeat(
      3,
    ),
  ),
  'long strokes': file(
    many(
      900,
      (index) =>
        `<path stroke="red" stroke-width="1e9" d="M-1e9-1e9c1e9 1e9 1e9-1e9 ${index} 1a1e9 1 30 0 1 5 6"/>`,
    ),
  ),
  layers: file(many(9_000, (index) => `<g opacity=".${index % 9}1">${SHAPE}</g>`)),
  'paths side by side': file(many(19_900, (index) => `<path d="M${index % 24} 0h1v2z"/>`)),
  'animations in circles': file(
    many(
      900,
      (index) =>
        `<set id="a${index}" attributeName="visibility" to="visible" begin="${many(20, (other) => `a${(index * 7 + other * 13) % 900}.begin+.001s;`)}0s" dur=".001s"/>`,
    ) + AREA,
  ),
  'animations without end': file(
    '<rect width="9" height="9"><set id="a" attributeName="x" to="1" begin="0s;b.end" dur=".000001s"/><set id="b" attributeName="x" to="2" begin="a.end" dur=".000001s"/></rect>',
  ),
  'animations one after another': file(
    `<g>${many(190, (index) => `<set id="a${index}" attributeName="fill" to="red" begin="0s;a${(index + 1) % 190}.begin" dur=".001s"/>`)}${AREA}</g>`,
  ),
  'animations of a microsecond': file(
    `<rect width="9" height="9">${'<animate attributeName="x" to="5" dur=".000001s" repeatCount="indefinite"/>'.repeat(3)}</rect>`,
  ),
  'five hundred animations of a millisecond': file(
    many(
      500,
      (index) =>
        `<rect width="9" height="9" y="${index % 24}"><animate attributeName="x" to="5" dur="1ms" repeatCount="indefinite"/></rect>`,
    ),
  ),
  'thousands of animations': file(
    many(
      2_000,
      () =>
        `<rect width="9" height="9"><animate attributeName="x" to="5" dur=".1s" repeatCount="indefinite"/></rect>`,
    ),
  ),
  'a part of a run, again and again': file(
    '<rect width="9" height="9"><animate id="a" attributeName="x" to="5" dur="1s" repeatCount=".0000001" begin="0s;b.end"/><animate id="b" attributeName="y" to="5" dur="1s" repeatCount=".0000001" begin="a.end"/></rect>',
  ),
  'animations that begin before each other': file(
    '<rect width="9" height="9"><set id="a" attributeName="x" to="5" dur="1s" begin="0s;b.end-.999999s"/><set id="b" attributeName="y" to="5" dur="1s" begin="a.begin+.000001s"/></rect>',
  ),
  'blurs in a scaled drawing': file(
    `<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="24" height="24"><feGaussianBlur stdDeviation=".2"/></filter>${`<g transform="scale(1000)" filter="url(#f)">${AREA}</g>`.repeat(120)}`,
  ),
  'as many blurs as are allowed': file(filtered('<feGaussianBlur stdDeviation="1"/>', 85)),
  'depth hidden in a string': file(`<![cdata["]]>${'<g>'.repeat(50_000)}<g x=">"/>${SHAPE}`),
  'depth hidden in a comment': file(
    `${'<g>'.repeat(50_000)}< !-- >${'</g>'.repeat(50_000)} -->${SHAPE}`,
  ),
  'spaces in an entity': `<!DOCTYPE svg [<!ENTITY ${' '.repeat(900_000)}]>${file(SHAPE)}`,
  'open entities': `<!DOCTYPE svg [${'<!ENTITY % '.repeat(90_000)}]>${file(SHAPE)}`,
  'empty entities': `<!DOCTYPE svg [<!ENTITY e "">]>${file(`<text>${'&e;'.repeat(300_000)}</text>${SHAPE}`)}`,
  instructions: '<?a?>'.repeat(200_000) + file(SHAPE),
  'a long name': file(`<${'a'.repeat(400_000)}/><path ${'b'.repeat(400_000)}="1" d="M0 0h1"/>`),
};