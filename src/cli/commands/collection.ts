import type { CollectionQuery } from '../../client.ts';
import { CATALOG_ARGS, defineCliCommand, SIGNED_ARGS, type CliCommand } from '../command.ts';
import { renderIcons, withImports } from '../icon-table.ts';
import { listAll } from '../list-all.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { readId } from '../read-id.ts';
import { renderFields } from '../render-table.ts';
import { summarize } from '../summary.ts';

export const collectionCommand: CliCommand = defineCliCommand({
  name: 'collection',
  description: 'Show a collection and its icons',
  args: {
    id: { type: 'positional', description: 'Id of the collection' },
    ...queryOptions('collection'),
    all: { type: 'boolean', description: 'Every page of icons, one call each' },
    ...SIGNED_ARGS,
    ...CATALOG_ARGS,
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
  },
});
