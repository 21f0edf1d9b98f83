import type { Compilation } from 'webpack';
import { idOfIconResource } from './icon-resource.ts';
import { idOfMark, readMark } from './style-marks.ts';
import { family, type ShippedIcons } from './shipped-icons.ts';

/**
 * Drops the files of icons that were shaken away (bundlers emit what a module has emitted, whatever became of it), and
 * adds to `shipped` the icons of style sheets and those files whose module no longer exists: a module that ran during the build is gone on a warm
 * one, while its file lives on with the module that asked. Files say themselves what they are.
 * @returns true where something was added
 */
export function settleFiles(compilation: Compilation, shipped: ShippedIcons): boolean {
  const owned = new Set<string>();
  const orphaned = new Set<string>();
  for (const { placements, orphanedFiles } of family(shipped)) {
    for (const file of orphanedFiles) orphaned.add(file);
    for (const placement of placements) {
      if ('files' in placement) for (const file of placement.files) owned.add(file);
    }
  }
  let isMore = false;
  for (const { name, info, source } of compilation.getAssets()) {
    if (idOfMark(name) !== undefined) {
      shipped.placed.push(readMark(source.source()));
      compilation.deleteAsset(name);
      continue;
    }
    const id = idOfIconResource(info.sourceFilename);
    if (id === undefined || owned.has(name)) continue;
    if (orphaned.has(name)) {
      compilation.deleteAsset(name);
    } else {
      shipped.placements.push({ id, files: [name] });
      isMore = true;
    }
  }
  return isMore;
}
