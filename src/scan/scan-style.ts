import { parse as parseCss, type CssSyntaxError, type Parser, type Root } from 'postcss';
import { isIconReference } from './is-icon-reference.ts';
import { scanText } from './scan-text.ts';
import type { Finder } from './found.ts';

export type StyleLanguage = 'css' | 'scss' | 'less' | 'other';

/** A string or an unquoted address. Strings count within `url()` and `image-set()`, and where a stylesheet is imported. */
const ADDRESS = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))\s*\)/gi;
const STRING = /"(icon:[^"\n]*)"|'(icon:[^'\n]*)'/g;
/** Text that the preprocessor puts in: `#{$id}`, `@{id}`, `"icon:" + $id`, `$id`. */
const COMPUTED = /#\{|@\{|^icon:$/;
const CONCATENATED = /\burl\(\s*(["'])icon:[^"'\n]*\1\s*[+~]/gi;

/** Finds `url(icon:…)`: in a whole stylesheet, or in one that begins at `base` in a file of another language. */
export async function scanStyle(
  code: string,
  { finder, language, base = 0 }: { finder: Finder; language: StyleLanguage; base?: number },
): Promise<void> {
  if (!code.includes('icon:')) return;
  // Indented syntaxes have no parser here: comments are taken out, the rest is searched.
  if (language === 'other') return scanPart(withoutComments(code), { finder, at: base });
  let root: Root;
  try {
    root = (await parserOf(language))(code);
  } catch (error) {
    const { line = 1, column = 1, reason } = error as CssSyntaxError;
    const at = base + offsetOf(code, line, column);
    return scanText(code, { finder, base, at, reason: reason ?? String(error) });
  }
  root.walk((node) => {
    if (node.type === 'comment') return;
    const start = node.source?.start?.offset ?? 0;
    const first = 'nodes' in node ? node.nodes?.[0]?.source?.start?.offset : undefined;
    const end = first ?? node.source?.end?.offset ?? code.length;
    const isImport = node.type === 'atrule' && /^(?:import|use|forward)$/.test(node.name);
    scanPart(withoutComments(code.slice(start, end)), { finder, at: base + start, isImport });
  });
}

/** A `style` attribute: declarations without a selector. */
export function scanDeclarations(text: string, finder: Finder, at: number): void {
  scanPart(text, { finder, at });
}

function scanPart(
  part: string,
  { finder, at, isImport = false }: { finder: Finder; at: number; isImport?: boolean },
): void {
  const found = (specifier: string | undefined, match: RegExpMatchArray): void => {
    const start = at + (match.index ?? 0);
    if (specifier === undefined || !specifier.startsWith('icon:')) return;
    if (COMPUTED.test(specifier)) finder.unknown(start, start + match[0].length);
    else if (isIconReference(specifier))
      finder.reference(specifier, start + match[0].indexOf(specifier), 'style');
  };
  for (const match of part.matchAll(ADDRESS)) found(match[1] ?? match[2] ?? match[3], match);
  for (const match of part.matchAll(CONCATENATED)) {
    const start = at + match.index;
    finder.unknown(start, start + match[0].length);
  }
  if (!isImport && !/\bimage-set\(/i.test(part)) return;
  for (const match of part.matchAll(STRING)) found(match[1] ?? match[2], match);
}

async function parserOf(language: 'css' | 'scss' | 'less'): Promise<Parser<Root>> {
  if (language === 'scss') return (await import('postcss-scss')).parse;
  if (language === 'less') return (await import('postcss-less')).default.parse;
  return parseCss;
}

/** The same text, with spaces where comments were: offsets stay right. A `//` within an address is no comment. */
function withoutComments(code: string): string {
  return code.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\burl\([^)]*\)|\/\*[^]*?\*\/|(?<=^|\s)\/\/[^\n]*/g,
    (text) => (text.startsWith('/') ? text.replace(/[^\n]/g, ' ') : text),
  );
}

function offsetOf(code: string, line: number, column: number): number {
  let at = 0;
  for (let rest = line; rest > 1; rest -= 1) at = code.indexOf('\n', at) + 1;
  return at + column - 1;
}
