import { readFile, rm } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import type { BuildOptions, BuildResult, Metafile, OutputFile as BuiltFile } from 'esbuild';
import type { FoundUsage, OutputFile } from '../../build/session-types.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import { toIconId } from '../../request/key.ts';
import { writeChanged } from '../../store/files.ts';
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
  for (const { fileName, source } of files) await writeChanged(join(folder, fileName), source);
}

/** @param paths as a metafile names them */
export async function removeFiles(paths: readonly string[], root: string): Promise<void> {
  await Promise.all(paths.map((path) => rm(resolve(root, path), { force: true })));
}

function toBuiltFile(path: string, contents: Uint8Array): BuiltFile {
  const text = new TextDecoder().decode(contents);
  return { path, contents, hash: sha256Hex(contents).slice(0, 11), text };
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

interface OutputFolder {
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

/** Has a metafile made, by an accessor: plugins that are set up later may ask for one too, and keep theirs. */
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

/** Modules of icons. With the path after `icon:` a metafile names them as they were imported: `icon:123?as=svg`. */
export const ICON_NAMESPACE = 'icon';
/** Files of icons: `icon-file:123?as=url/star-123.svg`. The last part is the `[name]` of `assetNames`. */
export const FILE_NAMESPACE = 'icon-file';

/** The sprite file among them. */
export const SPRITE_PATH = 'sprite/sprite.svg';

/** Icons that style sheets hold in place: named as files are. */
export const DATA_NAMESPACE = 'icon-data';

/** What the metafiles of esbuild and Bun have in common, as far as we read it. */
export interface Outputs {
  [path: string]: { inputs: Record<string, unknown> };
}

/** A metafile as far as it says what style sheets hold: outputs name their style sheets, style sheets their icons. */
interface StyledMetafile {
  inputs: Record<string, { imports: { path: string }[] }>;
  outputs: Outputs;
}

/** The outputs of a metafile, those of style sheets with the icons that are in them. */
export function outputsOf({ inputs, outputs }: StyledMetafile): Outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => {
      // A script names its style sheets too, which are in a file of their own.
      if (!path.endsWith('.css')) return [path, output];
      const icons = Object.keys(output.inputs)
        .flatMap((input) => inputs[input]?.imports ?? [])
        .filter((imported) => imported.path.startsWith(`${DATA_NAMESPACE}:`));
      const more = Object.fromEntries(icons.map((imported) => [imported.path, {}]));
      return [path, { ...output, inputs: { ...output.inputs, ...more } }];
    }),
  );
}

/**
 * Ids of the icons whose code or file is part of these outputs. Every input that an output names counts, also with no
 * bytes left: shaken modules are not named at all, while a constant that was moved elsewhere leaves an empty module.
 */
export function shippedIcons(outputs: Outputs): Set<string> {
  return new Set(
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).flatMap(iconOf)),
  );
}

/** Modules of files that are in the output, packages' among them. */
export function* modulesOf(
  outputs: Outputs,
  { root, folder }: { root: string; folder: string },
): Generator<{ path: string; file: string }> {
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (path.endsWith('.map')) continue;
    const file = posix.relative(folder, path);
    // Paths of plugins begin with their namespace.
    for (const input of Object.keys(inputs))
      if (!/^[\w-]{2,}:/.test(input)) yield { path: resolve(root, input), file };
  }
}

/** Where each icon is. An icon that is a file of its own is listed there, not where its address is. */
export function foundUsages(
  outputs: Outputs,
  { folder, consumer }: { folder: string; consumer: 'client' | 'server' },
): FoundUsage[] {
  const usages: FoundUsage[] = [];
  const isFile = new Set<string>();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (path.endsWith('.map')) continue;
    const file = posix.relative(folder, path);
    const [only, ...others] = Object.keys(inputs);
    const isAsset =
      only !== undefined && others.length === 0 && only.startsWith(`${FILE_NAMESPACE}:`);
    const inCode: FoundUsage['kind'] = consumer === 'server' ? 'server-only' : 'inline-js';
    for (const id of new Set(Object.keys(inputs).flatMap(iconOf))) {
      if (isAsset) isFile.add(id);
      const kind = path.endsWith('.css') ? 'inline-css' : inCode;
      usages.push({ id, file, kind: isAsset ? 'asset' : kind });
    }
  }
  return usages.filter(({ id, kind }) => kind === 'asset' || !isFile.has(id));
}

/** The canonical id for any module or file of an icon. */
function iconOf(input: string): string[] {
  const [, hasName, path = ''] = /^icon(-file|-data)?:(\d.*)$/.exec(input) ?? [];
  if (path === '') return [];
  return [hasName ? `icon:${path.slice(0, path.lastIndexOf('/'))}` : toIconId(`icon:${path}`)];
}

/** Place of the sprite file, relative to the output folder. */
export function spriteFile(outputs: Outputs, folder: string): string | undefined {
  const input = `${FILE_NAMESPACE}:${SPRITE_PATH}`;
  const found = Object.entries(outputs).find(
    ([path, { inputs }]) =>
      input in inputs && Object.keys(inputs).length === 1 && !path.endsWith('.map'),
  );
  return found && posix.relative(folder, found[0]);
}
