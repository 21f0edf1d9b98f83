/** A stretch of Markdown: text with inline markup, raw HTML (a script, a style, a comment), or the imports of MDX. */
export interface MarkdownBlock {
  kind: 'prose' | 'html' | 'script';
  start: number;
  end: number;
}

/** A quotation, or a list item whose content begins at the column `indent`. */
type Container = { kind: 'quote' } | { kind: 'item'; indent: number };

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
/** An empty item and a number other than 1 do not end a paragraph. */
const INTERRUPTING_ITEM = /^(?:[-*+]|1[.)])[ \t]+\S/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const BLOCK_TAGS =
  'address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
/** HTML that is read verbatim, and where each kind of it ends. */
const RAW_HTML: readonly { begin: RegExp; end: RegExp; isWeak?: true }[] = [
  {
    begin: /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
  },
  { begin: /^<!--/, end: /-->/ },
  { begin: new RegExp(`^</?(?:${BLOCK_TAGS})(?:\\s|/?>|$)`, 'i'), end: /^\s*$/ },
  // Another tag alone in its line does not end a paragraph.
  { begin: /^<\/?[a-z][^<>]*>\s*$/i, end: /^\s*$/, isWeak: true },
];
/** Quotations and lists that begin in the same line. */
const DEEPEST = 20;
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n[^]*?\r?\n\1[ \t]*(?:\r?\n|$)/;

/**
 * Splits Markdown into its blocks by the rules of CommonMark and leaves out what holds no references: front matter,
 * fenced code and indented code, at any depth of quotations and lists. MDX has no indented code and no raw HTML.
 *
 * @param options.isMdx the text is MDX
 * @param options.onBlock reads a block and returns where it ends: only a parser knows how far expressions and imports of
 * MDX go
 */
export function readMarkdownBlocks(
  text: string,
  { isMdx, onBlock }: { isMdx: boolean; onBlock: (block: MarkdownBlock) => number },
): void {
  let containers: Container[] = [];
  let prose: { start: number; end: number } | undefined;
  /** Lines that are read verbatim, in the first `depth` containers: code, or HTML that begins at `html`. */
  let raw: { closing: RegExp; depth: number; html?: number } | undefined;

  /** Reads the open paragraph; returns where to go on. */
  function endProse(at: number): number {
    if (prose === undefined) return at;
    const end = onBlock({ kind: 'prose', ...prose });
    if (end <= at) {
      prose = undefined;
      return at;
    }
    // The expression continues into this line. The rest of the line belongs to no other block.
    prose = { start: end, end: lineEnd(text, end) };
    return prose.end;
  }

  function endRaw(end: number): void {
    if (raw?.html !== undefined) onBlock({ kind: 'html', start: raw.html, end });
    raw = undefined;
  }

  let at = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end).replace(/[\r\n]+$/, '');
    const known = enter(line, containers);
    if (raw !== undefined && known.matched >= raw.depth) {
      if (raw.closing.test(line.slice(known.cursor))) endRaw(end);
      at = end;
      continue;
    }
    endRaw(at);
    const { opened, cursor, base } = open(line, { ...known, isParagraph: prose !== undefined });
    const rest = line.slice(cursor).trimStart();
    const from = at + line.length - rest.length;
    const isText = prose !== undefined && opened.length === 0;
    const verbatim = readOpening(rest, { isMdx, isText });
    const isSingle = HEADING.test(rest) || RULE.test(rest);
    // A paragraph goes on in a line that has left its quotation or list, and in an indented one.
    if (prose !== undefined && isText && rest !== '' && !verbatim && !isSingle) {
      prose.end = end;
      at = end;
      continue;
    }
    const next = endProse(at);
    if (next !== at) {
      at = next;
      continue;
    }
    containers = [...containers.slice(0, known.matched), ...opened];
    at = end;
    const isIndented = columnOf(line, line.length - rest.length) - base >= 4;
    if (rest === '' || (isIndented && !isMdx)) continue;
    if (verbatim !== undefined) {
      const { closing, isHtml } = verbatim;
      raw = { closing, depth: containers.length, ...(isHtml && { html: from }) };
      if (isHtml && closing.test(rest)) endRaw(end);
    } else if (isMdx && containers.length === 0 && /^(?:import|export)\b/.test(line)) {
      at = lineEnd(text, onBlock({ kind: 'script', start: from, end }));
    } else {
      prose = { start: from, end };
      if (isSingle) at = endProse(end);
    }
  }
  while (prose !== undefined) endProse(text.length);
  endRaw(text.length);
}

/** A block that begins in a line and is not made of paragraphs, and the line that ends it. */
function readOpening(
  rest: string,
  { isMdx, isText }: { isMdx: boolean; isText: boolean },
): { closing: RegExp; isHtml: boolean } | undefined {
  const mark = FENCE.exec(rest)?.[1];
  if (mark !== undefined)
    return { closing: new RegExp(`^\\s*${mark}${mark[0]}*\\s*$`), isHtml: false };
  const html = isMdx
    ? undefined
    : RAW_HTML.find(({ begin, isWeak }) => begin.test(rest) && !(isText && isWeak));
  return html && { closing: html.end, isHtml: true };
}

/** The number of open containers that a line belongs to, and where its content begins after their marks. */
function enter(
  line: string,
  containers: readonly Container[],
): { matched: number; cursor: number; base: number } {
  let cursor = 0;
  let base = 0;
  let matched = 0;
  const isBlank = line.trim() === '';
  for (const container of containers) {
    const next = line.length - line.slice(cursor).trimStart().length;
    const column = columnOf(line, next);
    if (container.kind === 'quote') {
      if (line[next] !== '>' || column - base >= 4) break;
      ({ cursor, base } = afterMark(line, next + 1));
    } else if (isBlank || column >= container.indent) base = container.indent;
    else break;
    matched += 1;
  }
  return { matched, cursor, base };
}

/** The quotations and list items that begin in a line. */
function open(
  line: string,
  from: { cursor: number; base: number; isParagraph: boolean },
): { opened: Container[]; cursor: number; base: number } {
  const opened: Container[] = [];
  const { isParagraph } = from;
  let { cursor, base } = from;
  while (opened.length < DEEPEST) {
    const next = line.length - line.slice(cursor).trimStart().length;
    const rest = line.slice(next);
    if (columnOf(line, next) - base >= 4) break;
    const item = RULE.test(rest) ? null : ITEM.exec(rest);
    if (rest.startsWith('>')) {
      opened.push({ kind: 'quote' });
      ({ cursor, base } = afterMark(line, next + 1));
    } else if (
      item !== null &&
      (!isParagraph || opened.length > 0 || INTERRUPTING_ITEM.test(rest))
    ) {
      cursor = next + item[0].length;
      const content = line.length - line.slice(cursor).trimStart().length;
      const space = columnOf(line, content) - columnOf(line, cursor);
      const isCode = space > 4 || content === line.length;
      base = columnOf(line, cursor) + (isCode ? 1 : space);
      opened.push({ kind: 'item', indent: base });
    } else break;
  }
  return { opened, cursor, base };
}

/** One space behind the mark of a quotation belongs to it. */
function afterMark(line: string, cursor: number): { cursor: number; base: number } {
  const hasSpace = line[cursor] === ' ' || line[cursor] === '\t';
  return { cursor: cursor + (hasSpace ? 1 : 0), base: columnOf(line, cursor) + (hasSpace ? 1 : 0) };
}

/** Tabs go to the next multiple of four. */
function columnOf(line: string, index: number): number {
  let column = 0;
  for (let at = 0; at < index; at += 1) column += line[at] === '\t' ? 4 - (column % 4) : 1;
  return column;
}

/** Where the next line begins. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
