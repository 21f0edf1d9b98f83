import type { EmittedModule } from '../emit/emit-module.ts';
import { joinPart, joinValue, type ModulePart } from '../emit/module-code.ts';
import { iconIdOf } from '../request/key.ts';
import type { IconRequest } from '../types.ts';
import type { LoadContext } from './load-icon.ts';
import type { Pipeline } from './pipeline.ts';

/** The module of one import: from the module cache if an earlier build finished it, otherwise through `loadIcon`. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, part }: { importer: string | undefined; part: ModulePart },
): Promise<EmittedModule> {
  const { build, open } = context.pipeline;
  const { modules } = await open();
  const cached = await modules.find(request, part);
  if (cached !== undefined) {
    build.note(request.id, cached.notes);
    return { kind: 'code', code: cached.code };
  }
  const { loadIcon } = await import('./load-icon.ts');
  const { module, credit, entryHash } = await loadIcon(request, context, importer);
  if (module.kind !== 'code' || module.parts === undefined) return module;
  modules.set(request, { parts: module.parts, credit, entryHash });
  return { ...module, code: joinPart(module.parts, part) };
}

/** Code of a module of which only the default export is wanted, if an earlier build finished it. It is synchronous, for thousands of them. */
export function cachedValue(
  defaultId: string,
  { modulesNow, build }: Pick<Pipeline, 'modulesNow' | 'build'>,
): string | undefined {
  try {
    const cached = modulesNow()?.get(defaultId);
    if (cached === undefined) return undefined;
    build.note(iconIdOf(defaultId), cached.notes);
    return joinValue(cached);
  } catch {
    // A broken entry of the lock: `loadModule` meets it as well, and has it reported once for all icons.
    return undefined;
  }
}
