const ATTRIBUTE = String.raw`\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`;
const LINK = new RegExp(`<a\\b[^>]*?\\shref${ATTRIBUTE}`, 'gi');
const REFERENCE = new RegExp(`\\s(?:src|href)${ATTRIBUTE}`, 'gi');

/** Files of the site that a page links to, as paths from the site's root. */
export function linksOf(html: string, page: string): string[] {
  return resolveAll(html.matchAll(LINK), page);
}

/** Files that a page loads or links to. */
export function referencesOf(html: string, page: string): string[] {
  return resolveAll(html.matchAll(REFERENCE), page);
}

function resolveAll(found: Iterable<RegExpMatchArray>, page: string): string[] {
  const paths: string[] = [];
  for (const [, double, single, bare] of found) {
    const address = (double ?? single ?? bare ?? '').replaceAll('&amp;', '&');
    if (!URL.canParse(address, `${SITE}${page}`)) continue;
    const url = new URL(address, `${SITE}${page}`);
    if (url.href.startsWith(SITE)) paths.push(decode(url.pathname.slice(1)));
  }
  return paths;
}

const SITE = 'http://site.invalid/';

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
