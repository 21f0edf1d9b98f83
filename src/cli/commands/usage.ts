import { CATALOG_ARGS, defineCliCommand, type CliCommand } from '../command.ts';
import { renderFields } from '../render-table.ts';

export const usageCommand: CliCommand = defineCliCommand({
  name: 'usage',
  description: 'Show how many calls the key has made and may make',
  args: { ...CATALOG_ARGS },
  examples: ['usage', 'api GET /oauth/usage'],
  async run(_, cli) {
    const { client } = await cli.catalog();
    const usage = await client.usage();
    cli.result(usage, () => renderFields([['this month', describe(usage.monthly)]], cli));
  },
});

/** Services leave figures out (`NaN`), or have no limit (`Infinity`). */
function describe({ usage, limit }: { usage: number; limit: number }): string {
  const made = Number.isNaN(usage) ? 'an unstated number' : String(usage);
  if (Number.isNaN(limit)) return `calls: ${made}; limit not stated`;
  if (limit === Infinity) return `calls: ${made}; no limit`;
  const share = limit > 0 && usage >= 0 ? ` (${Math.floor((usage / limit) * 100)} %)` : '';
  return `${made} of ${limit} calls${share}`;
}
