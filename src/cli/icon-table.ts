import type { Icon } from '../client.ts';
import type { Cli } from './command.ts';
import { renderTable, type Column } from './render-table.ts';

const COLUMNS: readonly Column<Icon>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'NAME', value: ({ term }) => term, least: 8 },
  { title: 'STYLE', value: describeStyles },
  { title: 'LICENCE', value: (icon) => icon.license_description, least: 6 },
  { title: 'CREATOR', value: ({ creator }) => creator.name, least: 6 },
];

export function renderIcons(icons: readonly Icon[], cli: Pick<Cli, 'width' | 'paint'>): string {
  return icons.length === 0 ? '' : renderTable(icons, COLUMNS, cli);
}

/** `line 7`, `solid`. */
export function describeStyles({ styles }: Pick<Icon, 'styles'>): string {
  return styles
    .map(({ style, line_weight }) =>
      line_weight === undefined ? style : `${style} ${line_weight}`,
    )
    .join(', ');
}
