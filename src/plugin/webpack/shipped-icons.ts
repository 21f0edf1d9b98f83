import type { Chunk, Compilation, Module } from 'webpack';
import type { FoundUsage } from '../session-types.ts';
import { iconsInChunks, innerModules, loneIcons, resourceOf } from './graph-icons.ts';
import { isCredits } from './icon-resource.ts';

/** What the finished module graph says about icons. */
export interface ShippedIcons {
  /** Ids of all icons in the output, without `icon:credits`. */
  ids: Set<string>;
  usages: FoundUsage[];
  /** Chunks that hold `icon:credits`. */
  creditsChunks: Set<Chunk>;
  /** Files that were emitted for icons which no chunk holds. */
  orphanedFiles: Set<string>;
  /** False where an icon could not be had. */
  complete: boolean;
}

interface ShippedIconsOptions {
  consumer: 'client' | 'server';
  /** Ids without artwork. */
  missing: ReadonlySet<string>;
}

/**
 * Icons in the chunks of a sealed compilation and of its children. The graph and not `load` is asked, because
 * persistent caches call nothing on a warm build, and because what was loaded may have been shaken away since.
 */
export function findShippedIcons(
  compilation: Compilation,
  options: ShippedIconsOptions,
): ShippedIcons {
  const shipped = collect(compilation, options);
  // Rspack's order of chunks differs from run to run.
  const usageByKey = new Map(shipped.usages.map((found) => [JSON.stringify(found), found]));
  shipped.usages = [...usageByKey.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, found]) => found);
  shipped.ids = new Set([...shipped.ids].toSorted());
  return shipped;
}

function collect(compilation: Compilation, options: ShippedIconsOptions): ShippedIcons {
  const shipped: ShippedIcons = {
    ids: new Set(),
    usages: [],
    creditsChunks: new Set(),
    orphanedFiles: new Set(),
    complete: true,
  };
  const inlineKind = options.consumer === 'server' ? 'server-only' : 'inline-js';
  const ownedFiles = new Set<string>();
  const shippedResources = new Set<string>();

  for (const { chunk, module, resource, id } of iconsInChunks(compilation)) {
    if (!isUsed(compilation, module, chunk)) continue;
    shippedResources.add(resource);
    if (isCredits(id)) {
      shipped.creditsChunks.add(chunk);
      continue;
    }
    if (options.missing.has(id)) {
      shipped.complete = false;
      continue;
    }
    shipped.ids.add(id);
    const assets = emittedFiles(module);
    for (const file of assets) ownedFiles.add(file);
    if (assets.length > 0) shipped.usages.push(...assets.map((file) => usage(id, file, 'asset')));
    else
      shipped.usages.push(
        ...scriptsOf(compilation, chunk).map((file) => usage(id, file, inlineKind)),
      );
  }

  for (const { module, resource, id } of loneIcons(compilation, shippedResources)) {
    for (const file of emittedFiles(module)) {
      if (ownedFiles.has(file)) continue;
      // Modules that ran during the build (CSS extraction) pass their files on to the module that asked.
      if (isEmittedByOthers(compilation, file, resource)) {
        shipped.ids.add(id);
        shipped.usages.push(usage(id, file, 'asset'));
      } else shipped.orphanedFiles.add(file);
    }
  }

  for (const child of compilation.children) {
    const inner = collect(child, options);
    shipped.complete &&= inner.complete;
    for (const id of inner.ids) shipped.ids.add(id);
    for (const file of inner.orphanedFiles) shipped.orphanedFiles.add(file);
    for (const found of inner.usages) shipped.usages.push(...placeOfChild(compilation, found));
  }
  for (const { file } of shipped.usages) shipped.orphanedFiles.delete(file);
  return shipped;
}

/** Unused exports are only known in builds that look for them; without knowledge an icon counts as used. */
function isUsed({ moduleGraph }: Compilation, module: Module, chunk: Chunk): boolean {
  const { runtime } = chunk;
  // webpack takes a string or its own set, Rspack (whose chunks have a plain set) a string or an array.
  const spec = runtime instanceof Set ? [...runtime] : runtime;
  const used = moduleGraph.getUsedExports(module, spec as typeof runtime);
  if (used === null || typeof used === 'boolean') return used !== false;
  return [...used].length > 0;
}

/**
 * Scripts of a child compiler are often run and thrown away (templates of HTML pages): what they held is then in
 * the pages.
 */
function placeOfChild(compilation: Compilation, found: FoundUsage): FoundUsage[] {
  if (found.kind === 'asset' || compilation.getAsset(found.file) !== undefined) return [found];
  const pages = compilation.getAssets().filter(({ name }) => name.endsWith('.html'));
  if (pages.length === 0) return [found];
  return pages.map(({ name }) => usage(found.id, name, 'inline-html'));
}

function emittedFiles(module: Module): string[] {
  return Object.keys(module.buildInfo?.assets ?? {});
}

function isEmittedByOthers(compilation: Compilation, file: string, resource: string): boolean {
  for (const chunk of compilation.chunks) {
    for (const outer of compilation.chunkGraph.getChunkModulesIterable(chunk)) {
      for (const module of innerModules(outer)) {
        if (resourceOf(module) !== resource && emittedFiles(module).includes(file)) return true;
      }
    }
  }
  return false;
}

/** Files of a chunk that hold its JavaScript; all of its files where none is called so. */
function scriptsOf(compilation: Compilation, chunk: Chunk): string[] {
  const files = [...chunk.files].filter(
    (file) => compilation.getAsset(file)?.info.hotModuleReplacement !== true,
  );
  const scripts = files.filter((file) => /\.[cm]?js(?:\?|$)/.test(file));
  return scripts.length > 0 ? scripts : files;
}

function usage(id: string, file: string, kind: FoundUsage['kind']): FoundUsage {
  // A query only beats a browser's cache, and the manifest knows no place outside of the output folder.
  return { id, file: file.replace(/\?.*$/, '').replace(/^(?:\.\.\/)+/, ''), kind };
}
