import type { Icon } from '../client.ts';
import { nameOfRecord } from '../request/icon-name.ts';
import type { Cli } from './command.ts';
import type { Catalog } from './connect.ts';
import { renderTable, type Column } from './render-table.ts';

const ID: Column<Icon> = { title: 'ID', value: ({ id }) => id, align: 'right' };
/** What is imported: `icon:tabler/home`. */
const IMPORT: Column<Icon> = { title: 'IMPORT', value: importOf };
const COLUMNS: readonly Column<Icon>[] = [
  { title: 'NAME', value: ({ term }) => term, least: 8 },
  { title: 'STYLE', value: describeStyles },
  { title: 'LICENCE', value: (icon) => icon.license_description, least: 6 },
  { title: 'CREATOR', value: ({ creator }) => creator?.name, least: 6 },
];

export function renderIcons(
  icons: readonly Icon[],
  cli: Pick<Cli, 'width' | 'paint'>,
  { embedded }: Pick<Catalog, 'embedded'>,
): string {
  const columns = [embedded === undefined ? ID : IMPORT, ...COLUMNS];
  return icons.length === 0 ? '' : renderTable(icons, columns, cli);
}

/** How an icon is imported: by its name if it is of the embedded catalog. */
export function importOf(icon: Pick<Icon, 'id' | 'permalink'>): string {
  return `icon:${nameOfRecord(icon) ?? icon.id}`;
}

/** Icons as `--json` prints them: those of the embedded catalog with the specifier that imports them. */
export function withImports<Given extends Icon>(
  icons: readonly Given[],
  { embedded }: Pick<Catalog, 'embedded'>,
): readonly Given[] {
  if (embedded === undefined) return icons;
  return icons.map((icon) => Object.assign(icon, { import: importOf(icon) }));
}

/** `line 7`, `solid`. */
export function describeStyles({ styles = [] }: Pick<Icon, 'styles'>): string {
  return styles
    .map(({ style, line_weight }) =>
      line_weight === undefined ? style : `${style} ${line_weight}`,
    )
    .join(', ');
}
