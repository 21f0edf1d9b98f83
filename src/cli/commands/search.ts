import type { AutocompleteOptions, IconsQuery } from '../../client.ts';
import {
  PROJECT_ARGS,
  type CliBody,
  defineCliCommand,
  FRESH_ARGS,
  SIGNED_ARGS,
} from '../command.ts';
import { specifierOf, listAll, renderIcons, summarize, withImports } from '../listing.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';
import { toPlainText } from '../terminal.ts';
import { renderThumbnails } from '../thumbnails.ts';

export const searchCommand: CliBody = defineCliCommand({
  args: {
    term: {
      type: 'positional',
      required: false,
      multiple: true,
      description: 'What to look for; without it, the whole list',
    },
    ...queryOptions('icons'),
    all: { type: 'boolean', description: 'Every page, one call each' },
    thumbnails: { type: 'boolean', description: 'Show the icons, in terminals that can' },
    ...SIGNED_ARGS,
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: [
    'search house --style line --line-weight 10-20',
    'search red car --public-domain --limit 10',
    "search bell --all --json | jq -r '.[].id'",
  ],
  async run(given, cli) {
    const query: IconsQuery = readQueryOptions('icons', given);
    const term = given.all('term').join(' ');
    if (term !== '') query.query = term;
    const catalog = await cli.catalog();
    const { icons: items, total, next_page } = await catalog.client.icons(query);
    const more = given.flag('all') && next_page !== undefined;
    const { prev_page: _, ...forward } = query;
    const icons = more
      ? await listAll({ items, total }, catalog.client.iterateIcons({ ...forward, next_page }), {
          host: cli.host,
          noun: 'icons',
        })
      : items;
    const pictures = given.flag('thumbnails')
      ? await renderThumbnails(icons, { cli, catalog })
      : '';
    cli.result(withImports(icons, catalog), () => pictures || renderIcons(icons, cli, catalog));
    const next = more ? undefined : next_page;
    cli.note(summarize({ shown: icons.length, total, next }, 'icons', catalog));
    const [best] = icons;
    cli.next(
      best === undefined
        ? 'Try fewer or other words; `npx icon-catalog suggest` completes one.'
        : `Write an import: import icon from '${specifierOf(best, catalog)}'. \`npx icon-catalog show ${specifierOf(best, catalog).slice('icon:'.length)}\` says more about it.`,
    );
  },
});

export const suggestCommand: CliBody = defineCliCommand({
  args: {
    term: { type: 'positional', multiple: true, description: 'The beginning of a term' },
    ...queryOptions('autocomplete'),
    ...FRESH_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['suggest hou --limit 5'],
  async run(given, cli) {
    const options: AutocompleteOptions = readQueryOptions('autocomplete', given);
    const { client } = await cli.catalog();
    const { suggestions } = await client.autocomplete(given.all('term').join(' '), options);
    cli.result(suggestions, () => suggestions.map(toPlainText).join('\n'));
    if (suggestions.length === 0) cli.note('No suggestions.');
    else cli.next(`Search for one: npx icon-catalog search ${toPlainText(suggestions[0] ?? '')}`);
  },
});
