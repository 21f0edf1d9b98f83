import { fitText, padText, widthOf, wrapText } from './fit-text.ts';
import type { Paint } from './paint.ts';
import { toPlainText } from './plain-text.ts';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | undefined;
  align?: 'left' | 'right';
  /** Columns of the terminal that it keeps where space is short; without it, its whole width. */
  least?: number;
}

const GAP = 2;

/**
 * A table without frames. Where it is wider than `width`, columns that may shrink do, the widest first, and cut text ends
 * in an ellipsis. Strangers' text is made plain here, so no caller can forget it.
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

/** `name: value` lines, the names in one column; long values go on in further lines. */
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
