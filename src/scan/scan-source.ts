import { extname } from 'node:path';
import { type Finder, type Scan, scanText, type SourcePlace } from './found.ts';
import type { MarkupLanguage } from './scan-markup.ts';
import { scanScript, type ScriptLanguage } from './scan-script.ts';

type Reader =
  | { kind: 'script'; language: ScriptLanguage }
  | { kind: 'style' }
  | { kind: 'markup'; language: MarkupLanguage }
  | { kind: 'markdown'; isMdx: boolean }
  /** A language without a reader here. */
  | { kind: 'text' };

const READER_BY_EXTENSION: Readonly<Record<string, Reader>> = Object.fromEntries([
  ...readBy({ kind: 'script', language: 'js' }, '.js .mjs .cjs .jsx .gjs'),
  ...readBy({ kind: 'script', language: 'ts' }, '.ts .mts .cts .gts'),
  ...readBy({ kind: 'script', language: 'tsx' }, '.tsx'),
  ...readBy({ kind: 'style' }, '.css .pcss .postcss .scss .less .sass .styl .stylus'),
  ...readBy(
    { kind: 'markup', language: 'html' },
    '.html .htm .njk .liquid .hbs .handlebars .twig .ejs',
  ),
  ...readBy({ kind: 'markup', language: 'vue' }, '.vue'),
  ...readBy({ kind: 'markup', language: 'svelte' }, '.svelte'),
  ...readBy({ kind: 'markup', language: 'astro' }, '.astro'),
  ...readBy({ kind: 'markdown', isMdx: false }, '.md'),
  ...readBy({ kind: 'markdown', isMdx: true }, '.mdx'),
  ...readBy({ kind: 'text' }, '.marko'),
]);

function readBy(reader: Reader, extensions: string): [extension: string, reader: Reader][] {
  return extensions.split(' ').map((extension) => [extension, reader]);
}

/** `icon:` followed by something other than white space: a property `icon: Star` is not worth a parser. */
const WORTH_READING = /icon:\S/;

/**
 * `bg-[url(icon:1)]`: Tailwind creates the rule of a class from its text in any source. The address is looked for
 * first, since looking back from every place of a file takes long.
 */
const IN_CLASS =
  /(?=url\(["']?icon:)(?<=\[(?!["'`])[^\s[\]]*)url\((["']?)(icon:\w[^\s"'()[\]${}]*)\1\)(?=[^\s[\]]*\])/g;

/** True for files that may hold references. Type declarations ship nothing. */
export function isSource(file: string): boolean {
  return extname(file).toLowerCase() in READER_BY_EXTENSION && !/\.d\.[cm]?ts$/i.test(file);
}

/**
 * Every `icon:` reference of one source file, in the order of the file. Parsers are loaded for the languages that
 * occur. A file that cannot be read is searched as text, with a warning: no reference is lost silently.
 *
 * @param file path relative to the root; its extension says the language
 * @param shortcodes templates of Eleventy may write an icon as a shortcode
 */
export async function scanSource({
  text,
  file,
  shortcodes = false,
}: {
  text: string;
  file: string;
  shortcodes?: boolean;
}): Promise<Scan> {
  const { finder, scan } = createFinder(text.replace(/^\ufeff/, ''), file);
  const reader = READER_BY_EXTENSION[extname(file).toLowerCase()];
  if (reader !== undefined && WORTH_READING.test(text)) {
    await read(reader, finder, /\.g[jt]s$/i.test(file));
    for (const { index, 0: address, 2: specifier = '' } of finder.text.matchAll(IN_CLASS))
      finder.reference(specifier, index + address.indexOf(specifier), 'style');
  }
  if (shortcodes) scanShortcodes({ finder, file });
  for (const list of [scan.references, scan.unknown, scan.warnings])
    list.sort((a, b) => a.line - b.line || a.column - b.column);
  return scan;
}

/** A template of Ember, which stands for a value or a member of a class; `0` can be both. */
const EMBER = /<template>[^]*?<\/template>/g;

async function read(reader: Reader, finder: Finder, hasTemplates: boolean): Promise<void> {
  const text = hasTemplates
    ? finder.text.replace(EMBER, (template) => `0${template.slice(1).replace(/[^\r\n]/g, ' ')}`)
    : finder.text;
  switch (reader.kind) {
    case 'script':
      return scanScript(text, { finder, ...reader });
    case 'style':
      return (await import('./scan-markup.ts')).scanStyle(text, { finder });
    case 'markup':
      return (await import('./scan-markup.ts')).scanMarkup(text, { finder, ...reader });
    case 'markdown':
      return (await import('./scan-markdown.ts')).scanMarkdown(text, { finder, ...reader });
    case 'text':
      return scanText(text, { finder });
  }
}

const SHOWN = 80;

/**
 * Collects the references of one file, and turns offsets into lines. A place counts once, even if several readers find
 * it.
 */
function createFinder(text: string, file: string): { finder: Finder; scan: Scan } {
  const scan: Scan = { references: [], unknown: [], warnings: [] };
  const starts = lineStarts(text);
  const seen = new Set<string>();

  function placeOf(offset: number): SourcePlace {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;

  return {
    scan,
    finder: {
      text,
      reference(specifier, offset, place) {
        if (isNew(`${offset} ${specifier}`))
          scan.references.push({ specifier, place, ...placeOf(offset) });
      },
      unknown(start, end) {
        if (!isNew(`${start}`)) return;
        const whole = text.slice(start, end).replace(/\s+/g, ' ');
        const written = whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
        scan.unknown.push({ written, ...placeOf(start) });
      },
      warn(message, offset) {
        scan.warnings.push({ message, ...placeOf(offset) });
      },
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}

/** Languages whose templates Eleventy reads; Liquid or Nunjucks runs over HTML and Markdown first. */
const TEMPLATE = /\.(?:njk|liquid|html?|md|11ty\.[cm]?[jt]sx?)$/i;

const TEXT = /^(["'])([^"'\n]*)\1/;
/** Comments, and text that templates show instead of running. */
const NO_CODE = /\{#[^]*?#\}|\{%-?\s*(raw|verbatim|comment)\b[^]*?%\}[^]*?\{%-?\s*end\1\s*-?%\}/g;
const SHORTCODE = /(\{%-?\s*icon(?:Url)?\s+)([^]*?)\s*-?%\}/g;
const FILTER = /(\{\{-?\s*)([^{}|]*?)\s*\|\s*icon(?:Url)?\b([^{}|]*)[^{}]*\}\}/g;
const CALL = /(\bthis\.icon(?:Url)?\(\s*)([^)]*)\)/g;
/** `{ color: "f00" }` and `color="f00"`. */
const PARAMETER = /\b(color|size)["']?\s*[:=]\s*(["']?)([^"',}\s]+)\2/g;

/** Finds icons of the shortcodes and filters `icon` and `iconUrl` in the templates of an Eleventy project. */
function scanShortcodes({ finder, file }: { finder: Finder; file: string }): void {
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
