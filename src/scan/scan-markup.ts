import { Parser } from 'htmlparser2';
import { readAttribute } from './read-attribute.ts';
import { scanScript } from './scan-script.ts';
import { scanStyle } from './scan-style.ts';
import { scanText } from './scan-text.ts';
import { blockOf, type Block, type MarkupLanguage } from './template-block.ts';
import type { Finder } from './found.ts';

/** `import('icon:…')` in an expression of a template, which belongs to no script. */
const IMPORTED = /\bimport\(\s*(["'`])(icon:(?:(?!\1)[^\s\\$])+)\1\s*\)/g;
const COMPUTED = /\bimport\(\s*(?:`icon:[^`]*\$\{[^`]*`|(["'])icon:[^"']*\1\s*\+[^)]*)\s*\)/g;
const FRONT_MATTER = /^(\s*---[^\S\n]*\n)([^]*?)\n---[^\S\n]*(?:\n|$)/;

/**
 * Finds references in HTML and in the templates, scripts and styles of Vue, Svelte and Astro: a whole file, or markup
 * that begins at `base` in a file of another language.
 */
export function scanMarkup(
  whole: string,
  { finder, language, base = 0 }: { finder: Finder; language: MarkupLanguage; base?: number },
): void {
  const [head = '', opening = '', script = ''] =
    (language === 'astro' ? FRONT_MATTER.exec(whole) : null) ?? [];
  scanScript(script, { finder, language: 'ts', base: base + opening.length });
  const code = `${blanked(head)}${withoutNotes(whole.slice(head.length), language)}`;
  const blocks: (Block & { end: number })[] = [];
  const hidden: { start: number; end: number }[] = [];
  let open: Block | undefined;

  const parser = new Parser(
    {
      onattribute(name, value) {
        readAttribute({ name, value, written: code.slice(0, parser.endIndex + 1) }, finder, base);
      },
      onopentag(name, attributes) {
        open ??= blockOf({ name, attributes, language, start: parser.endIndex + 1 });
      },
      onclosetag(name, isImplied) {
        if (open?.name !== name) return;
        blocks.push({ ...open, end: isImplied ? code.length : parser.startIndex });
        open = undefined;
      },
      oncomment() {
        hidden.push({ start: parser.startIndex, end: parser.endIndex + 1 });
      },
    },
    { recognizeSelfClosing: language !== 'html' },
  );
  parser.end(code);

  for (const block of blocks) {
    const text = code.slice(block.start, block.end);
    const at = base + block.start;
    if (block.kind === 'script') scanScript(text, { finder, language: block.language, base: at });
    if (block.kind === 'style') scanStyle(text, { finder, base: at });
    if (block.kind === 'foreign') scanText(text, { finder, base: at });
  }
  if (language !== 'html') readExpressions(without(code, [...blocks, ...hidden]), finder, base);
}

function readExpressions(template: string, finder: Finder, base: number): void {
  for (const match of template.matchAll(IMPORTED)) {
    const specifier = match[2] ?? '';
    finder.reference(specifier, base + match.index + match[0].indexOf(specifier), 'script');
  }
  for (const { index, 0: text } of template.matchAll(COMPUTED))
    finder.unknown(base + index, base + index + text.length);
}

/** Comments of JavaScript between the tags: `in braces. */
function withoutNotes(code: string, language: MarkupLanguage): string {
  return language === 'astro' ? code.replace(/\{\s*\/\*[^]*?\*\/\s*\}/g, blanked) : code;
}

function without(code: string, ranges: readonly { start: number; end: number }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(code.slice(at, start), blanked(code.slice(start, end)));
    at = end;
  }
  return [...parts, code.slice(at)].join('');
}

/** As long as before, so that offsets stay right. */
function blanked(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
