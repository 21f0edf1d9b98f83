import type { Chunk, Compilation, Module } from 'webpack';
import type { PlacedIcon } from '../placed-icons.ts';
import { iconsInChunks, innerModules, loneIcons, resourceOf } from './graph-icons.ts';
import { idOfMark } from './style-marks.ts';
import { idOfIconResource, isCredits } from './icon-resource.ts';

/** An icon in the output: in the scripts of a chunk, or in files of its own. */
export type Placement = { id: string } & (
  | { chunk: Chunk }
  | { files: string[] }
  /** Name of the mark that a style sheet left; see style-marks.ts. */
  | { mark: string }
);

/** What the module graph of one compilation says about icons. File names of chunks are not known yet. */
export interface ShippedIcons {
  placements: Placement[];
  /** Chunks that hold `icon:credits`. */
  creditsChunks: Set<Chunk>;
  /** Files that were emitted for icons which no chunk holds. */
  orphanedFiles: Set<string>;
  /** Icons of style sheets, once `settleFiles` has read their marks. */
  placed: PlacedIcon[];
  /** False where an icon could not be had. */
  complete: boolean;
  /** The same for child compilers (pages, CSS extraction) that had finished by then. */
  children: Map<Compilation, ShippedIcons>;
}

/**
 * Icons in the chunks of a compilation. The graph and not `load` is asked, because persistent caches call nothing on
 * a warm build, and because what was loaded may have been shaken away since.
 * @param missing ids without artwork
 */
export function findShippedIcons(
  compilation: Compilation,
  missing: ReadonlySet<string>,
): ShippedIcons {
  const shipped: ShippedIcons = {
    placements: [],
    creditsChunks: new Set(),
    orphanedFiles: new Set(),
    placed: [],
    complete: true,
    children: new Map(
      compilation.children.map((child) => [child, findShippedIcons(child, missing)]),
    ),
  };
  const ownedFiles = new Set<string>();
  const shippedResources = new Set<string>();

  for (const { chunk, module, resource, id } of iconsInChunks(compilation)) {
    if (!isUsed(compilation, module, chunk, id)) continue;
    shippedResources.add(resource);
    if (isCredits(id)) shipped.creditsChunks.add(chunk);
    else if (!/^icon:\d/.test(id)) continue;
    else if (missing.has(id)) shipped.complete = false;
    else {
      const files = emittedFiles(module);
      for (const file of files) ownedFiles.add(file);
      shipped.placements.push(files.length > 0 ? { id, files } : { id, chunk });
    }
  }

  let filesOfOthers: Set<string> | undefined;
  for (const { module, id } of loneIcons(compilation, shippedResources)) {
    for (const file of emittedFiles(module)) {
      if (ownedFiles.has(file)) continue;
      // Modules that ran during the build (CSS extraction) pass their files on to the module that asked.
      filesOfOthers ??= filesOfChunks(compilation);
      if (filesOfOthers.has(file)) shipped.placements.push({ id, files: [file] });
      else shipped.orphanedFiles.add(file);
    }
  }
  const marks = new Set([...compilation.modules].flatMap(emittedFiles));
  for (const mark of marks) {
    const id = idOfMark(mark);
    if (id !== undefined) shipped.placements.push({ id, mark });
  }
  return shipped;
}

/** Ids of everything shipped, children included, in a stable order. */
export function shippedIds(shipped: ShippedIcons): string[] {
  const ids = new Set<string>();
  for (const { placements } of family(shipped)) for (const { id } of placements) ids.add(id);
  return [...ids].toSorted();
}

/** A compilation and the ones within it. */
export function* family(shipped: ShippedIcons): Generator<ShippedIcons> {
  yield shipped;
  for (const child of shipped.children.values()) yield* family(child);
}

/**
 * Unused exports are only known in builds that look for them; without knowledge an icon counts as used. The artwork is
 * the default export: a script that reads the record alone does not ship it.
 */
function isUsed(compilation: Compilation, module: Module, chunk: Chunk, id: string): boolean {
  // The first versions of Rspack 1 show plugins no module graph, or less of it.
  const { moduleGraph }: { moduleGraph?: Partial<Compilation['moduleGraph']> } = compilation;
  const exports: Partial<ExportsInfo> | undefined = moduleGraph?.getExportsInfo?.(module);
  if (exports?.getUsed === undefined || exports.isUsed === undefined) return true;
  const { runtime } = chunk;
  // webpack takes a string or its own set, Rspack (whose chunks have a plain set) a string or an array.
  const spec = (runtime instanceof Set ? [...runtime] : runtime) as typeof runtime;
  return isCredits(id) ? exports.isUsed(spec) : exports.getUsed('default', spec) !== UNUSED;
}

type ExportsInfo = ReturnType<Compilation['moduleGraph']['getExportsInfo']>;

/** `UsageState.Unused` of both bundlers. */
const UNUSED = 0;

function emittedFiles(module: Module): string[] {
  return Object.keys(module.buildInfo?.assets ?? {});
}

/** Files that modules other than icons have emitted. */
function filesOfChunks({ chunks, chunkGraph }: Compilation): Set<string> {
  const files = new Set<string>();
  for (const chunk of chunks) {
    for (const outer of chunkGraph.getChunkModulesIterable(chunk)) {
      for (const module of innerModules(outer)) {
        if (isIcon(module)) continue;
        for (const file of emittedFiles(module)) files.add(file);
      }
    }
  }
  return files;
}

function isIcon(module: Module): boolean {
  return idOfIconResource(resourceOf(module)) !== undefined;
}
