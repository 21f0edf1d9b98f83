import { PARAMS } from '../../catalog/endpoints.ts';
import type { Blacklist, UsagePeriod } from '../../client.ts';
import {
  value,
  argument,
  flag,
  type Cli,
  type CliArgs,
  type CliBody,
  type Given,
  PROJECT_ARGS,
  refused,
  UsageError,
} from '../command.ts';
import { renderFields } from '../terminal.ts';

const [ICON, COLLECTION] = PARAMS.blacklistType.values;
const TYPES = [ICON, COLLECTION, 'term'] as const;
type EntryType = (typeof TYPES)[number];

const TYPE_ARG: CliArgs = {
  type: value('type', `What the entries are: one of ${TYPES.join(', ')} (default ${ICON})`, {
    values: TYPES,
  }),
};

export const listCommand: CliBody = {
  args: { ...PROJECT_ARGS },
  async run(_, cli) {
    const { client } = await cli.catalog();
    report((await client.blacklist()).blacklist, cli);
  },
};

export const addCommand: CliBody = {
  args: {
    entry: argument('Ids, or terms and phrases', { multiple: true }),
    ...TYPE_ARG,
    ...PROJECT_ARGS,
  },
  examples: ['blacklist add 123 456', "blacklist add --type term 'wild boar' gun"],
  run: (given, cli) => write(given, cli, { overwrite: false }),
};

export const replaceCommand: CliBody = {
  args: {
    entry: argument('Ids, or terms and phrases; without any, the list is emptied', {
      required: false,
      multiple: true,
    }),
    ...TYPE_ARG,
    yes: flag('Do not ask', 'y'),
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
      const question =
        count === 0
          ? `Remove every entry of type ${type} from the blacklist?`
          : `Replace every entry of type ${type} in the blacklist with ${count} ${count === 1 ? 'entry' : 'entries'}?`;
      if (!(await cli.host.confirm(question))) {
        cli.result({ changed: false }, () => '');
        return cli.note('Nothing was changed.');
      }
    }
    await write(given, cli, { overwrite: true });
  },
};

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
  throw refused('--type', `one of ${TYPES.join(', ')}`, written);
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

export const usageCommand: CliBody = {
  args: { ...PROJECT_ARGS },
  examples: ['usage', 'api GET /oauth/usage'],
  async run(_, cli) {
    const { client } = await cli.catalog();
    const usage = await client.usage();
    cli.result(usage, () => {
      const { monthly, ...rest } = usage;
      const { limit: _limit, usage: _usage, ...more } = monthly;
      const fields = [
        ['this month', describe(monthly)] as const,
        ...toFields(more),
        ...toFields(rest),
      ];
      return renderFields(fields, cli);
    });
    cli.next(
      'Icons in the lock file and the cache cost no calls; `npx icon-catalog sync --dry-run` counts those that would.',
    );
  },
};

/** A service may leave out figures, have no limit, or count by the kind of call. The embedded catalog has no real limit. */
function describe({ usage, limit }: UsagePeriod): string {
  const made = usage === undefined ? 'an unstated number' : toText(usage);
  if (limit === undefined) return `calls: ${made}; limit not stated`;
  if (limit >= Number.MAX_SAFE_INTEGER) return `calls: ${made}; no limit`;
  if (typeof usage !== 'number') return `calls: ${made}; limit ${limit}`;
  const share = limit > 0 ? ` (${Math.floor((usage / limit) * 100)} %)` : '';
  return `${made} of ${limit} calls${share}`;
}

/** Further figures of the service, in its own words. */
function toFields(values: object): [string, string][] {
  return Object.entries(values).map(([name, value]) => [name, toText(value)]);
}

/** `icon 0, service 3` */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return toFields(value)
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}
