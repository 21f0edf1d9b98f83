import { cross, FETCH, file, HTML, RUN, SHAPE, type Family } from './svg-file.ts';

/** Elements that HTML's parser takes out of a drawing, or that read what follows as text. */
const NAMES =
  'script SCRIPT ScRiPt style STYLE title TITLE desc foreignObject FOREIGNOBJECT foreignobject annotation-xml math mi mtext mglyph font FONT p br table template noscript noembed xmp plaintext select option textarea iframe frameset body html head base link meta form input button isindex object embed applet audio video source image IMAGE img feImage feimage set SET animate ANIMATE handler listener portal dialog details marquee slot svg SVG a A use USE metadata cursor view discard mesh hatch solidColor'.split(
    ' ',
  );

const INNER = `<img src="x" onerror="${RUN}"/><script>${RUN}</script>`;
const ATTRIBUTES = `onload="${RUN}" onfocus="${RUN}" autofocus="" tabindex="1" href="javascript:${RUN}" xlink:href="${FETCH}" src="${FETCH}" data="${FETCH}" srcdoc="&lt;script>${RUN}&lt;/script>" action="${FETCH}" formaction="javascript:${RUN}" http-equiv="refresh" content="0;url=${FETCH}" popovertarget="x" color="red" face="x" size="9" encoding="text/html" definitionURL="${FETCH}" attributeName="href" to="javascript:${RUN}" values="javascript:${RUN}" begin="0s"`;

/** Every spelling of an address that runs or fetches. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java&#9;script:${RUN}`,
  `java&#10;script:${RUN}`,
  `&#1;javascript:${RUN}`,
  `javascript&#58;${RUN}`,
  `\u00a0javascript:${RUN}`,
  `vbscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`.replaceAll('<', '&lt;'),
  `data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iYWxlcnQoMSkiLz4=#x`,
  'blob:null/0',
  'file:///etc/passwd',
  'chrome://settings',
  'view-source:https://evil.example/',
  'filesystem:https://evil.example/x',
  'about:blank#x',
  'ws://evil.example/x',
  '//evil.example/x#a',
  '\\\\evil.example\\x',
  '/\\evil.example/x#a',
  'x.svg#a',
  '?x#a',
  '.#a',
  '#a#b',
  '# a',
  '#&#xfdd1;',
  '#svgView(viewBox(0,0,1,1))',
  '#xpointer(id(a))',
  '#:~:text=a',
  '#__proto__',
  '#constructor',
  '',
];

export const elements: Family = {
  ...cross('element', NAMES, {
    plain: (name) => file(`<${name} ${ATTRIBUTES}>${INNER}</${name}>${SHAPE}`),
    'in html': (name) =>
      file(`${SHAPE}<g xmlns:h="${HTML}"><h:${name} ${ATTRIBUTES}>${INNER}</h:${name}></g>`),
    'with a rebound namespace': (name) =>
      file(
        `${SHAPE}<g xmlns="${HTML}"><${name} ${ATTRIBUTES}><path xmlns="http://www.w3.org/2000/svg" onload="${RUN}" d="M0 0h1"/>${INNER}</${name}></g>`,
      ),
    'in text': (name) => file(`${SHAPE}<text>a<${name} ${ATTRIBUTES}>${INNER}</${name}>b</text>`),
    'in a switch': (name) =>
      file(
        `<switch><${name} requiredFeatures="" ${ATTRIBUTES}>${INNER}</${name}><g>${SHAPE}</g></switch>`,
      ),
  }),
  ...cross('address', ADDRESSES, {
    'of a link': (url) => file(`<a href="${url}" target="_top" ping="${FETCH}">${SHAPE}</a>`),
    'of use': (url) => file(`${SHAPE}<path id="a" d="M0 0h1"/><use href="${url}"/>`),
    'of xlink use': (url) =>
      file(`${SHAPE}<path id="a" d="M0 0h1"/><use href="#a" xlink:href="${url}"/>`),
    'of a gradient': (url) =>
      file(`<linearGradient id="g" href="${url}"/><path fill="url(#g)" d="M0 0h9v9"/>`),
    'in a paint': (url) => file(`<path fill="url(${url})" stroke="url('${url}')" d="M0 0h9v9"/>`),
    'in a filter': (url) =>
      file(`<g filter="url(${url})" mask="url(&quot;${url}&quot;)">${SHAPE}</g>`),
    'in an animation': (url) => file(`<a><set attributeName="href" to="${url}"/>${SHAPE}</a>`),
  }),
};