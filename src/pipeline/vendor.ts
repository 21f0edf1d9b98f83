import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { ProjectFile, ResolvedOptions } from '../options/resolve-options.ts';
import type { ByteSource } from '../store/byte-source.ts';
import { lockedRecord, parseLockKey } from '../store/lockfile-format.ts';
import { reasonOf, tidyProjectFile } from '../store/files.ts';
import {
  createVendorFile,
  describeVendorProblem,
  type VendorFile,
  vendorSource,
} from '../store/vendor-file.ts';
import type { IconRecord, Log } from '../types.ts';
import type { ByteSources } from './byte-sources.ts';
import type { IconLock } from './lock.ts';
import { vendorNotice } from './vendor-notice.ts';

/** The committed file of icons, as a place of bytes and as something that follows the lock. */
export interface Vendor {
  readonly file: VendorFile;
  readonly byteSource: ByteSource;
  /**
   * The lock file is written: in the mode `online` the vendor file gets what it lacks of it, from wherever bytes are but
   * the catalog. A file that cannot be written is a warning.
   * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH if the file is damaged
   */
  complete(ports: VendorSources): Promise<void>;
  /** Removes what the lock does not name, with the next `complete`. */
  prune(iconLock: IconLock): void;
  /** Lines that are damaged, and files that the lock names and no line holds. */
  problems(iconLock: IconLock): Promise<IconCatalogError[]>;
  /** A record of each icon of which the file holds bytes. */
  records(iconLock: IconLock): Promise<IconRecord[]>;
}

export interface VendorSources {
  iconLock: IconLock;
  byteSources: ByteSources;
  /** The catalog of this build, as the lock names it if it is the same one. */
  description: { digest: string; bytes: Uint8Array } | undefined;
}

/** Files of a cache that are read at a time. */
const AT_ONCE = 16;

export function createVendor(options: ResolvedOptions & { vendor: ProjectFile }, log: Log): Vendor {
  const { vendor, mode, cacheDir, root, licenses, lockfile } = options;
  const file = createVendorFile({
    file: vendor.path,
    name: vendor.name,
    warn: (message) => log.warn(message),
  });
  const project = createHash('sha256')
    .update(JSON.stringify([root, vendor.path]))
    .digest('hex');
  // Says with which lock the file was complete, so that most builds need not read it.
  const note = join(cacheDir, 'projects', `${project.slice(0, 32)}.vendor`);

  async function complete({ iconLock, byteSources, description }: VendorSources): Promise<void> {
    if (mode !== 'online' || iconLock.hash() === '') return;
    const said = await readFile(note, 'utf8').catch(() => '');
    if (said !== '' && said === (await state(iconLock))) return tidyProjectFile(vendor.path);
    await file.open();
    const wanted = wantedOf(iconLock);
    if (description !== undefined && wanted.has(description.digest)) file.put(description.bytes);
    const lacking = [...wanted].filter((integrity) => !file.has(integrity));
    // What another place has, the file is given on the way.
    const limit = pLimit(AT_ONCE);
    const found = await Promise.all(lacking.map((each) => limit(() => byteSources.get(each))));
    const missing = found.filter((bytes) => bytes === undefined).length;
    if (missing > 0) {
      log.warn(
        `${vendor.name} lacks ${missing === 1 ? 'one file' : `${missing} files`} of ${lockfile.name} that no cache has. Run \`npx icon-catalog sync\` to fetch them.`,
      );
    }
    const { added } = await file.flush(wanted);
    if (missing === 0) await remember(note, await state(iconLock));
    if (added.length === 0) return;
    const records = recordsOf(iconLock, file);
    const notice = await vendorNotice({ ...licenses, root, vendorFile: vendor.name, records });
    if (notice !== undefined) log.warn(notice);
  }

  async function state(iconLock: IconLock): Promise<string> {
    const found = await stat(vendor.path).catch(() => undefined);
    return found === undefined ? '' : `${iconLock.hash()} ${found.size} ${found.mtimeMs}`;
  }

  return {
    file,
    byteSource: vendorSource(file, { writable: mode === 'online' }),
    prune: (iconLock) => file.keepOnly(wantedOf(iconLock)),
    async problems(iconLock) {
      await file.open();
      const damaged = file.problems().map((problem) => describeVendorProblem(problem, vendor.name));
      const missing = [...iconLock.all().entries].filter(
        ([, { integrity }]) => integrity !== undefined && !file.has(integrity),
      );
      return [...damaged, ...missing.map(([key]) => notVendored(key, vendor.name))];
    },
    async records(iconLock) {
      await file.open();
      return recordsOf(iconLock, file);
    },
    async complete(ports) {
      try {
        await complete(ports);
      } catch (error) {
        if (isIconCatalogError(error)) throw error;
        log.warn(
          `${vendor.name} cannot be written (${reasonOf(error)}): new icons stay out of it. This build is right, but one without a network may lack them.`,
        );
      }
    },
  };
}

function notVendored(key: string, name: string): IconCatalogError {
  return new IconCatalogError('LOCK_MISSING', {
    message: `${name} has no line with the bytes of ${JSON.stringify(key)}.`,
    remedy: `Run \`npx icon-catalog sync\`, and commit ${name}.`,
    icon: parseLockKey(key)?.id,
    path: name,
  });
}

/** Digests of all files that the lock names, and of the catalog's description. */
function wantedOf(iconLock: Pick<IconLock, 'all' | 'catalog'>): Set<string> {
  const wanted = new Set<string>();
  for (const { integrity } of iconLock.all().entries.values())
    if (integrity !== undefined) wanted.add(integrity);
  const catalog = iconLock.catalog();
  if (catalog !== undefined) wanted.add(catalog);
  return wanted;
}

/** One record an icon of which the file holds bytes. */
function recordsOf(iconLock: IconLock, file: VendorFile): IconRecord[] {
  const records = new Map<string, IconRecord>();
  for (const [key, entry] of iconLock.all().entries) {
    const { id } = parseLockKey(key) ?? {};
    if (id === undefined || entry.integrity === undefined || !file.has(entry.integrity)) continue;
    records.set(`${id}`, { id: `${id}`, ...lockedRecord(entry) });
  }
  return [...records.values()];
}

async function remember(note: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(note), { recursive: true });
    await writeFile(note, text);
  } catch {
    // A cache that cannot be written is reported once, by the store that needs it more.
  }
}
