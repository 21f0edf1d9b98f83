/** Puts an icon into a text, once it is there. */
export type Put<Value> = () => Value | Promise<Value>;

/**
 * Waits for all icons of a text at once, as each may come from the catalog, and puts one after the other in place: the
 * names of emitted files follow the order of the text, never that of the answers.
 * @throws what the first of them, in the order of the text, was rejected with
 */
export async function inOrder<Value>(icons: Iterable<Promise<Put<Value>>>): Promise<Put<Value[]>> {
  const outcomes = await Promise.allSettled(icons);
  const puts = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return async () => {
    const values: Value[] = [];
    for (const put of puts) values.push(await put());
    return values;
  };
}

/**
 * A style sheet, or the value of a `style` attribute, with addresses in place of its `icon:` references.
 * @param find is asked for all references at once, with their offsets; what it resolves to gives the address
 * @throws what `find` throws for the first reference that has no icon
 */
export async function prepareStyle(
  css: string,
  find: (reference: StyleReference, offset: number) => Promise<Put<string>>,
  syntax: StyleSyntax = {},
): Promise<Put<string>> {
  const references = findStyleReferences(css, syntax);
  if (references.length === 0) return () => css;
  const put = await inOrder(references.map(async (each) => find(each, each.start)));
  return async () => {
    const addresses = await put();
    const edits = references.map(({ start, end }, at): Edit => {
      return { start, end, text: toCssUrl(addresses[at] ?? '') };
    });
    return applyEdits(css, edits);
  };
}

/** `prepareStyle`, with the icons put in place. */
export async function rewriteStyle(...given: Parameters<typeof prepareStyle>): Promise<string> {
  const put = await prepareStyle(...given);
  return put();
}

/** An `icon:` in a style sheet, and the text that an image replaces. */
interface StyleReference {
  start: number;
  end: number;
  /** `icon:…`, with escapes of CSS decoded. */
  specifier: string;
  /** The lower-case name of the property (`mask-image`, `--icon`), or of the at-rule with its `@`. */
  property: string;
}

interface StyleSyntax {
  /** `//` starts a comment (SCSS, Less, Stylus). @default false */
  lineComments?: boolean;
  /** No preprocessor runs after this: text that looks like an interpolation is a reference, too. @default false */
  isFinished?: boolean;
}

/**
 * Preprocessors read the `url()` of a partial as a path and put the partial's folder before it. The name before the
 * colon is not a drive, a host or a folder of any project.
 */
const REFERENCE = /^(?:[^:?#"'\\]*\/)?(icon:[^]*)$/;
/** Interpolations and variables of a preprocessor that has not run yet. */
const UNFINISHED = /[#@$]\{|^\$|\{\{/;
const NAME = /[\w-]/;
const IMAGE_SETS = new Set(['image-set', '-webkit-image-set']);

/** Every `url(icon:…)`, `src("icon:…")` and `image-set("icon:…" 1x)` of a style sheet, comments and other strings left out. */
export function findStyleReferences(
  css: string,
  { lineComments = false, isFinished = false }: StyleSyntax = {},
): StyleReference[] {
  if (!css.includes('icon:') && !css.includes('icon\\')) return [];
  const found: StyleReference[] = [];
  /** The names of the functions and blocks that are open here. */
  const open: string[] = [];
  let statement = 0;
  let at = 0;

  function add(written: string, start: number, end: number): void {
    const [, specifier] = REFERENCE.exec(decodeCssText(written).trim()) ?? [];
    if (specifier === undefined || (!isFinished && UNFINISHED.test(specifier))) return;
    found.push({ start, end, specifier, property: propertyOf(css.slice(statement, start)) });
  }

  while (at < css.length) {
    const character = css[at] ?? '';
    if (character === '/' && css[at + 1] === '*') {
      at = after(css, '*/', at + 2);
    } else if (lineComments && character === '/' && css[at + 1] === '/') {
      at = after(css, '\n', at + 2);
    } else if (character === '"' || character === "'") {
      const end = endOfString(css, at);
      if (IMAGE_SETS.has(open.at(-1) ?? '')) add(css.slice(at + 1, end - 1), at, end);
      at = end;
    } else if (character === '\\') {
      at += 2;
    } else if (NAME.test(character)) {
      const start = at;
      while (at < css.length && NAME.test(css[at] ?? '')) at += 1;
      if (css[at] !== '(') continue;
      const name = css.slice(start, at).toLowerCase();
      const address = name === 'url' || name === 'src' ? readAddress(css, at + 1) : undefined;
      if (address === undefined) {
        open.push(name);
        at += 1;
      } else {
        add(address.written, start, address.end);
        at = address.end;
      }
    } else {
      if (character === '(' || character === '[') open.push('');
      if (character === ')' || character === ']') open.pop();
      if (character === '{' || character === '}' || (character === ';' && open.length === 0)) {
        statement = at + 1;
        open.length = 0;
      }
      at += 1;
    }
  }
  return found;
}

/** The content of the parentheses of `url()`; `undefined` if it is neither one string nor an unquoted address. */
function readAddress(css: string, from: number): { written: string; end: number } | undefined {
  let at = from;
  while (/\s/.test(css[at] ?? '')) at += 1;
  const quote = css[at];
  if (quote === '"' || quote === "'") {
    const end = endOfString(css, at);
    const close = /^\s*\)/.exec(css.slice(end, end + 200));
    if (close === null) return undefined;
    return { written: css.slice(at + 1, end - 1), end: end + close[0].length };
  }
  const start = at;
  while (at < css.length && css[at] !== ')') at += css[at] === '\\' ? 2 : 1;
  return at >= css.length ? undefined : { written: css.slice(start, at), end: at + 1 };
}

function endOfString(css: string, start: number): number {
  const quote = css[start];
  let at = start + 1;
  while (at < css.length && css[at] !== quote) at += css[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, css.length);
}

function after(css: string, text: string, from: number): number {
  const found = css.indexOf(text, from);
  return found === -1 ? css.length : found + text.length;
}

function propertyOf(statement: string): string {
  const text = statement.replace(/\/\*[^]*?\*\//g, '').trimStart();
  const [name = ''] = /^@?[\w-]+/.exec(text) ?? [];
  return name.toLowerCase();
}

/** CSS Syntax 3, "consume an escaped code point"; a line break after a backslash in a string is removed. */
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|[\n\f\r])|([^]))/gi;

/** The value of a string or an unquoted `url()` of CSS. */
function decodeCssText(written: string): string {
  if (!written.includes('\\')) return written;
  return written.replace(ESCAPE, (_, hex?: string, lineBreak?: string, character?: string) => {
    if (lineBreak !== undefined) return '';
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** `url("…")` for any address: characters that could end the string or the line are escaped. */
export function toCssUrl(address: string): string {
  return `url("${address.replace(/["\\\n\r\f]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(16)} `,
  )}")`;
}

/** Text that replaces `text.slice(start, end)`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The text with all edits applied. Everything outside of their ranges stays byte for byte. Ranges must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
