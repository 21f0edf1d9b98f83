import type { Chunk, Compilation, Module } from 'webpack';
import { type PlacedIcon, textFiles, usagesOfPlaced } from '../../build/images.ts';
import type { FoundUsage } from '../../build/session-types.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import { toDefaultId } from '../../request/key.ts';
import { idOfIconResource, isCredits } from './read-icon.ts';
import { idOfMark } from './styles.ts';

/** An icon in the output: in the scripts of a chunk, or in files of its own. */
type Placement = { id: string } & (
  | { chunk: Chunk }
  | { files: string[] }
  /** Name of the mark that a style sheet left: see styles.ts. */
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
  /** False if an icon was unavailable. */
  complete: boolean;
  /** The same for child compilers (pages, CSS extraction) that had already finished. */
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
      const files = filesOfIcon(module, id);
      for (const file of files) ownedFiles.add(file);
      shipped.placements.push(files.length > 0 ? { id, files } : { id, chunk });
    }
  }

  let filesOfOthers: Set<string> | undefined;
  for (const { module, id } of loneIcons(compilation, shippedResources)) {
    for (const file of filesOfIcon(module, id)) {
      if (ownedFiles.has(file)) continue;
      // Modules that ran during the build (CSS extraction) pass their files on to the module that asked.
      filesOfOthers ??= filesOfChunks(compilation);
      if (filesOfOthers.has(file)) shipped.placements.push({ id, files: [file] });
      else shipped.orphanedFiles.add(file);
    }
  }
  const styles = [...compilation.modules].filter((module) => !isIconModule(module));
  const marks = new Set(styles.flatMap(filesOf));
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

function filesOf(module: Module): string[] {
  return Object.keys(module.buildInfo?.assets ?? {});
}

/** Most icons have none, and Rspack takes as long to answer as to find the module. */
function filesOfIcon(module: Module, id: string): string[] {
  return /\bas=(?:url|sprite)\b/.test(id) ? filesOf(module) : [];
}

function isIconModule(module: Module): boolean {
  return resourceOf(module)?.startsWith('icon:') === true;
}

/** Files that modules other than icons have emitted. */
function filesOfChunks(compilation: Compilation): Set<string> {
  const files = new Set<string>();
  for (const { module } of modulesInChunks(compilation)) {
    if (isIconModule(module)) continue;
    for (const file of filesOf(module)) files.add(file);
  }
  return files;
}

/** Every module of every chunk; a module of two chunks comes twice. */
export function* modulesInChunks({
  chunks,
  chunkGraph,
}: Compilation): Generator<{ chunk: Chunk; module: Module }> {
  for (const chunk of chunks)
    for (const outer of chunkGraph.getChunkModulesIterable(chunk))
      for (const module of innerModules(outer)) yield { chunk, module };
}

interface GraphIcon {
  module: Module;
  /** Id and fingerprint; one per module. */
  resource: string;
  id: string;
}

/** Every icon module of every chunk, used or not; a module of two chunks comes twice. */
function* iconsInChunks(compilation: Compilation): Generator<GraphIcon & { chunk: Chunk }> {
  for (const { chunk, module } of modulesInChunks(compilation)) {
    const resource = resourceOf(module);
    const id = idOfIconResource(resource);
    if (resource !== undefined && id !== undefined) yield { chunk, module, resource, id };
  }
}

/** Icon modules outside of every chunk: shaken away, or run during the build. */
function* loneIcons(
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
function* innerModules(module: Module): Generator<Module> {
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

interface UsageOptions {
  consumer: 'client' | 'server';
  /** Ids without artwork. */
  missing: ReadonlySet<string>;
}

/** The places of all icons by the files that hold them, once files have their final names; sorted, each place once. */
export function iconUsages(
  compilation: Compilation,
  shipped: ShippedIcons,
  options: UsageOptions,
): FoundUsage[] {
  const usageByKey = new Map<string, FoundUsage>();
  for (const found of collect(compilation, shipped, options)) {
    // Either module of an icon may have brought it.
    usageByKey.set(JSON.stringify({ ...found, id: toDefaultId(found.id) }), found);
  }
  // Rspack's order of chunks differs from run to run.
  return [...usageByKey.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, found]) => found);
}

function* collect(
  compilation: Compilation,
  { placements, placed, children }: ShippedIcons,
  options: UsageOptions,
): Generator<FoundUsage> {
  const scriptKind = options.consumer === 'server' ? 'server-only' : 'inline-js';
  const scriptsBy = new Map<Chunk, string[]>();
  for (const placement of placements) {
    const { id } = placement;
    // A mark says that a style sheet has the icon, and `placed` says where.
    if ('mark' in placement) continue;
    if ('files' in placement) {
      for (const file of placement.files) yield usage(id, file, 'asset');
    } else {
      const scripts = scriptsBy.get(placement.chunk) ?? scriptsOf(compilation, placement.chunk);
      scriptsBy.set(placement.chunk, scripts);
      for (const file of scripts) yield usage(id, file, scriptKind);
    }
  }
  if (placed.length > 0) {
    const outputs = textFiles(emittedFiles(compilation));
    const fileNameOf = (name: string): string | undefined =>
      compilation.getAsset(name) === undefined ? undefined : name;
    for (const { id, file, kind } of usagesOfPlaced(placed, {
      outputs,
      fileNameOf,
      consumer: options.consumer,
    }))
      yield usage(id, file, kind);
  }
  for (const child of compilation.children) {
    const inner = children.get(child) ?? findShippedIcons(child, options.missing);
    for (const found of collect(child, inner, options)) yield* placeOfChild(compilation, found);
  }
}

/** What scripts of a child compiler held is in the pages if they were run and thrown away (templates of HTML pages). */
function placeOfChild(compilation: Compilation, found: FoundUsage): FoundUsage[] {
  if (found.kind === 'asset' || compilation.getAsset(found.file) !== undefined) return [found];
  const pages = compilation.getAssets().filter(({ name }) => name.endsWith('.html'));
  if (pages.length === 0) return [found];
  return pages.map(({ name }) => usage(found.id, name, 'inline-html'));
}

/** Files of a chunk that hold its JavaScript; all of its files where none is called so. */
export function scriptsOf(compilation: Compilation, chunk: Chunk): string[] {
  const files = [...chunk.files].filter(
    (file) => compilation.getAsset(file)?.info.hotModuleReplacement !== true,
  );
  const scripts = files.filter((file) => /\.[cm]?js(?:\?|$)/.test(file));
  return scripts.length > 0 ? scripts : files;
}

/** Every file of a compilation, as it will be written. Updates of a running page are no part of the output. */
export function* emittedFiles(compilation: Compilation): Generator<EmittedFile> {
  for (const { name, info, source } of compilation.getAssets())
    if (info.hotModuleReplacement !== true)
      yield { fileName: plainName(name), content: source.source() };
}

function usage(id: string, file: string, kind: FoundUsage['kind']): FoundUsage {
  return { id, file: plainName(file), kind };
}

/** A query only beats a browser's cache, and the manifest knows no place outside of the output folder. */
export function plainName(file: string): string {
  return file.replace(/\?.*$/, '').replace(/^(?:\.\.\/)+/, '');
}
