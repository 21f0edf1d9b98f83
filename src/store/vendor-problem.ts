import { IconCatalogError } from '../errors.ts';

export interface VendorProblem {
  /** Counted from 1. */
  line: number;
  /** `broken`: no line of a vendor file; `mismatch`: other bytes than its digest says; `unknown`: of a newer version. */
  why: 'broken' | 'mismatch' | 'unknown';
  /** The member that is not known. */
  kind?: string;
}

/** @param name of the vendor file, as messages show it */
export function describeVendorProblem(
  { line, why, kind = '' }: VendorProblem,
  name: string,
): IconCatalogError {
  const where = `Line ${line} of ${name}`;
  const restore = `Restore ${name} from version control, or delete the line and run \`npx icon-catalog sync\`.`;
  if (why === 'mismatch') {
    return new IconCatalogError('LOCK_MISMATCH', {
      message: `${where} holds other bytes than its digest says.`,
      remedy: restore,
      path: `${name}:${line}`,
    });
  }
  if (why === 'unknown') {
    return new IconCatalogError('LOCK_INVALID', {
      message: `${where} has \`${kind.slice(0, 40)}\`, which this version does not know.`,
      remedy: `Update unplugin-icon-catalog: ${name} was written by a newer version.`,
      path: `${name}:${line}`,
    });
  }
  return new IconCatalogError('LOCK_INVALID', {
    message: `${where} is no line of a vendor file.`,
    remedy: restore,
    path: `${name}:${line}`,
  });
}
