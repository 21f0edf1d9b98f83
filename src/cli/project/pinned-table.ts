import type { PinnedLine } from '../../upkeep/pin-icons.ts';
import type { Cli } from '../command.ts';
import { renderTable, type Column } from '../render-table.ts';

const COLUMNS: readonly Column<PinnedLine>[] = [
  { title: 'LINE', value: ({ key }) => key },
  { title: 'NAME', value: ({ term }) => term, least: 8 },
  { title: 'LICENCE', value: (line) => line.license_description, least: 6 },
  { title: 'BYTES', value: ({ size }) => (size === undefined ? '' : String(size)), align: 'right' },
];

export function renderLines(
  lines: readonly PinnedLine[],
  cli: Pick<Cli, 'width' | 'paint'>,
): string {
  return lines.length === 0 ? '' : renderTable(lines, COLUMNS, cli);
}
