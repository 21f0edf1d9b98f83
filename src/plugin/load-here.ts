import type { Corridor } from '../corridor/create-corridor.ts';
import { loadModule, type ModuleShape } from '../corridor/load-module.ts';
import { isIconCatalogError } from '../errors.ts';
import type { IconRequest, Log } from '../types.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { MissingIcons } from './missing-icons.ts';
import { placeholderModule } from './placeholder.ts';
import type { SessionModule } from './session-types.ts';
import { withoutFrames } from './without-frames.ts';

/**
 * An icon's module, or what stands for it where the build may go on without.
 * @throws IconCatalogError as `Session.load`
 */
export async function loadHere(
  request: IconRequest,
  {
    corridor,
    options,
    log,
    missing,
    placeholder,
    alone,
    importer,
    shape,
  }: {
    corridor: Corridor;
    options: ResolvedOptions;
    log: Log;
    missing: Pick<MissingIcons, 'add'>;
    placeholder: boolean;
    alone: boolean;
    importer: string | undefined;
    shape: ModuleShape;
  },
): Promise<{ module: SessionModule; isIcon: boolean }> {
  try {
    const module = await loadModule(request, { corridor, options }, { importer, shape });
    if (placeholder) corridor.flushSoon();
    return { module, isIcon: true };
  } catch (error) {
    const standIn = { module: placeholderModule(request, options.framework), isIcon: false };
    if (!alone && missing.add(request, error)) return standIn;
    if (!placeholder || !isIconCatalogError(error) || error.code !== 'CATALOG_UNAVAILABLE')
      throw withoutFrames(error);
    log.warn(
      `${error.message}\n  A placeholder stands for the icon until the catalog can be reached.`,
    );
    return standIn;
  }
}
