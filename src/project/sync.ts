import { declareImports } from '../dts/declare-imports.ts';
import { keyOfRequest } from '../pipeline/lock.ts';
import { parseLockKey } from '../store/lockfile-format.ts';
import type { ProjectTools } from './open.ts';
import { pinIcons, type PinReport, type WantedIcon } from './pin.ts';
import { type ProjectReferences, wantedIcons } from './references.ts';

/**
 * Updates the project to its sources: lock, cache, vendor file, and `icon-catalog.d.ts` in a
 * TypeScript project.
 * @param options.isWhole all sources were read, so that declarations without a source can be
 * removed
 * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
 */
export async function syncProject(
  references: ProjectReferences,
  tools: ProjectTools,
  { isWhole, onIcon }: { isWhole: boolean; onIcon: () => void },
): Promise<PinReport> {
  const report = await pinIcons(wantedIcons(references), tools, onIcon);
  const isComplete = isWhole && report.failed.length === 0 && references.invalid.length === 0;
  await declareImports(references.imports, tools, { keep: !isComplete });
  return report;
}

export interface CallEstimate {
  /** Keys of lines that would be added to the lock. */
  missing: string[];
  /**
   * The number of signed calls that it would take. An icon of several tones needs one more for each
   * colour; only its file shows whether it has several.
   */
  calls: number;
}

/** The cost of adding these lines. Makes no call. */
export async function estimateCalls(
  wanted: readonly WantedIcon[],
  { pipeline }: Pick<ProjectTools, 'pipeline'>,
): Promise<CallEstimate> {
  const { iconLock } = pipeline;
  const assets = await pipeline.assets();
  const keys = new Set(wanted.map(({ request }) => keyOfRequest(request)));
  const missing = [...keys].filter((key) => {
    const isRecord =
      key.endsWith(':meta') && iconLock.record(Number.parseInt(key, 10)) !== undefined;
    return iconLock.find(key) === undefined && !isRecord;
  });
  const records = new Set<number>();
  let calls = 0;
  for (const key of missing) {
    const id = Number.parseInt(key, 10);
    if (iconLock.record(id) === undefined && !records.has(id) && !(await assets.hasRecord(id))) {
      calls += 1;
    }
    records.add(id);
  }
  for (const key of new Set([...missing, ...iconLock.all().entries.keys()])) {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined || iconKey.kind === 'meta') continue;
    if (!(await assets.hasBytes(iconKey))) calls += 1;
  }
  return { missing, calls };
}
