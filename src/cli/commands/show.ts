import type { Icon, IconQuery } from '../../client.ts';
import { CATALOG_ARGS, defineCliCommand, type CliCommand } from '../command.ts';
import { describeStyles } from '../icon-table.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { readId } from '../read-id.ts';
import { renderFields } from '../render-table.ts';
import { canShowImages, renderThumbnail } from '../thumbnails.ts';

export const showCommand: CliCommand = defineCliCommand({
  name: 'show',
  description: 'Show what the catalog knows about an icon',
  args: {
    id: { type: 'positional', description: 'Id of the icon' },
    ...queryOptions('icon'),
    ...CATALOG_ARGS,
  },
  examples: ['show 123', 'show 123 --json | jq -r .attribution'],
  async run(given, cli) {
    const id = readId(given.text('id'));
    const query: IconQuery = readQueryOptions('icon', given);
    const catalog = await cli.catalog();
    const { icon } = await catalog.client.icon(id, query);
    const picture = canShowImages(cli.host) ? await renderThumbnail(icon, { cli, catalog }) : '';
    cli.result(icon, () => `${picture}${renderFields(fieldsOf(icon), cli)}`);
  },
});

function fieldsOf(icon: Icon): [string, string][] {
  const { creator, collections } = icon;
  return [
    ['id', icon.id],
    ['name', icon.term],
    [
      'creator',
      creator.name === creator.username ? creator.name : named(creator.name, creator.username),
    ],
    ['licence', icon.license_description],
    ['credit', icon.attribution],
    ['style', describeStyles(icon)],
    ['collections', collections.map(({ id, name }) => named(name, id)).join(', ')],
    ['tags', icon.tags.join(', ')],
    ['page', icon.permalink],
    ['import', `icon:${icon.id}`],
  ];
}

function named(name: string, id: string): string {
  return id === '' ? name : `${name} (${id})`;
}
