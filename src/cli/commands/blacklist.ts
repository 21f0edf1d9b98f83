import { PARAMS } from '../../catalog/endpoints.ts';
import type { Blacklist } from '../../client.ts';
import {
  PROJECT_ARGS,
  type Cli,
  type CliArgs,
  type CliBody,
  defineCliCommand,
  type Given,
  UsageError,
} from '../command.ts';
import { renderFields } from '../terminal.ts';

const [ICON, COLLECTION] = PARAMS.blacklistType.values;
const TYPES = [ICON, COLLECTION, 'term'] as const;
type EntryType = (typeof TYPES)[number];

const TYPE_ARG: CliArgs = {
  type: {
    type: 'string',
    valueHint: 'type',
    values: TYPES,
    description: `What the entries are: one of ${TYPES.join(', ')} (default ${ICON})`,
  },
};

export const listCommand: CliBody = defineCliCommand({
  args: { ...PROJECT_ARGS },
  async run(_, cli) {
    const { client } = await cli.catalog();
    report((await client.blacklist()).blacklist, cli);
  },
});

export const addCommand: CliBody = defineCliCommand({
  args: {
    entry: { type: 'positional', multiple: true, description: 'Ids, or terms and phrases' },
    ...TYPE_ARG,
    ...PROJECT_ARGS,
  },
  examples: ['blacklist add 123 456', "blacklist add --type term 'wild boar' gun"],
  run: (given, cli) => write(given, cli, { overwrite: false }),
});

export const replaceCommand: CliBody = defineCliCommand({
  args: {
    entry: {
      type: 'positional',
      required: false,
      multiple: true,
      description: 'Ids, or terms and phrases; none empty the list',
    },
    ...TYPE_ARG,
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask' },
    ...PROJECT_ARGS,
  },
  examples: ['blacklist replace --type collection 12 34', 'blacklist replace --type term --yes'],
  async run(given, cli) {
    const type = readType(given);
    const count = given.all('entry').length;
    const { canAsk } = cli.host;
    if (count === 0 && !given.flag('yes') && !canAsk) {
      throw new UsageError(
        `No entries: this would empty the list of type ${type}. Add --yes if you want that.`,
      );
    }
    if (!given.flag('yes') && canAsk) {
      const question = `Replace every entry of type ${type} by ${count}?`;
      if (!(await cli.host.confirm(question))) {
        cli.result({ changed: false }, () => '');
        return cli.note('Nothing was changed.');
      }
    }
    await write(given, cli, { overwrite: true });
  },
});

async function write(given: Given, cli: Cli, { overwrite }: { overwrite: boolean }): Promise<void> {
  const type = readType(given);
  const entries = given.all('entry');
  const { client, embedded } = await cli.catalog();
  const { blacklist } =
    type === 'term'
      ? await client.blacklistTerms(entries, { overwrite })
      : await client.blacklistIds(entries, { type, overwrite });
  report(blacklist, cli);
  if (embedded !== undefined)
    cli.note('The embedded catalog forgets its blacklist when the command ends.');
}

function readType(given: Given): EntryType {
  const written = given.text('type') ?? ICON;
  const type = TYPES.find((name) => name === written);
  if (type !== undefined) return type;
  throw new UsageError(
    `--type must be one of ${TYPES.join(', ')}; ${JSON.stringify(written)} is not.`,
  );
}

function report(blacklist: Blacklist, cli: Cli): void {
  cli.result(blacklist, () =>
    renderFields(
      [
        ['icons', listed(blacklist.icon_ids)],
        ['collections', listed(blacklist.collection_ids)],
        ['terms', listed(blacklist.search_terms.map((term) => `"${term}"`))],
      ],
      cli,
    ),
  );
  cli.next('Searches and lists with --blacklist leave these out.');
}

function listed(entries: readonly (number | string)[]): string {
  return entries.length === 0 ? 'none' : entries.join(', ');
}
