import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputFile } from '../session-types.ts';

/** Synchronous: Farm does not wait for what its `writeResources` hook begins. */
export function writeFiles(folder: string, files: readonly OutputFile[]): void {
  for (const { fileName, source } of files) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, source);
  }
}

export function removeFiles(folder: string, fileNames: Iterable<string>): void {
  for (const fileName of fileNames) rmSync(join(folder, fileName), { force: true });
}

/** Rewrites those of the files that hold the text. */
export function replaceInFiles(
  folder: string,
  fileNames: Iterable<string>,
  [pattern, by]: [RegExp | string, string],
): void {
  for (const fileName of fileNames) {
    const path = join(folder, fileName);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    const replaced = text.replaceAll(pattern, () => by);
    if (replaced !== text) writeFileSync(path, replaced);
  }
}

/** Text of a file; `undefined` where there is none. */
export function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
