import { dirname, resolve } from 'node:path';
import type { OutputPlace } from './rollup-types.ts';

/** Absolute. */
export function folderOf({ dir, file }: OutputPlace): string | undefined {
  const folder = dir ?? (file === undefined ? undefined : dirname(file));
  return folder === undefined ? undefined : resolve(folder);
}

/** As somebody in the project would type it. */
export function inFolder(folder: string | undefined, file: string): string {
  return folder === undefined ? file : `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/${file}`;
}
