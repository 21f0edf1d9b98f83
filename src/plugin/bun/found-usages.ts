import { Buffer } from 'node:buffer';
import { posix, relative, resolve } from 'node:path';
import { foundUsages } from '../esbuild/found-usages.ts';
import { findLeftover } from '../find-leftover.ts';
import { usagesOfPlaced, type TextOutput } from '../placed-icons.ts';
import type { FoundUsage, Sprite } from '../session-types.ts';
import type { LoadedIcons } from './add-icon-hooks.ts';
import type { BunArtifact, BunBuildResult } from './bun-types.ts';
import { withoutShaken } from './without-shaken.ts';

export interface BunGraph {
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
    const outputs = await textsOf(result, fileOf);
    const leftover = findLeftover(outputs);
    if (leftover !== undefined) throw leftover;
    const found = usagesOfPlaced(inStyles, { outputs, fileNameOf: () => undefined, consumer });
    usages.push(...found);
    for (const { id } of found) ids.add(id);
  }
  return { usages, ids, unused };
}

async function textsOf(
  { outputs }: BunBuildResult,
  fileOf: (artifact: BunArtifact) => string,
): Promise<TextOutput[]> {
  const texts = outputs.filter(({ path }) => /\.(?:css|html?|[cm]?js)$/.test(path));
  return Promise.all(
    texts.map(async (artifact) => ({ fileName: fileOf(artifact), text: await artifact.text() })),
  );
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
  return [...loaded.codes.keys()].map((id) => ({ id, file, kind: 'inline-js' }));
}
