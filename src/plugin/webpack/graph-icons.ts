import type { Chunk, Compilation, Module } from 'webpack';
import { idOfIconResource } from './icon-resource.ts';

export interface GraphIcon {
  module: Module;
  /** Id and fingerprint; one per module. */
  resource: string;
  id: string;
}

/** Every icon module of every chunk, used or not; a module of two chunks comes twice. */
export function* iconsInChunks({
  chunks,
  chunkGraph,
}: Compilation): Generator<GraphIcon & { chunk: Chunk }> {
  for (const chunk of chunks) {
    for (const outer of chunkGraph.getChunkModulesIterable(chunk)) {
      for (const module of innerModules(outer)) {
        const resource = resourceOf(module);
        const id = idOfIconResource(resource);
        if (resource !== undefined && id !== undefined) yield { chunk, module, resource, id };
      }
    }
  }
}

/** Icon modules outside of every chunk: shaken away, or run during the build. */
export function* loneIcons(
  { modules }: Compilation,
  shippedResources: ReadonlySet<string>,
): Generator<GraphIcon> {
  for (const outer of modules) {
    for (const module of innerModules(outer)) {
      const resource = resourceOf(module);
      const id = idOfIconResource(resource);
      if (resource === undefined || id === undefined || shippedResources.has(resource)) continue;
      yield { module, resource, id };
    }
  }
}

/** A module of its own, or those that concatenation made one of; nested, where it did so twice. */
export function* innerModules(module: Module): Generator<Module> {
  if (!('modules' in module) || !isIterable(module.modules)) {
    yield module;
    return;
  }
  for (const inner of module.modules) yield* innerModules(inner);
}

function isIterable(value: unknown): value is Iterable<Module> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

export function resourceOf(module: Module): string | undefined {
  return 'resource' in module && typeof module.resource === 'string' ? module.resource : undefined;
}
