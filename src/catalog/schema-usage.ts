import * as v from 'valibot';
import type { Usage } from './records.ts';
import type { V1Usage } from './records-v1.ts';

type Fields = Record<string, unknown>;

/**
 * Usage bodies differ between accounts, and no call may fail for that: numbers which the body does not state are NaN,
 * which no comparison with a threshold takes for reached. Fields of the body are kept.
 */
export const usageSchema: v.GenericSchema<unknown, Usage> = v.pipe(
  v.optional(v.unknown()),
  v.transform((value) => {
    const body = fieldsOf(value);
    const monthly = fieldsOf(body['monthly']);
    const limit = monthly['limit'] ?? fieldsOf(body['limits'])['monthly'];
    const usage = monthly['usage'] ?? fieldsOf(body['usage'])['monthly'];
    const stated = 'limit' in monthly || 'monthly' in fieldsOf(body['limits']);
    return {
      ...body,
      monthly: {
        ...monthly,
        limit: stated && (limit ?? null) === null ? Infinity : count(limit),
        usage: count(usage),
      },
    };
  }),
);

export const v1UsageSchema: v.GenericSchema<unknown, V1Usage> = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const body = fieldsOf(value);
    const limits = fieldsOf(body['limits']);
    const usage = fieldsOf(body['usage']);
    const limit = (period: string): number | null =>
      limits[period] === null ? null : count(limits[period]);
    return {
      ...body,
      limits: {
        ...limits,
        daily: limit('daily'),
        hourly: limit('hourly'),
        monthly: limit('monthly'),
      },
      usage: {
        ...usage,
        daily: count(usage['daily']),
        hourly: count(usage['hourly']),
        monthly: count(usage['monthly']),
      },
    };
  }),
);

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}
