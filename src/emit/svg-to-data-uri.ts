/**
 * Markup as a `data:` address that may stand in quotes of either kind, in an attribute of HTML, and
 * without quotes in a CSS `url()`: no quote, parenthesis, white space, backslash, `<`, `>`, `&` or `#`
 * is left. Unlike base64 it compresses together with other icons.
 */
export function svgToDataUri(svg: string): string {
  return `data:image/svg+xml,${svg
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^\w!$*+,\-./:;=?@~]+/g, encode)}`;
}

/** A file of an icon as a `data:` address. */
export function dataUriOf({
  source,
  contentType,
}: {
  source: string | Uint8Array;
  contentType: string;
}): string {
  if (typeof source === 'string') return svgToDataUri(source);
  return `data:${contentType};base64,${Buffer.from(source).toString('base64')}`;
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("'", '%27')
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}
