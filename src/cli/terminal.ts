import { styleText } from 'node:util';
import measure from 'fast-string-truncated-width';
import type { Host, Output } from './host.ts';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | undefined;
  align?: 'left' | 'right';
  /** The columns that it keeps if space is short; without this option, its whole width. */
  least?: number;
}

const GAP = 2;

/**
 * A table without frames. If it is wider than `width`, the columns that may shrink do so, the
 * widest first, and cut text ends in an ellipsis. The table makes untrusted text plain itself, so
 * that callers cannot forget to.
 */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: { width: number; paint: Paint },
): string {
  const cells = rows.map((row) => columns.map(({ value }) => toPlainText(value(row) ?? '')));
  const natural = columns.map(({ title }, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(title)),
  );
  const widths = shrink(natural, columns, width - GAP * (columns.length - 1));
  const line = (texts: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const space = widths[at] ?? 0;
        return padText(fitText(texts[at] ?? '', space), space, align);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [paint('bold', line(columns.map(({ title }) => title))), ...cells.map(line)].join('\n');
}

function shrink(
  natural: readonly number[],
  columns: readonly { least?: number }[],
  space: number,
): number[] {
  const widths = [...natural];
  for (let over = sum(widths) - space; over > 0; over -= 1) {
    let widest = -1;
    for (const [at, { least }] of columns.entries()) {
      const spare = least !== undefined && (widths[at] ?? 0) > least;
      if (spare && (widths[at] ?? 0) > (widths[widest] ?? 0)) widest = at;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `name: value` lines, with the names in one column. Long values continue in further lines. */
export function renderFields(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  { width, paint }: { width: number; paint: Paint },
): string {
  const named = Math.max(...fields.map(([name]) => widthOf(name))) + GAP;
  return fields
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value = '']) => {
      const lines = wrapText(toPlainText(value), Math.max(20, width - named));
      return `${paint('dim', padText(name, named))}${lines.join(`\n${' '.repeat(named)}`)}`;
    })
    .join('\n');
}

export interface ProgressBar {
  advance(): void;
  /** Removes the bar. The summary reports what was done. */
  end(): void;
}

const CELLS = 30;
const CLEAR = '\r\u001b[2K';

/** The noun as it stands behind a count: "1 of 1 icon". */
export function nounFor(total: number, noun: string): string {
  return total === 1 ? noun.replace(/s$/, '') : noun;
}

/** A progress bar in the last line of a terminal; nothing is shown elsewhere. */
export function createProgressBar(
  output: Output,
  { noun, total }: { noun: string; total: number },
): ProgressBar {
  if (!output.isTerminal || total === 0) return { advance: () => undefined, end: () => undefined };
  const paint = createPaint(output);
  let done = 0;
  let drawn = '';

  function draw(): void {
    const cells = Math.min(CELLS, Math.floor((done / Math.max(total, done, 1)) * CELLS));
    const words = fitText(
      ` ${done} of ${total} ${nounFor(total, noun)}`,
      (output.columns || 80) - CELLS - 1,
    );
    const bar = `${paint('cyan', '█'.repeat(cells))}${paint('dim', '░'.repeat(CELLS - cells))}${words}`;
    if (bar !== drawn) output.write(`${CLEAR}${bar}`);
    drawn = bar;
  }

  draw();
  return {
    advance() {
      done += 1;
      draw();
    },
    end: () => output.write(CLEAR),
  };
}

/** Milliseconds after which somebody who sees nothing wonders. */
const SLOW = 500;

/**
 * A host whose terminal says that the command still works, until the command itself writes or asks something. Progress bars
 * appear only once their total is known.
 */
export function showWhenSlow(host: Host, command: string): { host: Host; end(): void } {
  const { stderr, stdout } = host;
  if (!stderr.isTerminal) return { host, end: () => undefined };
  let isShown = false;
  const cancel = host.later(SLOW, () => {
    isShown = true;
    stderr.write(`${CLEAR}${createPaint(stderr)('dim', `${command} …`)}`);
  });
  const end = (): void => {
    cancel();
    if (isShown) stderr.write(CLEAR);
    isShown = false;
  };
  const ending =
    <Given extends unknown[], Result>(run: (...given: Given) => Result) =>
    (...given: Given): Result => {
      end();
      return run(...given);
    };
  const ofOutput = (output: Output): Output => ({ ...output, write: ending(output.write) });
  const quiet: Host = {
    ...host,
    stdout: ofOutput(stdout),
    stderr: ofOutput(stderr),
    confirm: ending(host.confirm),
    ask: ending(host.ask),
    interrupted: ending(host.interrupted),
  };
  return { host: quiet, end };
}

/**
 * Controls of C0 and C1, marks that turn the direction of text, separators, invisible characters, tags, and halves of
 * surrogate pairs. A terminal obeys some of them, the others make a name look like another one.
 */
const UNSAFE =
  /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Untrusted text in one line that no terminal interprets: white space becomes a space, and unsafe
 * characters become replacement characters.
 */
export function toPlainText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSAFE, '\ufffd').trim();
}

/** The same for text of several lines, which stay lines. */
export function toPlainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[\t\r]/g, ' ').replace(UNSAFE, '\ufffd'))
    .join('\n');
}

/** JSON that parses to the same value and is safe to show on a terminal. */
export function toPlainJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent = 2,
): string {
  return JSON.stringify(value, replacer, indent).replace(UNSAFE, (character) =>
    character === '\n' ? character : escapeUnits(character),
  );
}

/**
 * Matches queries that let everyone who has the address fetch a file, in the parameters of the
 * usual services.
 */
const SIGNED =
  /(\bhttps?:\/\/[^\s"'<>?\\]+\?)[^\s"'<>]*?\b(?:(?:X-(?:Amz|Goog)-)?(?:Signature|Credential|Security-Token)|Policy|Key-Pair-Id|Expires|sig|token|hmac|hdnts)=[^\s"'<>]*/gi;

/** Signed addresses without the part that gives access to a file: `https://…/1.svg?…`. */
export function withoutSignatures(text: string): string {
  return text.replace(SIGNED, '$1…');
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** Columns of a terminal that a text occupies: two for CJK and emoji, none for combining marks. */
export function widthOf(text: string): number {
  return measure(text, {}, {}).width;
}

export function fitText(text: string, width: number): string {
  const { index, truncated, ellipsed } = measure(text, { limit: width, ellipsis: '…' }, {});
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text;
}

export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? `${text}${space}` : `${space}${text}`;
}

/** Lines of at most `width` columns, broken at spaces; longer words have a line of their own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** Lines that fit the terminal, if there is one; a line that continues keeps its indentation. @param before what precedes the first line */
export function wrapLines(
  text: string,
  { columns }: Pick<Output, 'columns'>,
  { before = '' }: { before?: string } = {},
): string {
  // Some pseudo-terminals say that they have none.
  if (!columns) return text;
  const lines = `${before}${text}`.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    const space = Math.max(20, columns - indent.length);
    return wrapText(line.slice(indent.length), space).map((part) => `${indent}${part}`);
  });
  return lines.join('\n').slice(before.length);
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

/** Adds colours if the output shows them, and returns the text as it is otherwise. */
export function createPaint({ hasColor }: Pick<Output, 'hasColor'>): Paint {
  return (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text);
}
