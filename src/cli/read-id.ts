import { UsageError } from './usage-error.ts';

/** @throws UsageError for what is no id of the catalog */
export function readId(written: string | undefined): string {
  const digits = (written ?? '').replace(/^icon:/, '');
  if (/^\d{1,19}$/.test(digits)) return digits;
  throw new UsageError(`<id> must be an integer; ${JSON.stringify(written ?? '')} is not.`);
}
