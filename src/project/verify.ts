import { checkLicense, checkStatements } from '../attribution/license/policy.ts';
import { copyError, IconCatalogError, isIconCatalogError } from '../errors.ts';
import { alteredLines } from '../store/lockfile.ts';
import type { IconLock } from '../pipeline/lock.ts';
import type { ProjectTools } from './open.ts';
import { placeText, type ProjectReferences } from './references.ts';
import { describeDrift, findDrift } from '../attribution/credit/drift.ts';
import { parseLockKey } from '../request/key.ts';
import { nameRequest } from '../request/parse-request.ts';

interface VerifyReport {
  /** The number of lines in the lock. */
  lines: number;
  problems: IconCatalogError[];
  /**
   * Keys of lines whose bytes are nowhere on this machine: they may be right, but cannot be checked
   * here.
   */
  unverified: string[];
}

/**
 * Finds everything that could stop a build of this project, without a network: in the lock, in the
 * bytes of each of its lines, in the vendor file, in references without a line, in licences.
 * @param requirements.bytes lines whose bytes are nowhere on this machine are problems too
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
      // If bytes are missing, their line was reported already.
      if (!isAbsent || (requirements.bytes && key !== undefined)) problems.push(error);
    }
  };
  const { iconLock } = pipeline;
  await check(async () => {
    await iconLock.open();
    const altered = iconLock.acceptAltered();
    if (altered.size > 0) problems.push(alteredLines(altered, options.lockfile.name));
    await pipeline.open();
  });
  // A lock without lines has nothing to check.
  if (problems.some(({ code }) => code === 'LOCK_INVALID'))
    return { lines: 0, problems, unverified };
  const lock = iconLock.all();
  const assets = await pipeline.assets();
  const { vendor } = await pipeline.open();
  const vendored = (await vendor?.problems(iconLock)) ?? [];
  problems.push(...vendored);
  for (const key of lock.entries.keys()) {
    const iconKey = parseLockKey(key);
    // The faults of the vendor file were reported already, line by line.
    const isReported = vendored.some(({ code }) => code !== 'LOCK_MISSING');
    if (iconKey !== undefined && iconKey.kind !== 'meta' && !isReported)
      await check(() => assets.bytes(iconKey), key);
  }
  problems.push(...contradictions(iconLock));
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
        // The damage was reported already, for the line.
        if (reported.has(error.reason)) return;
        const importer = places.map(placeText).join(', ');
        if (error.code !== 'LOCK_MISSING') throw error.withImporter(importer);
        // The mode `offline` is that of this check, and not one that the project has chosen.
        const message = `${options.lockfile.name} has no line for \`${nameRequest(request, options)}\`.`;
        throw copyError(error, { message, importer });
      }
    });
  }
  return { lines: lock.entries.size, problems, unverified };
}

/** Lines of one icon that state different rights. */
function contradictions(iconLock: IconLock): IconCatalogError[] {
  return [...iconLock.all().entries].flatMap(([key, line]) => {
    const id = Number.parseInt(key, 10);
    const record = iconLock.record(id);
    const drift = record && findDrift(line, record).find(({ legal }) => legal);
    if (drift === undefined) return [];
    return new IconCatalogError('LOCK_MISMATCH', {
      message: `Lines of icon ${id} state different rights: in ${JSON.stringify(key)}, ${describeDrift(drift)} in the newest line.`,
      remedy: `Run \`npx icon-catalog update ${id}\`, which rewrites all of them.`,
      icon: id,
    });
  });
}
