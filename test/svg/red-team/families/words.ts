import { cross, file, RUN, SHAPE, type Family } from './svg-file.ts';

/** Words that end the string, element or template that holds them. */
export const BREAKOUTS: readonly string[] = [
  `</script><script>${RUN}</script>`,
  `<!--<script>`,
  `-->`,
  `--!><img src=x onerror=${RUN}>`,
  `]]><script>${RUN}</script>`,
  `</title></svg><img src=x onerror=${RUN}>`,
  `</style><script>${RUN}</script>`,
  `" onload="${RUN}`,
  `' onload='${RUN}`,
  `\`+${RUN}+\``,
  '${' + RUN + '}',
  `{{constructor.constructor('${RUN}')()}}`,
  `{${RUN}}`,
  `{@html x}`,
  `<%= ${RUN} %>`,
  `\\u003cscript>`,
  `\\`,
  `\\'`,
  `*/${RUN}/*`,
  `");${RUN};("`,
  `');${RUN};('`,
  `\u2028${RUN}\u2029`,
  `\u202e\u2066x`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `javascript:${RUN}`,
  `[x](javascript:${RUN})`,
  `<javascript:${RUN}>`,
  `\ufdd0\ufdd1`,
  '__proto__',
];

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\ufdd0', '&#xfdd0;')
    .replaceAll('\ufdd1', '&#xfdd1;');

export const words: Family = cross('words', BREAKOUTS.map(escape), {
  'in text': (text) => file(`<text y="9" font-family="${text}">${text}</text>${SHAPE}`),
  'in a credit': (text) => file(`<text y="9">Created by ${text}</text>${SHAPE}`),
  'in CDATA': (text) => file(`<text y="9"><![CDATA[${text}]]></text>${SHAPE}`),
  'in names': (text) =>
    file(
      `<g id="${text}" class="${text}" style="${text}"><use href="#${text}"/>${SHAPE}</g><title>${text}</title>`,
    ),
});