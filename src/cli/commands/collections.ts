import type { Collection, CollectionQuery, CollectionsQuery } from '../../client.ts';
import {
  PROJECT_ARGS,
  type CliBody,
  defineCliCommand,
  FRESH_ARGS,
  SIGNED_ARGS,
} from '../command.ts';
import { specifierOf, listAll, readId, renderIcons, summarize, withImports } from '../listing.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { type Column, renderFields, renderTable } from '../terminal.ts';

const COLUMNS: readonly Column<Collection>[] = [
  { title: 'ID', value: ({ id }) => id, align: 'right' },
  { title: 'NAME', value: ({ name }) => name, least: 16 },
  { title: 'ICONS', value: (collection) => String(collection.icon_count ?? ''), align: 'right' },
  { title: 'CREATOR', value: ({ creator }) => creator?.name, least: 12 },
  { title: 'TAGS', value: ({ tags }) => tags?.join(', '), least: 8 },
];

export const collectionsCommand: CliBody = defineCliCommand({
  args: {
    term: {
      type: 'positional',
      required: false,
      multiple: true,
      description: 'What to look for; without it, the whole list',
    },
    ...queryOptions('collections'),
    all: { type: 'boolean', description: 'Every page, one call each' },
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
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
    const [first] = collections;
    if (first !== undefined)
      cli.next(`Show the icons of one: npx icon-catalog collection ${first.id}`);
  },
});

export const collectionCommand: CliBody = defineCliCommand({
  args: {
    id: { type: 'positional', description: 'Id of the collection' },
    ...queryOptions('collection'),
    all: { type: 'boolean', description: 'Every page of icons, one call each' },
    ...SIGNED_ARGS,
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['collection 123 --limit 20', "collection 123 --all --json | jq '.icons | length'"],
  async run(given, cli) {
    const id = readId(given.text('id'));
    const query: CollectionQuery = readQueryOptions('collection', given);
    const catalog = await cli.catalog();
    const answer = await catalog.client.collection(id, query);
    const { icons: items, next_page = answer.next_page, ...rest } = answer.collection;
    const total = rest.icon_count;
    const more = given.flag('all') && next_page !== undefined;
    const { prev_page: _, ...forward } = query;
    const icons = more
      ? await listAll(
          { items, total },
          catalog.client.iterateCollectionIcons(id, { ...forward, next_page }),
          { host: cli.host, noun: 'icons' },
        )
      : items;
    const next = more ? undefined : next_page;
    cli.result(
      {
        ...rest,
        icons: withImports(icons, catalog),
        ...(next !== undefined && { next_page: next }),
      },
      () => {
        const fields = renderFields(
          [
            ['id', rest.id],
            ['name', rest.name],
            ['creator', rest.creator?.name],
            ['icons', total === undefined ? '' : String(total)],
            ['tags', rest.tags?.join(', ')],
            ['page', rest.permalink],
          ],
          cli,
        );
        return [fields, renderIcons(icons, cli, catalog)].filter(Boolean).join('\n\n');
      },
    );
    cli.note(summarize({ shown: icons.length, total, next }, 'icons', catalog));
    const [best] = icons;
    if (best !== undefined)
      cli.next(`Write an import: import icon from '${specifierOf(best, catalog)}'.`);
  },
});
