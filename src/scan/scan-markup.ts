import { Parser } from 'htmlparser2';
import { type Finder, isIconReference, readSrcset, scanText } from './found.ts';
import { scanScript, type ScriptLanguage } from './scan-script.ts';

/** `import('icon:…')` in an expression of a template, which is outside of all scripts. */
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

/** Without the comments that Astro allows between tags: JavaScript's, in braces. */
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

export type MarkupLanguage = 'html' | 'vue' | 'svelte' | 'astro';

/** A part of markup that is written in another language. */
type Block = { name: string; start: number } & (
  | { kind: 'script'; language: ScriptLanguage }
  | { kind: 'style' }
  /** A template that is not HTML, such as Pug. */
  | { kind: 'foreign' }
  /** Data: JSON-LD, an import map, or the template of a library. */
  | { kind: 'data' }
);

const SCRIPT_TYPES =
  /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|typescript|babel|jsx|tsx?)|ts)$/i;

function blockOf({
  name,
  attributes,
  language,
  start,
}: {
  name: string;
  attributes: Readonly<Record<string, string>>;
  language: MarkupLanguage;
  /** The offset at which its text begins. */
  start: number;
}): Block | undefined {
  const { lang = '', type = '' } = attributes;
  if (name === 'script') {
    return SCRIPT_TYPES.test(type)
      ? { name, start, kind: 'script', language: scriptLanguageOf(lang || type, language) }
      : { name, start, kind: 'data' };
  }
  if (name === 'style') return { name, start, kind: 'style' };
  if (name === 'template' && language === 'vue' && lang !== '' && lang !== 'html')
    return { name, start, kind: 'foreign' };
  return undefined;
}

function scriptLanguageOf(name: string, markup: MarkupLanguage): ScriptLanguage {
  if (/tsx$/i.test(name)) return 'tsx';
  return markup === 'astro' || /(?:ts|typescript)$/i.test(name) ? 'ts' : 'js';
}

const ADDRESSES = new Set(['src', 'href', 'xlink:href', 'poster', 'data']);
const SRCSETS = new Set(['srcset', 'imagesrcset']);

/** Reports what an attribute refers to. `written` is the file up to the end of the attribute, entities included. */
export function readAttribute(
  { name, value, written }: { name: string; value: string; written: string },
  finder: Finder,
  base: number,
): void {
  if (!value.includes('icon:')) return;
  const start = written.lastIndexOf(value);
  // A value with entities is shorter than its source. In that case the last `icon:` is the best estimate of the place.
  const placeOf = (offset: number): number =>
    base + (start === -1 ? written.lastIndexOf('icon:') : start + offset);
  const refer = (specifier: string, at: number): void => {
    // A template inserts a part of it: `icon:tabler/{{ name }}`, `icon:tabler/<%= name %>`.
    if (/[{<]/.test(specifier)) finder.unknown(at, at + specifier.length);
    else finder.reference(specifier, at, 'markup');
  };
  if (SRCSETS.has(name.toLowerCase())) {
    for (const { specifier, at } of readSrcset(value)) refer(specifier, placeOf(at));
  } else if (name === 'style') scanStyle(value, { finder, base: placeOf(0) });
  else if (ADDRESSES.has(name) && isIconReference(value.trim()))
    refer(value.trim(), placeOf(value.search(/\S/)));
}

/** A string or an unquoted address. */
const ADDRESS = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))\s*\)/gi;
const STRING = /"(icon:[^"\n]*)"|'(icon:[^'\n]*)'/g;
/** Contexts in which a string is an address: an imported stylesheet, the candidates of `image-set()`. */
const WITH_STRINGS = /@(?:import|use|forward)\b[^;{}]*|\bimage-set\((?:[^()]|\([^()]*\))*\)/gi;
/** Text that the preprocessor inserts: `#{$id}`, `@{id}`, `"icon:" + $id`, `$id`. */
const COMPUTED_STYLE = /#\{|@\{|^icon:$/;
const CONCATENATED = /\burl\(\s*(["'])icon:[^"'\n]*\1\s*[+~]/gi;

/**
 * Finds `url(icon:…)` in CSS, SCSS, Less, Sass or Stylus: in a whole stylesheet, in one that begins at `base` in a file
 * of another language, or in the declarations of a `style` attribute. Comments are left out; nothing else in these
 * languages changes what an address is, so a parser is not needed.
 */
export function scanStyle(
  whole: string,
  { finder, base = 0 }: { finder: Finder; base?: number },
): void {
  if (!whole.includes('icon:')) return;
  const code = withoutComments(whole);
  const found = (specifier: string | undefined, match: RegExpMatchArray, from = 0): void => {
    const start = base + from + (match.index ?? 0);
    if (specifier === undefined || !specifier.startsWith('icon:')) return;
    if (COMPUTED_STYLE.test(specifier)) finder.unknown(start, start + match[0].length);
    else if (isIconReference(specifier))
      finder.reference(specifier, start + match[0].indexOf(specifier), 'style');
  };
  for (const match of code.matchAll(ADDRESS)) found(match[1] ?? match[2] ?? match[3], match);
  for (const { index, 0: text } of code.matchAll(CONCATENATED))
    finder.unknown(base + index, base + index + text.length);
  for (const { index, 0: part } of code.matchAll(WITH_STRINGS))
    for (const match of part.matchAll(STRING)) found(match[1] ?? match[2], match, index);
}

/** The same text, with spaces in place of comments: offsets stay right. A `//` within an address is no comment. */
function withoutComments(code: string): string {
  return code.replace(
    /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|\burl\([^()"']*\)|\/\*[^]*?(?:\*\/|$)|(?<=^|[\s;{}])\/\/[^\n]*/g,
    (text) => (text.startsWith('/') ? text.replace(/[^\n]/g, ' ') : text),
  );
}
