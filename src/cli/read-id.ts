import { idOfName } from '../request/icon-name.ts';
import type { Catalog } from './connect.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError for what is no id of the catalog */
export function readId(written: string | undefined): string {
  const digits = (written ?? '').replace(/^icon:/, '');
  if (/^\d{1,19}$/.test(digits)) return digits;
  throw new UsageError(`<id> must be an integer; ${JSON.stringify(written ?? '')} is not.`);
}

/**
 * An icon as it is written on a command line. Which catalog it is about is known later.
 * @throws UsageError for what is no id, and with a service for a name of the embedded catalog
 */
export function readIconId(
  written: string | undefined,
): (catalog: Pick<Catalog, 'embedded'>) => string {
  const name = (written ?? '').replace(/^icon:/, '');
  const id = idOfName(name);
  if (id === undefined) {
    const read = readId(written);
    return () => read;
  }
  return ({ embedded }) => {
    if (embedded !== undefined) return String(id);
    throw new UsageError(
      `${JSON.stringify(name)} is a name of the embedded catalog: add --embedded, or give the id that \`search\` prints.`,
    );
  };
}
