import type { Finder } from './found.ts';

/** Languages whose templates Eleventy reads; HTML and Markdown run through Liquid or Nunjucks first. */
const TEMPLATE = /\.(?:njk|liquid|html?|md|11ty\.[cm]?[jt]sx?)$/i;

const TEXT = /^(["'])([^"'\n]*)\1/;
/** Comments, and what templates show instead of running it. */
const NO_CODE = /\{#[^]*?#\}|\{%-?\s*(raw|verbatim|comment)\b[^]*?%\}[^]*?\{%-?\s*end\1\s*-?%\}/g;
const SHORTCODE = /(\{%-?\s*icon(?:Url)?\s+)([^]*?)\s*-?%\}/g;
const FILTER = /(\{\{-?\s*)([^{}|]*?)\s*\|\s*icon(?:Url)?\b([^{}|]*)[^{}]*\}\}/g;
const CALL = /(\bthis\.icon(?:Url)?\(\s*)([^)]*)\)/g;
/** `{ color: "f00" }` and `color="f00"`. */
const PARAMETER = /\b(color|size)["']?\s*[:=]\s*(["']?)([^"',}\s]+)\2/g;

/** Finds icons of the shortcodes and filters `icon` and `iconUrl` in the templates of an Eleventy project. */
export function scanShortcodes({ finder, file }: { finder: Finder; file: string }): void {
  if (!TEMPLATE.test(file)) return;
  const text = finder.text.replace(NO_CODE, (hidden) => hidden.replace(/[^\n]/g, ' '));
  for (const pattern of [SHORTCODE, FILTER, CALL])
    for (const { index, 0: whole, 1: before = '', 2: said = '', 3: more = '' } of text.matchAll(
      pattern,
    )) {
      const at = index + before.length;
      const [literal = '', , written = ''] = TEXT.exec(said) ?? [];
      if (written.trim() === '') finder.unknown(index, index + whole.length);
      else
        finder.reference(
          specifierOf(written.trim(), said.slice(literal.length) + more),
          at + 1,
          'markup',
        );
    }
}

function specifierOf(written: string, options: string): string {
  const params = Array.from(
    options.matchAll(PARAMETER),
    ([, name = '', , value = '']) => `${name}=${encodeURIComponent(value)}`,
  );
  const specifier = written.startsWith('icon:') ? written : `icon:${written}`;
  if (params.length === 0) return specifier;
  return `${specifier}${specifier.includes('?') ? '&' : '?'}${params.join('&')}`;
}
