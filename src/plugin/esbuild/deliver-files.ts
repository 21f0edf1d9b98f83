import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { OutputFile as BuiltFile } from 'esbuild';
import type { OutputFile } from '../session-types.ts';

/** Files into the output folder, or among the files of a build with `write: false`. */
export async function deliverFiles(
  files: readonly OutputFile[],
  { folder, built }: { folder: string; built: BuiltFile[] | undefined },
): Promise<void> {
  if (built !== undefined) {
    built.push(...files.map(({ fileName, source }) => toBuiltFile(join(folder, fileName), source)));
    return;
  }
  for (const { fileName, source } of files) {
    const path = join(folder, fileName);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
  }
}

/** @param paths as a metafile names them */
export async function removeFiles(paths: readonly string[], root: string): Promise<void> {
  await Promise.all(paths.map((path) => rm(resolve(root, path), { force: true })));
}

/** The style sheets of a build, by the paths of its metafile. */
export async function readStyles(
  paths: readonly string[],
  { root, built }: { root: string; built: BuiltFile[] | undefined },
): Promise<{ fileName: string; text: string }[]> {
  const sheets = paths.filter((path) => path.endsWith('.css'));
  return Promise.all(
    sheets.map(async (fileName) => {
      const path = join(root, fileName);
      const file = built?.find((one) => one.path === path);
      return { fileName, text: file?.text ?? (await readFile(path, 'utf8').catch(() => '')) };
    }),
  );
}

function toBuiltFile(path: string, text: string): BuiltFile {
  const hash = createHash('sha256').update(text).digest('base64').slice(0, 11);
  return { path, contents: new TextEncoder().encode(text), hash, text };
}
