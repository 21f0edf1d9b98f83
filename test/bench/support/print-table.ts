import { appendFileSync } from 'node:fs';
import { median, medianRatio, quickestRatio } from './rounds.ts';

/**
 * A table on standard output: words to the left, figures to the right. It is part of what `--publish` writes.
 *
 * @param notes sentences below the table
 */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly string[][],
  notes: readonly string[] = [],
): void {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  process.stdout.write(
    `\n${[title, rule, line(head), rule, ...rows.map(line), ...notes].join('\n')}\n`,
  );
  const file = process.env['BENCH_TABLES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ title, head, rows, notes })}\n`);
}

/** What every measured process reports. */
export interface Figures {
  milliseconds: number;
  /** Milliseconds of all threads together. */
  cpu: number;
  /** Peak of the whole process. */
  megabytes: number;
}

const PEER = 'unplugin-icons';

/** Times and memory of variants that ran in alternating rounds, beside the floor and beside unplugin-icons. */
export function printFigures(
  title: string,
  results: Readonly<Record<string, readonly Figures[]>>,
  floor: string,
): void {
  const peer = results[PEER] === undefined || floor === PEER ? [] : [PEER];
  const of = (variant: string, name: keyof Figures): number[] =>
    (results[variant] ?? []).map((each) => each[name]);
  const rows = Object.keys(results).map((variant) => {
    const [times, cpu, memory] = [
      of(variant, 'milliseconds'),
      of(variant, 'cpu'),
      of(variant, 'megabytes'),
    ];
    const ratios = [floor, ...peer].flatMap((other) => [
      quickestRatio(times, of(other, 'milliseconds')),
      medianRatio(times, of(other, 'milliseconds')),
      quickestRatio(cpu, of(other, 'cpu')),
    ]);
    ratios.push(medianRatio(memory, of(floor, 'megabytes')));
    const amounts = [Math.min(...times), median(times), median(cpu), median(memory)];
    return [variant].concat(
      amounts.map((each) => each.toFixed(0)),
      ratios.map((each) => each.toFixed(2)),
    );
  });
  const beside = [floor, ...peer].flatMap((other) => [`÷ ${other}, quickest`, 'median', 'CPU']);
  printTable(
    `${title}, ${Object.values(results)[0]?.length ?? 0} rounds`,
    ['', 'quickest ms', 'median ms', 'CPU ms', 'peak MB', ...beside, `MB ÷ ${floor}`],
    rows,
  );
}

/** What each icon adds to a run, from the fewest icons to the most: the quickest runs, since other work only slows down. */
export function printSlopes(
  title: string,
  runs: readonly {
    count: number;
    variant: string;
    results: readonly Omit<Figures, 'megabytes'>[];
  }[],
): void {
  const counts = runs.map(({ count }) => count);
  const [first, last] = [Math.min(...counts), Math.max(...counts)];
  if (!(first < last)) return;
  const quickest = (count: number, variant: string, name: 'milliseconds' | 'cpu'): number =>
    Math.min(
      ...runs
        .filter((run) => run.count === count && run.variant === variant)
        .flatMap(({ results }) => results.map((each) => each[name])),
    );
  const rows = [...new Set(runs.map(({ variant }) => variant))].flatMap((variant) => {
    const slopes = (['milliseconds', 'cpu'] as const).map(
      (name) => (quickest(last, variant, name) - quickest(first, variant, name)) / (last - first),
    );
    if (!slopes.every(Number.isFinite)) return [];
    return [[variant, ...slopes.map((slope) => slope.toFixed(3))]];
  });
  printTable(`${title}: what each icon adds, from ${first} to ${last}`, ['', 'ms', 'CPU ms'], rows);
}
