import type { AutocompleteOptions } from '../../client.ts';
import { CATALOG_ARGS, defineCliCommand, type CliCommand } from '../command.ts';
import { toPlainText } from '../plain-text.ts';
import { queryOptions, readQueryOptions } from '../query-options.ts';

export const suggestCommand: CliCommand = defineCliCommand({
  name: 'suggest',
  description: 'Suggest search terms that begin with some letters',
  args: {
    term: { type: 'positional', multiple: true, description: 'The beginning of a term' },
    ...queryOptions('autocomplete'),
    ...CATALOG_ARGS,
  },
  examples: ['suggest hou --limit 5'],
  async run(given, cli) {
    const options: AutocompleteOptions = readQueryOptions('autocomplete', given);
    const { client } = await cli.catalog();
    const { suggestions } = await client.autocomplete(given.all('term').join(' '), options);
    cli.result(suggestions, () => suggestions.map(toPlainText).join('\n'));
    if (suggestions.length === 0) cli.note('No suggestions.');
  },
});
