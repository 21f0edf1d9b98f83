import { declareImports } from '../corridor/declare-imports.ts';
import type { Upkeep } from './open-upkeep.ts';
import { pinIcons, type PinReport } from './pin-icons.ts';
import { wantedIcons, type ProjectReferences } from './project-references.ts';

/**
 * Brings the project up to its sources: lock, cache, vendor file, and `icon-catalog.d.ts` in a TypeScript project.
 *
 * @param options.isWhole all sources were read, so that declarations of others can go
 * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
 */
export async function syncProject(
  references: ProjectReferences,
  upkeep: Upkeep,
  { isWhole, onIcon }: { isWhole: boolean; onIcon: () => void },
): Promise<PinReport> {
  const report = await pinIcons(wantedIcons(references), upkeep, onIcon);
  const isComplete = isWhole && report.failed.length === 0 && references.invalid.length === 0;
  await declareImports(references.imports, upkeep, { keep: !isComplete });
  return report;
}
