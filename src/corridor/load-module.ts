import type { EmittedModule } from '../emit/emit-module.ts';
import { joinParts, joinRecords, joinValue } from '../emit/module-code.ts';
import type { IconRequest } from '../types.ts';
import type { FinishedModule, FinishedModules } from './finished-modules.ts';
import { loadIcon, type LoadContext } from './load-icon.ts';
import { iconIdOf, toValueId } from './value-id.ts';

/**
 * How much of a module is wanted: all of it, its default export alone, or, as a string, its other exports beside a
 * default export that the module of this id has.
 */
export type ModuleShape = 'whole' | 'value' | { valueFrom: string };

/** The module alone: taken from the render pack where an earlier build finished it, walked through the corridor where not. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, shape = 'whole' }: { importer?: string | undefined; shape?: ModuleShape } = {},
): Promise<EmittedModule> {
  const { corridor } = context;
  const finished = await corridor.finished();
  const valueId = toValueId(request.canonical);
  if (shape === 'value') {
    const code = finishedValue(valueId, { finished, corridor });
    if (code !== undefined) return { kind: 'code', code };
  }
  const kept = finished.get(valueId);
  const records = kept && (await finished.records(valueId));
  if (kept === undefined || records === undefined) {
    const { module, credit, proof } = await loadIcon(request, context, importer);
    if (module.kind === 'code') finished.set(request, { parts: module.parts, credit, proof });
    return module.kind === 'code' && module.parts !== undefined
      ? { ...module, code: shaped(module.parts, shape) }
      : module;
  }
  note(kept, valueId, corridor);
  return { kind: 'code', code: shaped({ value: kept.value, ...records }, shape) };
}

/** Code of a module that is wanted for its default export, where an earlier build finished it. Thousands of them wait for nothing. */
export function finishedValue(
  valueId: string,
  {
    finished,
    corridor,
  }: { finished: FinishedModules | undefined; corridor: LoadContext['corridor'] },
): string | undefined {
  const kept = finished?.get(valueId);
  if (kept === undefined) return undefined;
  note(kept, valueId, corridor);
  return joinValue(kept);
}

/**
 * The same for a module that ships without being loaded: bundlers with a cache on disk ask for nothing on a warm build.
 * Returns false for one that is not finished.
 */
export function noteShipped(
  valueId: string,
  { finished, corridor }: { finished: FinishedModules; corridor: LoadContext['corridor'] },
): boolean {
  const kept = finished.get(valueId);
  if (kept !== undefined) note(kept, valueId, corridor);
  return kept !== undefined;
}

/** What the end of the build says about a finished module. */
function note(
  { versionStated, keepsColors, creditMissing }: FinishedModule,
  valueId: string,
  { build }: LoadContext['corridor'],
): void {
  if (!versionStated) build.versionNotStated(iconIdOf(valueId));
  if (creditMissing) build.creditMissing(iconIdOf(valueId));
  if (keepsColors) build.keepsColors(Number(iconIdOf(valueId)));
}

function shaped(parts: Parameters<typeof joinParts>[0], shape: ModuleShape): string {
  if (shape === 'whole') return joinParts(parts);
  return shape === 'value' ? joinValue(parts) : joinRecords(parts, shape.valueFrom);
}
