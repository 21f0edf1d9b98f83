import type { Collection, CollectionsQuery } from '../../client.ts';
import { CATALOG_ARGS, defineCliCommand, type CliCommand } from '../command.ts';
import { listAll } from '../list-all.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { renderTable, type Column } from '../render-table.ts';
import { summarize } from '../summary.ts';

const COLUMNS: readonly Column<Collection>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'NAME', value: ({ name }) => name, least: 16 },
  { title: 'ICONS', value: (collection) => String(collection.icon_count ?? ''), align: 'right' },
  { title: 'CREATOR', value: ({ creator }) => creator?.name, least: 12 },
  { title: 'TAGS', value: ({ tags }) => tags?.join(', '), least: 8 },
];

export const collectionsCommand: CliCommand = defineCliCommand({
  name: 'collections',
  description: 'List collections, or search them',
  args: {
    term: {
      type: 'positional',
      required: false,
      multiple: true,
      description: 'What to look for; without it, the whole list',
    },
    ...queryOptions('collections'),
    all: { type: 'boolean', description: 'Every page, one call each' },
    ...CATALOG_ARGS,
  },
  examples: ['collections weather', "collections --all --json | jq 'map(.icon_count) | add'"],
  async run(given, cli) {
    const query: CollectionsQuery = readQueryOptions('collections', given);
    const term = given.all('term').join(' ');
    if (term !== '') query.query = term;
    const catalog = await cli.catalog();
    const { collections: items, total, next_page } = await catalog.client.collections(query);
    const more = given.flag('all') && next_page !== undefined;
    const { prev_page: _, ...forward } = query;
    const collections = more
      ? await listAll(
          { items, total },
          catalog.client.iterateCollections({ ...forward, next_page }),
          { host: cli.host, noun: 'collections' },
        )
      : items;
    cli.result(collections, () =>
      collections.length === 0 ? '' : renderTable(collections, COLUMNS, cli),
    );
    const next = more ? undefined : next_page;
    cli.note(summarize({ shown: collections.length, total, next }, 'collections', catalog));
  },
});
