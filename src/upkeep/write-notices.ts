import { writeReuse, type WrittenReuse } from '../corridor/write-reuse.ts';
import { IconCatalogError } from '../errors.ts';
import type { Upkeep } from './open-upkeep.ts';

export type WrittenNotices = WrittenReuse;

/**
 * REUSE files for the vendor file and the lock file: whose icons they hold and under which licences.
 *
 * @throws IconCatalogError OPTIONS_INVALID where the project has no vendor file; as `writeReuse` does
 */
export async function writeNotices({ corridor, options }: Upkeep): Promise<WrittenReuse> {
  const vendor = await corridor.vendor();
  if (vendor === undefined) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: 'REUSE files say whose icons a vendor file holds, and this project has none.',
      remedy: 'Set `vendor: true` in the options, or leave out --reuse.',
      path: 'vendor',
    });
  }
  const records = await vendor.records(corridor.pins);
  const { assert, terms } = options.licenses;
  const files = [options.lockfile.name, vendor.file.name];
  return writeReuse(options.root, { records, assert, terms, files });
}
