import type { IconCatalogError } from '../../errors.ts';

/** What `--json` tells of a problem. */
export interface ToldProblem {
  code: string;
  message: string;
  remedy: string;
  /** Where the reference stands, where it is about one. */
  importer?: string | undefined;
  icon?: string | undefined;
}

export function toldProblem({
  code,
  reason,
  remedy,
  importer,
  icon,
}: IconCatalogError): ToldProblem {
  return { code, message: reason, remedy, importer, icon };
}

/** All problems as one error: one is told as it is, of several each has its lines. */
export function asOneError(problems: readonly IconCatalogError[], headline: string): Error {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) return first;
  return new Error([`${headline}:`, ...new Set(problems.map(({ message }) => message))].join('\n'));
}
