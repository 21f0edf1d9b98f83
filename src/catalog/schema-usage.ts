import * as v from 'valibot';
import type { Usage, UsageCount } from './records.ts';
import type { V1Usage } from './records-v1.ts';

type Fields = Record<string, unknown>;

/**
 * Usage bodies differ between accounts, and no call may fail for that: numbers in a form of their own are kept as they are, and
 * what the body does not state is absent. Fields of the body are kept.
 */
export const usageSchema: v.GenericSchema<unknown, Usage> = v.pipe(
  v.optional(v.unknown()),
  v.transform((value) => {
    const body = fieldsOf(value);
    const monthly = fieldsOf(body['monthly']);
    const limits = fieldsOf(body['limits']);
    const stated = 'limit' in monthly || 'monthly' in limits;
    const limit = monthly['limit'] ?? limits['monthly'];
    const usage = countOf(monthly['usage'] ?? fieldsOf(body['usage'])['monthly']);
    const most = stated && (limit ?? null) === null ? Infinity : numberOf(limit);
    return {
      ...body,
      monthly: {
        ...monthly,
        ...(most !== undefined && { limit: most }),
        ...(usage !== undefined && { usage }),
      },
    };
  }),
);

export const v1UsageSchema: v.GenericSchema<unknown, V1Usage> = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const body = fieldsOf(value);
    return { ...body, limits: fieldsOf(body['limits']), usage: fieldsOf(body['usage']) };
  }),
);

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function countOf(value: unknown): UsageCount | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : numberOf(value);
}

/** Some services write numbers as text. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
