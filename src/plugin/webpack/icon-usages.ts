import type { Chunk, Compilation } from 'webpack';
import type { FoundUsage } from '../session-types.ts';
import { usagesOfPlaced, type TextOutput } from '../placed-icons.ts';
import { findShippedIcons, type ShippedIcons } from './shipped-icons.ts';

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
    usageByKey.set(JSON.stringify(found), found);
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
  for (const placement of placements) {
    const { id } = placement;
    // Says who is there; `placed` says where.
    if ('mark' in placement) continue;
    if ('files' in placement) {
      for (const file of placement.files) yield usage(id, file, 'asset');
    } else {
      for (const file of scriptsOf(compilation, placement.chunk)) yield usage(id, file, scriptKind);
    }
  }
  if (placed.length > 0) {
    const outputs = textAssets(compilation);
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

/** Files of a chunk that hold its JavaScript; all of its files where none is called so. */
export function scriptsOf(compilation: Compilation, chunk: Chunk): string[] {
  const files = [...chunk.files].filter(
    (file) => compilation.getAsset(file)?.info.hotModuleReplacement !== true,
  );
  const scripts = files.filter((file) => /\.[cm]?js(?:\?|$)/.test(file));
  return scripts.length > 0 ? scripts : files;
}

export function textAssets(compilation: Compilation): TextOutput[] {
  return compilation
    .getAssets()
    .filter(({ name, info }) => TEXT.test(name) && info.hotModuleReplacement !== true)
    .map(({ name, source }) => ({
      fileName: name.replace(/\?.*$/, ''),
      text: String(source.source()),
    }));
}

const TEXT = /\.(?:css|html?|[cm]?js)(?:\?|$)/;

function usage(id: string, file: string, kind: FoundUsage['kind']): FoundUsage {
  return { id, file: plainName(file), kind };
}

/** A query only beats a browser's cache, and the manifest knows no place outside of the output folder. */
export function plainName(file: string): string {
  return file.replace(/\?.*$/, '').replace(/^(?:\.\.\/)+/, '');
}
