import type { Icon } from '../client.ts';
import { parseRequest } from '../request/parse-request.ts';
import { nameOfRecord } from '../request/reference.ts';
import { type Catalog, type Cli, type Given, refused } from './command.ts';
import type { Host } from './host.ts';
import { type Column, createProgressBar, nounFor, renderTable } from './terminal.ts';

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
  { isNumbered = false }: { isNumbered?: boolean } = {},
): string {
  const numbers = new Map(icons.map((icon, at) => [icon, String(at + 1)]));
  const number: Column<Icon> = { title: '#', value: (icon) => numbers.get(icon), align: 'right' };
  const columns = [
    ...(isNumbered ? [number] : []),
    embedded === undefined ? ID : IMPORT,
    ...COLUMNS,
  ];
  return icons.length === 0 ? '' : renderTable(icons, columns, cli);
}

/** How an icon of the embedded catalog is imported: by its name. */
function importOf(icon: Pick<Icon, 'id' | 'permalink'>): string {
  return `icon:${nameOfRecord(icon) ?? icon.id}`;
}

/** How an icon is imported: by its name if it is of the embedded catalog, by its id if it is of a service. */
export function specifierOf(
  icon: Pick<Icon, 'id' | 'permalink'>,
  { embedded }: Pick<Catalog, 'embedded'>,
): string {
  return embedded === undefined ? `icon:${icon.id}` : importOf(icon);
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

export interface Page {
  shown: number;
  /** `undefined`: the catalog does not count. */
  total: number | undefined;
  next: string | undefined;
}

/**
 * One line that sums up what a list showed: `20 of 412 icons; 31 of 5000 calls this month. For more,
 * add --next-page ….`
 */
export function summarize({ shown, total, next }: Page, noun: string, catalog: Catalog): string {
  const of = total === undefined ? '' : ` of ${total}`;
  const counted =
    shown === 0 && !total ? `No ${noun} found` : `${shown}${of} ${nounFor(total ?? shown, noun)}`;
  const more =
    next === undefined || (total !== undefined && shown >= total)
      ? ''
      : ` For more, add --next-page ${next}`;
  return `${counted}${describeUsage(catalog)}.${more}`;
}

/** The embedded catalog of one process counts no calls. */
function describeUsage({ embedded, usage }: Catalog): string {
  const stated = usage();
  if (embedded !== undefined || stated === undefined) return '';
  const limit = Number.isFinite(stated.limit) ? ` of ${stated.limit}` : '';
  return `; ${stated.usage}${limit} calls this month`;
}

/**
 * A list whose first page is loaded: that page, or with `--all` also those that follow, with a
 * progress bar on a terminal. An icon that a shifting list has on two pages is listed once.
 */
export async function listAll<Item extends { id: string }>(
  { items, total, next }: { items: readonly Item[] } & Omit<Page, 'shown'>,
  following: (next: string) => AsyncIterable<Item>,
  { given, host, noun }: { given: Given; host: Host; noun: string },
): Promise<{ items: readonly Item[]; next: string | undefined }> {
  if (next === undefined || !given.flag('all')) return { items, next };
  const bar = createProgressBar(host.stderr, { noun, total: total ?? items.length });
  const byId = new Map<string, Item>();
  const add = (item: Item): void => {
    if (!byId.has(item.id)) bar.advance();
    byId.set(item.id, item);
  };
  try {
    for (const item of items) add(item);
    for await (const item of following(next)) add(item);
  } finally {
    bar.end();
  }
  return { items: [...byId.values()], next: undefined };
}

/** @throws UsageError for a value that is not an id of the catalog */
export function readId(written: string | undefined): string {
  const digits = (written ?? '').replace(/^icon:/, '');
  if (/^\d{1,19}$/.test(digits)) return digits;
  throw refused('<id>', 'an integer', written ?? '');
}

/**
 * The id of an icon as it is written on a command line: an id, an alias, or a name of the embedded catalog.
 * @throws IconCatalogError SPECIFIER_INVALID with the nearest spelling
 */
export function readIconId(written: string, { options }: Catalog['project']): string {
  return String(parseRequest(`icon:${written.replace(/^icon:/, '')}`, options).id);
}
