import { type Finder, isIconReference, scanText } from './found.ts';
import { readMarkdownBlocks, type MarkdownBlock } from './markdown-blocks.ts';
import { readAttribute, scanMarkup } from './scan-markup.ts';
import { parseScript, scanScript, walkScript } from './scan-script.ts';

/** The target of a link or picture: `<icon:…>`, or the text up to white space, with parentheses in pairs. */
const ADDRESS = String.raw`(?:<(icon:[^<>\n]*)>|(icon:(?:\\.|[^\s()\\<>]|\([^\s()]*\))*)(?=[\s)]|$))`;
const ATTRIBUTE = String.raw`\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>${'`'}]+))?`;
/**
 * The elements of inline markup, of which the first match wins: an escape, code, an address, then those that the two
 * languages add.
 */
const COMMON = String.raw`(?<escape>\\[!-/:-@[-${'`'}{-~])|(?<code>${'`'}+)|(?<=\])\(\s*${ADDRESS}|(?<=^[ \t>*+-]*)\[[^\]\n]+\]:\s*${ADDRESS}`;
const HTML = String.raw`(?<html><!--[^]*?-->|<(?:[A-Za-z][\w.-]*)(?:${ATTRIBUTE})*\s*/?>)|<(icon:[^\s<>]+)>`;
const JSX = String.raw`(?<=\s)(?<name>[A-Za-z][\w:-]*)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?=\{))|(?<brace>\{)`;
const INLINE = new RegExp(`${COMMON}|${HTML}`, 'gm');
const INLINE_MDX = new RegExp(`${COMMON}|${JSX}`, 'gm');
/** An expression that is only a string. */
const LITERAL = /^\{\s*(["'`])([^"'`$\\]*)\1\s*\}$/;
/** Closing braces that are tried for one expression: strings and comments may hold some. */
const MOST_TRIES = 100;

/** Finds references in Markdown: pictures, links and HTML, in MDX also imports, components and expressions. Code is not read. */
export function scanMarkdown(
  text: string,
  { finder, isMdx }: { finder: Finder; isMdx: boolean },
): void {
  const html: { start: number; end: number }[] = [];
  let unclosed: number | undefined;

  function readBlock({ kind, start, end }: MarkdownBlock): number {
    if (kind === 'prose') return readProse(start, end);
    if (kind === 'html') html.push({ start, end });
    else {
      const scriptEnd = endOfScript(text, start);
      scanScript(text.slice(start, scriptEnd), { finder, language: 'js', base: start });
      return scriptEnd;
    }
    return end;
  }

  function readProse(start: number, end: number): number {
    const pattern = new RegExp(isMdx ? INLINE_MDX : INLINE);
    const part = text.slice(0, end);
    let attribute: string | undefined;
    pattern.lastIndex = start;
    for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
      const at = match.index;
      const { code, html: tag, brace, name, double, single } = match.groups ?? {};
      if (code !== undefined) pattern.lastIndex = endOfCode(part, at, code.length);
      else if (tag !== undefined) html.push({ start: at, end: pattern.lastIndex });
      else if (brace !== undefined) {
        // If an expression does not close, all of the file is searched as text.
        const close = unclosed === undefined ? readExpression(at, attribute) : undefined;
        if (close === undefined) unclosed ??= at;
        else if (close > end) return close;
        else pattern.lastIndex = close;
      } else if (name !== undefined) {
        const value = double ?? single;
        const written = text.slice(0, pattern.lastIndex);
        if (value !== undefined)
          readAttribute({ name, value: withoutEntities(value), written }, finder, 0);
      } else readAddress(match);
      attribute = name;
    }
    return end;
  }

  function readAddress(match: RegExpExecArray): void {
    const written = match.slice(1).find((group) => group?.startsWith('icon:'));
    if (written === undefined) return;
    const address = withoutEntities(written).replace(/\\([!-/:-@[-`{-~])/g, '$1');
    const at = match.index + match[0].lastIndexOf(written);
    if (isIconReference(address)) finder.reference(address, at, 'markup');
  }

  /** Reads what is in the braces that open at `start`; `undefined` if they do not close. */
  function readExpression(start: number, attribute: string | undefined): number | undefined {
    for (const end of closingsOf(text, start)) {
      // Nothing is read from a list, a comment or `...properties`.
      const root = parsed(`[${text.slice(start + 1, end - 1)}]`);
      if (root === undefined) continue;
      walkScript(root, finder, start);
      const literal = LITERAL.exec(text.slice(start, end))?.[2];
      if (attribute !== undefined && literal !== undefined)
        readAttribute({ name: attribute, value: literal, written: text.slice(0, end) }, finder, 0);
      return end;
    }
    return undefined;
  }

  readMarkdownBlocks(text, { isMdx, onBlock: readBlock });
  for (const { start, end } of html)
    scanMarkup(text.slice(start, end), { finder, language: 'html', base: start });
  if (unclosed !== undefined)
    scanText(text, { finder, at: unclosed, reason: 'a brace is opened but never closed' });
}

/**
 * The offsets after the braces that may close the one at `start`: first those that close it if no string or comment
 * holds a brace.
 */
function closingsOf(text: string, start: number): number[] {
  const likely: number[] = [];
  const others: number[] = [];
  let depth = 0;
  for (const { index, 0: brace } of text.slice(start).matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (brace === '}') (depth <= 0 ? likely : others).push(start + index + 1);
    if (likely.length >= MOST_TRIES) break;
  }
  return [...likely, ...others].slice(0, MOST_TRIES);
}

/** The offset after the backticks that close a code span, or after those that open none. */
function endOfCode(part: string, at: number, length: number): number {
  const closing = new RegExp(`(?<!\`)\`{${length}}(?!\`)`, 'g');
  closing.lastIndex = at + length;
  return closing.exec(part) === null ? at + length : closing.lastIndex;
}

/** Imports of MDX end at an empty line, unless the text up to there is not whole statements. */
function endOfScript(text: string, start: number): number {
  const ends = [...text.slice(start).matchAll(/\r?\n[ \t]*(?=\r?\n)|$/g)].map(
    ({ index }) => start + index,
  );
  const whole = ends
    .slice(0, MOST_TRIES)
    .find((end) => parsed(text.slice(start, end)) !== undefined);
  return whole ?? ends[0] ?? text.length;
}

function parsed(code: string): ReturnType<typeof parseScript> | undefined {
  try {
    return parseScript(code, 'js');
  } catch {
    return undefined;
  }
}

/** In addresses of icons only `&` needs an escape. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, '&');
}
