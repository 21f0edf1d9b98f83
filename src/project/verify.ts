import { describeDrift, findDrift } from '../attribution/check/credits.ts';
import { checkLicense, checkStatements } from '../attribution/license/policy.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { alteredLines } from '../store/lockfile.ts';
import { parseLockKey } from '../store/lockfile-format.ts';
import type { ProjectTools } from './open.ts';
import { placeText, type ProjectReferences } from './references.ts';

export interface VerifyReport {
  /** Lines of the lock. */
  lines: number;
  problems: IconCatalogError[];
  /** Keys of lines whose bytes no place on this machine has: they may be right, and nobody here can tell. */
  unverified: string[];
}

/**
 * Everything that a build of this project could stumble over, found without a network: the lock, the bytes of each of
 * its lines, the vendor file, references without a line, licences.
 *
 * @param requirements.bytes lines whose bytes no place on this machine has are problems too
 */
export async function verifyProject(
  references: ProjectReferences,
  { pipeline, options }: ProjectTools,
  requirements: { bytes: boolean },
): Promise<VerifyReport> {
  const problems: IconCatalogError[] = [...references.invalid];
  const unverified: string[] = [];
  const check = async (task: () => unknown, key?: string): Promise<void> => {
    try {
      await task();
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      const isAbsent = error.code === 'OFFLINE_MISSING';
      if (isAbsent && key !== undefined) unverified.push(key);
      // Bytes that a reference lacks are those of a line.
      if (!isAbsent || (requirements.bytes && key !== undefined)) problems.push(error);
    }
  };
  const { iconLock } = pipeline;
  await check(async () => {
    await iconLock.open();
    const altered = iconLock.acceptAltered();
    if (altered.size > 0) problems.push(alteredLines(altered, options.lockfile.name));
    await pipeline.assets();
  });
  // Nothing can be held against a lock that says nothing.
  if (problems.some(({ code }) => code === 'LOCK_INVALID'))
    return { lines: 0, problems, unverified };
  const lock = iconLock.all();
  const assets = await pipeline.assets();
  const vendored = (await (await pipeline.vendor())?.problems(iconLock)) ?? [];
  problems.push(...vendored);
  for (const key of lock.entries.keys()) {
    const iconKey = parseLockKey(key);
    // What is wrong with the vendor file was told already, line by line.
    const isReported = vendored.some(({ code }) => code !== 'LOCK_MISSING');
    if (iconKey !== undefined && iconKey.kind !== 'meta' && !isReported)
      await check(() => assets.bytes(iconKey), key);
  }
  for (const [key, line] of lock.entries) {
    const id = Number.parseInt(key, 10);
    const record = iconLock.record(id);
    const [drift] =
      record === undefined ? [] : findDrift(line, record).filter(({ legal }) => legal);
    if (drift !== undefined)
      problems.push(
        new IconCatalogError('LOCK_MISMATCH', {
          message: `Lines of icon ${id} say different things of its rights: in ${JSON.stringify(key)}, ${describeDrift(drift)} in the newest line.`,
          remedy: `Run \`npx icon-catalog update ${id}\`, which writes all of them anew.`,
          icon: id,
        }),
      );
  }
  const ids = new Set([...lock.entries.keys()].map((key) => Number.parseInt(key, 10)));
  for (const id of ids) {
    const record = iconLock.record(id);
    if (record === undefined) continue;
    await check(() => checkLicense(record, options.licenses));
    await check(() => checkStatements(record, options.licenses));
  }
  const reported = new Set(problems.map(({ reason }) => reason));
  for (const { request, places } of references.icons) {
    const [first] = places;
    await check(async () => {
      try {
        await pipeline.source(request, first && placeText(first));
      } catch (error) {
        if (!isIconCatalogError(error)) throw error;
        // A damaged line was told of already, for the line.
        if (!reported.has(error.reason)) throw error.withImporter(places.map(placeText).join(', '));
      }
    });
  }
  return { lines: lock.entries.size, problems, unverified };
}
