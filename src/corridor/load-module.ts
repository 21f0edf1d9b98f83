import type { EmittedModule } from '../emit/emit-module.ts';
import { joinParts } from '../emit/module-code.ts';
import type { IconRequest } from '../types.ts';
import { loadIcon, type LoadContext } from './load-icon.ts';

/** The module alone: taken from the render pack where an earlier build finished it, walked through the corridor where not. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  importer?: string,
): Promise<EmittedModule> {
  const { build } = context.corridor;
  const finished = await context.corridor.finished();
  const kept = finished.get(request);
  if (kept === undefined) {
    const { module, credit } = await loadIcon(request, context, importer);
    if (module.kind === 'code') finished.set(request, { parts: module.parts, credit });
    return module;
  }
  if (!kept.versionStated) build.versionNotStated(String(request.id));
  return { kind: 'code', code: joinParts(kept.parts) };
}
