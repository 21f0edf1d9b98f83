import type { Catalog } from './connect.ts';

export interface Page {
  shown: number;
  /** `undefined`: the catalog does not count. */
  total: number | undefined;
  next: string | undefined;
}

/** One line on what a list showed: `20 of 412 icons, 31 of 5000 calls this month. More: --next-page …` */
export function summarize({ shown, total, next }: Page, noun: string, catalog: Catalog): string {
  const of = total === undefined ? '' : ` of ${total}`;
  const counted = shown === 0 && !total ? `No ${noun} found` : `${shown}${of} ${noun}`;
  const more =
    next === undefined || (total !== undefined && shown >= total)
      ? ''
      : ` More: --next-page ${next}`;
  return `${counted}${describeUsage(catalog)}.${more}`;
}

/** The embedded catalog of one process counts for nobody. */
function describeUsage({ embedded, usage }: Catalog): string {
  const stated = usage();
  if (embedded !== undefined || stated === undefined) return '';
  const limit = Number.isFinite(stated.limit) ? ` of ${stated.limit}` : '';
  return `; ${stated.usage}${limit} calls this month`;
}
