import type { Icon, IconQuery } from '../../client.ts';
import {
  type Catalog,
  type CliBody,
  defineCliCommand,
  PROJECT_ARGS,
  SIGNED_ARGS,
} from '../command.ts';
import { describeStyles, specifierOf, readIconId, withImports } from '../listing.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { renderFields } from '../terminal.ts';
import { canShowImages, renderThumbnail } from '../thumbnails.ts';

export const showCommand: CliBody = defineCliCommand({
  args: {
    id: {
      type: 'positional',
      icons: true,
      description: 'Id of the icon, or its name in the embedded catalog',
    },
    ...queryOptions('icon'),
    ...SIGNED_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['show 123', 'show 123 --json | jq -r .attribution', 'show tabler/home --embedded'],
  async run(given, cli) {
    const query: IconQuery = readQueryOptions('icon', given);
    const read = readIconId(given.text('id'));
    const catalog = await cli.catalog();
    const id = read(catalog);
    const { icon } = await catalog.client.icon(id, query).catch(catalog.explain(id));
    const picture = canShowImages(cli.host) ? await renderThumbnail(icon, { cli, catalog }) : '';
    cli.result(
      withImports([icon], catalog)[0],
      () => `${picture}${renderFields(fieldsOf(icon, catalog), cli)}`,
    );
    cli.next(
      `Write an import: import icon from '${specifierOf(icon, catalog)}'. The build fetches and credits it.`,
    );
  },
});

function fieldsOf(
  icon: Icon,
  { embedded }: Pick<Catalog, 'embedded'>,
): [string, string | undefined][] {
  const { creator: { name = '', username = '' } = {}, collections = [] } = icon;
  return [
    ['id', icon.id],
    ['name', icon.term],
    ['creator', name === username ? name : named(name, username)],
    ['licence', icon.license_description],
    ['credit', icon.attribution],
    ['style', describeStyles(icon)],
    ['collections', collections.map(({ id, name = '' }) => named(name, id)).join(', ')],
    ['tags', icon.tags?.join(', ')],
    ['page', icon.permalink],
    ['import', specifierOf(icon, { embedded })],
  ];
}

function named(name: string, id: string): string {
  return id === '' ? name : `${name} (${id})`;
}
