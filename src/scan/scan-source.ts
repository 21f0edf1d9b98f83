import { extname } from 'node:path';
import { createFinder } from './create-finder.ts';
import { scanShortcodes } from './scan-shortcodes.ts';
import type { Finder, Scan } from './found.ts';
import type { ScriptLanguage } from './scan-script.ts';
import type { MarkupLanguage } from './template-block.ts';

type Reader =
  | { kind: 'script'; language: ScriptLanguage }
  | { kind: 'style' }
  | { kind: 'markup'; language: MarkupLanguage }
  | { kind: 'markdown'; isMdx: boolean };

const READER_BY_EXTENSION: Readonly<Record<string, Reader>> = {
  '.js': { kind: 'script', language: 'js' },
  '.mjs': { kind: 'script', language: 'js' },
  '.cjs': { kind: 'script', language: 'js' },
  '.jsx': { kind: 'script', language: 'js' },
  '.ts': { kind: 'script', language: 'ts' },
  '.mts': { kind: 'script', language: 'ts' },
  '.cts': { kind: 'script', language: 'ts' },
  '.tsx': { kind: 'script', language: 'tsx' },
  '.css': { kind: 'style' },
  '.pcss': { kind: 'style' },
  '.postcss': { kind: 'style' },
  '.scss': { kind: 'style' },
  '.less': { kind: 'style' },
  '.sass': { kind: 'style' },
  '.styl': { kind: 'style' },
  '.stylus': { kind: 'style' },
  '.html': { kind: 'markup', language: 'html' },
  '.htm': { kind: 'markup', language: 'html' },
  '.njk': { kind: 'markup', language: 'html' },
  '.liquid': { kind: 'markup', language: 'html' },
  '.vue': { kind: 'markup', language: 'vue' },
  '.svelte': { kind: 'markup', language: 'svelte' },
  '.astro': { kind: 'markup', language: 'astro' },
  '.md': { kind: 'markdown', isMdx: false },
  '.mdx': { kind: 'markdown', isMdx: true },
};

/** `icon:` with something behind it that is no white space: a property `icon: Star` is not worth a parser. */
const WORTH_READING = /icon:\S/;

/**
 * `bg-[url(icon:1)]`: Tailwind makes a rule of a class wherever a source has its text. The address is looked for first,
 * since looking back from every place of a file takes long.
 */
const IN_CLASS =
  /(?=url\(["']?icon:)(?<=\[(?!["'`])[^\s[\]]*)url\((["']?)(icon:\w[^\s"'()[\]${}]*)\1\)(?=[^\s[\]]*\])/g;

/** True for files that may hold references. Declarations of types ship nothing. */
export function isSource(file: string): boolean {
  return extname(file).toLowerCase() in READER_BY_EXTENSION && !/\.d\.[cm]?ts$/i.test(file);
}

/**
 * Every `icon:` reference of one source file, in the order of the file. Parsers are loaded for the languages that occur.
 * What cannot be read is searched as text, with a warning: no reference is lost silently.
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
    await read(reader, finder);
    for (const { index, 0: address, 2: specifier = '' } of finder.text.matchAll(IN_CLASS))
      finder.reference(specifier, index + address.indexOf(specifier), 'style');
  }
  if (shortcodes) scanShortcodes({ finder, file });
  for (const list of [scan.references, scan.unknown, scan.warnings])
    list.sort((a, b) => a.line - b.line || a.column - b.column);
  return scan;
}

async function read(reader: Reader, finder: Finder): Promise<void> {
  const { text } = finder;
  switch (reader.kind) {
    case 'script':
      return (await import('./scan-script.ts')).scanScript(text, { finder, ...reader });
    case 'style':
      return (await import('./scan-style.ts')).scanStyle(text, { finder });
    case 'markup':
      return (await import('./scan-markup.ts')).scanMarkup(text, { finder, ...reader });
    case 'markdown':
      return (await import('./scan-markdown.ts')).scanMarkdown(text, { finder, ...reader });
  }
}
