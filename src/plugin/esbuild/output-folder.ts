import { dirname, relative, resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';

export interface OutputFolder {
  /** Absolute. */
  path: string;
  /** As metafiles name it: relative to the root, with `/`. */
  inMetafile: string;
}

/** `undefined` where the output goes to standard output, or has no place at all (`write: false`). */
export function outputFolder(
  { outdir, outfile }: BuildOptions,
  root: string,
): OutputFolder | undefined {
  const folder = outdir ?? (outfile === undefined ? undefined : dirname(outfile));
  if (folder === undefined) return undefined;
  const path = resolve(root, folder);
  return { path, inMetafile: relative(root, path).replaceAll('\\', '/') };
}
