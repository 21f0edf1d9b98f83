import { cross, FETCH, file, many, RUN, SHAPE, type Family } from './svg-file.ts';

const VALUES = [
  `url(${FETCH})`,
  `URL( "${FETCH}" )`,
  `u\\72l(${FETCH})`,
  `\\75 rl(${FETCH})`,
  `url(${FETCH} )`,
  `url(a b ${FETCH})`,
  `src("${FETCH}")`,
  `image("${FETCH}")`,
  `image-set("${FETCH}" 1x)`,
  `-webkit-image-set(url(${FETCH}) 1x)`,
  `cross-fade(url(${FETCH}), red)`,
  `element(#a)`,
  `paint(worklet)`,
  `attr(href url)`,
  `attr(data-x)`,
  `env(safe-area-inset-top)`,
  `var(--x, url(${FETCH}))`,
  `var(--x)`,
  `expression(${RUN})`,
  `/*/*/url(${FETCH})/**/`,
  `url(/**/${FETCH})`,
  `url("${FETCH}`,
  `red;}*{background:url(${FETCH})`,
  `red}/*`,
  `red!important;position:fixed;inset:0`,
  `\\0000 url(${FETCH})`,
  `"\\"};*{background:url(${FETCH})}"`,
];

const PROPERTIES =
  'fill stroke filter mask mask-image clip-path marker marker-start cursor background background-image list-style content font font-family src border-image shape-outside offset-path behavior -moz-binding --x animation transform font-size width display'.split(
    ' ',
  );

const SHEETS = [
  `@import "${FETCH}";`,
  `@import url(${FETCH}) layer(a) supports(display:grid);`,
  `@\\69mport "${FETCH}";`,
  `<!-- @import "${FETCH}"; -->`,
  `@charset "utf-7";@import "${FETCH}";`,
  `@namespace h "http://www.w3.org/1999/xhtml";h|body{display:none}`,
  `@font-face{font-family:a;src:url(${FETCH})}text{font-family:a}`,
  `@layer a{body{display:none}}`,
  `@container (width>1px){body{display:none}}`,
  `@property --x{syntax:"<url>";inherits:true;initial-value:url(${FETCH})}`,
  `@scope (html) to (svg){*{display:none}}`,
  `@starting-style{body{opacity:0}}`,
  `@media all{path{fill:url(${FETCH})}}`,
  `@media screen{body,html,*{display:none!important}}`,
  `@supports (a:b){path{fill:url(${FETCH})}}`,
  `@page{margin:url(${FETCH})}`,
  `@view-transition{navigation:auto}`,
  `@counter-style a{symbols:url(${FETCH})}`,
  `@keyframes a{from{fill:url(${FETCH})}}path{animation:a 1s}`,
  `:root{--x:url(${FETCH});font-size:9999px}`,
  `:host,::slotted(*),::part(a){display:none}`,
  `html:has(svg) body{display:none}`,
  `body *{position:fixed;inset:0;z-index:2147483647}`,
  `*::before{content:url(${FETCH})}`,
  `[onload],[href^="a"]{fill:url(${FETCH})}`,
  `path{fill:red;&:hover{fill:url(${FETCH})}}`,
  `path{fill:red`,
  `path{fill:"red`,
  `path{fill:red}/*`,
  `path{fill:red\\`,
  `}path{fill:red}{`,
  `]]&gt;path{fill:red}`,
  `&lt;/style>&lt;script>${RUN}&lt;/script>`,
  `svg{width:100vw;height:100vh;position:fixed;font-size:500px}`,
  `svg{display:block;opacity:.99;filter:blur(9px);transform:scale(99)}`,
  `*{all:unset}`,
  `path:not(:is(a,b)):where(*){fill:red}`,
  `__proto__{fill:red}.constructor{fill:red}#toString{fill:red}`,
  `p\\61th{fill:url(\\23 a)}`,
];

export const styles: Family = {
  ...cross('value', VALUES, {
    'in a style attribute': (value) =>
      file(
        `<path style="${PROPERTIES.map((name) => `${name}:${value}`)
          .join(';')
          .replaceAll('"', '&quot;')}" d="M0 0h9v9"/>`,
      ),
    'in a style element': (value) =>
      file(`<style>${PROPERTIES.map((name) => `path{${name}:${value}}`).join('')}</style>${SHAPE}`),
    'in attributes': (value) =>
      file(
        `<path ${PROPERTIES.filter((name) => /^[a-z-]+$/.test(name) && !name.startsWith('-'))
          .map((name) => `${name}="${value.replaceAll('"', '&quot;')}"`)
          .join(' ')} d="M0 0h9v9"/>`,
      ),
    'on the root': (value) =>
      file(
        SHAPE,
        `viewBox="0 0 9 9" style="fill:${value.replaceAll('"', '&quot;')};font-size:99px"`,
      ),
  }),
  ...cross('sheet', SHEETS, {
    alone: (sheet) => file(`<style>${sheet}</style>${SHAPE}`),
    'in CDATA': (sheet) =>
      file(`<style><![CDATA[${sheet.replaceAll('&lt;', '<')}]]></style>${SHAPE}<text>a</text>`),
    'after another': (sheet) =>
      file(`<style>path{fill:red}</style><style>${sheet}</style>${SHAPE}`),
  }),
  'bad declarations': file(`<style>path{${'a;'.repeat(100_000)}}</style>${SHAPE}`),
  'bad style attributes': file(`<path style="${'a;'.repeat(100_000)}" d="M0 0h1"/>`.repeat(4)),
  colons: file(`<style>path{${':'.repeat(200_000)}}</style>${SHAPE}`),
  'at signs': file(`<style>${'@a '.repeat(80_000)}</style>${SHAPE}`),
  'a list of selectors': file(`<style>${'a,'.repeat(100_000)}path{fill:red}</style>${SHAPE}`),
  'comments in a value': file(`<style>path{fill:${'/* * '.repeat(50_000)}*/red}</style>${SHAPE}`),
  backslashes: file(`<style>${'\\'.repeat(200_000)}</style>${SHAPE}`),
  classes: file(
    `<path class="${many(40_000, (index) => `a${index} `)}" d="M0 0h1"/><style>.a1{fill:red}</style>`,
  ),
};