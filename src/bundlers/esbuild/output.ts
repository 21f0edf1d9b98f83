import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { BuildOptions, BuildResult, Metafile, OutputFile as BuiltFile } from 'esbuild';
import type { EmittedFile } from '../../build/search-outputs.ts';
import type { OutputFile } from '../../build/session-types.ts';
import { sha256Hex } from '../../store/hash.ts';

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
  const hash = sha256Hex(text).slice(0, 11);
  return { path, contents: new TextEncoder().encode(text), hash, text };
}

/** Every file of a build: from memory, or as esbuild has written it. */
export async function readOutputs(
  outputs: Readonly<Record<string, unknown>>,
  {
    root,
    folder,
    built,
  }: { root: string; folder: string; built: readonly BuiltFile[] | undefined },
): Promise<EmittedFile[]> {
  const nameOf = (path: string): string => relative(folder, path).replaceAll('\\', '/');
  if (built !== undefined)
    return built.map(({ path, contents }) => ({ fileName: nameOf(path), content: contents }));
  const files: EmittedFile[] = [];
  for (const name of Object.keys(outputs)) {
    const path = resolve(root, name);
    const content = await readFile(path).catch(() => undefined);
    if (content !== undefined) files.push({ fileName: nameOf(path), content });
  }
  return files;
}

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

export interface ForcedMetafile {
  /** The result's metafile, which is gone from the result afterwards unless somebody else asked for it. */
  take(result: BuildResult): Metafile | undefined;
}

/**
 * Has a metafile made. An accessor rather than a value: plugins that are set up later may ask for a metafile too, and
 * theirs must not be removed.
 */
export function forceMetafile(options: BuildOptions): ForcedMetafile {
  let isWanted = options.metafile === true;
  Object.defineProperty(options, 'metafile', {
    configurable: true,
    enumerable: true,
    get: () => true,
    set(value: unknown) {
      isWanted ||= value === true;
    },
  });
  return {
    take(result) {
      const { metafile } = result;
      if (!isWanted) delete (result as { metafile?: Metafile }).metafile;
      return metafile;
    },
  };
}
