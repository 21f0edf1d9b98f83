import type { UsagePeriod } from '../../client.ts';
import { PROJECT_ARGS, defineCliCommand, type CliBody } from '../command.ts';
import { renderFields } from '../terminal.ts';

export const usageCommand: CliBody = defineCliCommand({
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
});

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
