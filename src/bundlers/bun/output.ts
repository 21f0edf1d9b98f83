import { Buffer } from 'node:buffer';
import { join, posix, relative, resolve } from 'node:path';
import { textFiles, usagesOfPlaced } from '../../build/images.ts';
import type { FoundUsage, OutputFile, Sprite } from '../../build/session-types.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import { toDefaultId, toIconId } from '../../request/key.ts';
import { writeChanged } from '../../store/files.ts';
import { foundUsages, ICON_NAMESPACE, type Outputs } from '../esbuild/output.ts';
import type { BunArtifact, BunBuildResult, LoadedIcons } from './modules.ts';

interface BunGraph {
  usages: FoundUsage[];
  /** Canonical ids of what is shipped. */
  ids: Set<string>;
  /** Files of icons that no module of the output refers to. Bun emits them although their modules were shaken away. */
  unused: BunArtifact[];
}

/**
 * Every icon that a result ships; all that were loaded where this Bun makes no metafile.
 *
 * @param options.outdir as in the options of the build; without it the output stays in memory
 */
export async function readGraph(
  result: BunBuildResult,
  {
    loaded,
    outdir,
    consumer,
  }: { loaded: LoadedIcons; outdir: string | undefined; consumer: 'client' | 'server' },
): Promise<BunGraph> {
  const fileOf = placeIn(outdir);
  const files = await filesOfIcons(result, loaded);

  const inScripts =
    result.metafile === undefined
      ? everywhere(result, { loaded, fileOf })
      : foundUsages(
          await withoutShaken(result.metafile.outputs, { result, loaded, files, fileOf }),
          {
            folder: '',
            consumer,
          },
        );
  const ids = new Set(inScripts.map(({ id }) => id));
  const usages = inScripts.filter(({ id }) => !loaded.files.has(id));
  const unused: BunArtifact[] = [];
  for (const [artifact, candidates] of files) {
    const used = candidates.filter((id) => ids.has(id));
    if (used.length === 0) unused.push(artifact);
    for (const id of used) usages.push({ id, file: fileOf(artifact), kind: 'asset' });
  }
  const inStyles = [...loaded.placed.values()].flat();
  if (inStyles.length > 0) {
    const outputs = textFiles(await emittedFiles(result.outputs, outdir));
    const found = usagesOfPlaced(inStyles, { outputs, fileNameOf: () => undefined, consumer });
    usages.push(...found);
    for (const { id } of found) ids.add(id);
  }
  return { usages, ids, unused };
}

function placeIn(outdir: string | undefined): (artifact: { path: string }) => string {
  return ({ path }) =>
    outdir === undefined
      ? posix.normalize(path)
      : relative(resolve(outdir), path).replaceAll('\\', '/');
}

/** Place of the sprite file, which like every file is found by its bytes. */
export async function findSprite(
  { outputs }: BunBuildResult,
  { sprite, outdir }: { sprite: Sprite | undefined; outdir: string | undefined },
): Promise<string | undefined> {
  for (const artifact of outputs.filter(({ kind }) => kind === 'asset')) {
    if ((await artifact.text()) === sprite?.source) return placeIn(outdir)(artifact);
  }
  return undefined;
}

/** Bun's metafile names no emitted files, so those are found by their bytes. */
async function filesOfIcons(
  { outputs }: BunBuildResult,
  loaded: LoadedIcons,
): Promise<Map<BunArtifact, string[]>> {
  const files = new Map<BunArtifact, string[]>();
  for (const artifact of outputs.filter(({ kind }) => kind === 'asset')) {
    const bytes = Buffer.from(await artifact.arrayBuffer());
    const same = [...loaded.files].filter(([, source]) => bytes.equals(Buffer.from(source)));
    if (same.length > 0)
      files.set(
        artifact,
        same.map(([id]) => id),
      );
  }
  return files;
}

function everywhere(
  { outputs }: BunBuildResult,
  { loaded, fileOf }: { loaded: LoadedIcons; fileOf: (artifact: BunArtifact) => string },
): FoundUsage[] {
  const entry = outputs.find(({ kind }) => kind === 'entry-point');
  const file = entry === undefined ? 'unknown' : fileOf(entry);
  const ids = new Set([...loaded.codes.keys()].map(toIconId));
  return [...ids].map((id) => ({ id, file, kind: 'inline-js' }));
}

/** Shorter runs of text are in every bundle. */
const TELLING = 16;

/**
 * Bun's metafile names shaken modules too, with no bytes left. Those are dropped, unless the artwork is found in the
 * output after all: a constant that was written where it is used leaves an empty module as well. In doubt it stays.
 */
async function withoutShaken(
  outputs: Record<string, { inputs: Record<string, unknown> }>,
  {
    result,
    loaded,
    files,
    fileOf,
  }: {
    result: BunBuildResult;
    loaded: LoadedIcons;
    files: ReadonlyMap<BunArtifact, readonly string[]>;
    fileOf: (artifact: BunArtifact) => string;
  },
): Promise<Outputs> {
  const cleaned: Outputs = {};
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const artifact = result.outputs.find((output) => fileOf(output) === posix.normalize(path));
    const empty = Object.keys(inputs).filter(
      (input) => input.startsWith(`${ICON_NAMESPACE}:`) && isEmpty(inputs[input]),
    );
    const text = empty.length > 0 ? await artifact?.text() : undefined;
    const isShaken = (id: string): boolean => {
      const traces = tracesOf(id);
      return (
        traces.length > 0 && text !== undefined && !traces.some((trace) => text.includes(trace))
      );
    };
    const shaken = new Set(empty.filter(isShaken));
    cleaned[path] = {
      inputs: Object.fromEntries(Object.entries(inputs).filter(([input]) => !shaken.has(input))),
    };
  }
  return cleaned;

  /** Text that an output holds if it holds the icon: a file's name, or the longest run of text that no quoting changes. */
  function tracesOf(id: string): string[] {
    const symbol = loaded.symbols.get(id);
    if (symbol !== undefined) return [`#${symbol}"`, `#${symbol}\\"`];
    if (loaded.files.has(id)) {
      const [artifact] = [...files].find(([, ids]) => ids.includes(id)) ?? [];
      return artifact === undefined ? [] : [posix.basename(fileOf(artifact))];
    }
    // If the default export has a module of its own, that one holds the artwork.
    const code = loaded.codes.get(toDefaultId(id)) ?? loaded.codes.get(id) ?? '';
    const [value = ''] = code.split('\n');
    const runs = value.match(/[\w .,-]+/g) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    return longest.length < TELLING ? [] : [longest];
  }
}

function isEmpty(input: unknown): boolean {
  return (input as { bytesInOutput?: number }).bytesInOutput === 0;
}

/** Files into the output folder, or among the outputs of a build that stays in memory. */
export async function deliverFiles(
  files: readonly OutputFile[],
  { outdir, outputs }: { outdir: string | undefined; outputs: BunArtifact[] },
): Promise<void> {
  for (const { fileName, source } of files) {
    if (outdir === undefined) outputs.push(toArtifact(fileName, source));
    else await writeChanged(join(outdir, fileName), source);
  }
}

/** Plugins cannot create Bun's artifacts; this object has the same members. */
function toArtifact(fileName: string, source: Buffer): BunArtifact {
  const artifact = {
    path: `./${fileName}`,
    kind: 'asset',
    loader: 'file',
    hash: null,
    sourcemap: null,
  };
  return Object.assign(new Blob([new Uint8Array(source)]), artifact);
}

/** Every file of a result. */
export function emittedFiles(
  outputs: readonly BunArtifact[],
  outdir: string | undefined,
): Promise<EmittedFile[]> {
  const fileOf = placeIn(outdir);
  return Promise.all(
    outputs.map(async (artifact) => ({
      fileName: fileOf(artifact),
      content: new Uint8Array(await artifact.arrayBuffer()),
    })),
  );
}
