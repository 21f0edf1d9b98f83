import { mergeManifests } from '../attribution/merge-manifests.ts';
import { renderAttribution } from '../attribution/render-attribution.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { Manifest } from '../types.ts';
import type { OutputFile, Session } from './session-types.ts';

/**
 * Attribution files of a step that works on what others have built: they say what was there and what came.
 *
 * @param options.existing text of the manifest that is there; `undefined` where there is none
 * @param options.touched files that the step has worked on
 * @throws Error where the manifest that is there cannot be read
 */
export async function mergeAttribution(
  written: readonly OutputFile[],
  {
    existing,
    touched,
    names,
    sourceDateEpoch,
    session,
  }: {
    existing: string | undefined;
    touched: ReadonlySet<string>;
    names: Exclude<ResolvedOptions['attribution'], false>;
    sourceDateEpoch: ResolvedOptions['sourceDateEpoch'];
    session: Session;
  },
): Promise<OutputFile[]> {
  const own = written.find(({ fileName }) => fileName === names.json);
  if (existing === undefined || own === undefined) return [...written];
  const before = readManifest(existing, own.fileName);
  const manifest = mergeManifests(before, JSON.parse(own.source) as Manifest, touched);
  const artwork = new Map<string, string>();
  for (const { id } of manifest.icons) {
    // Icons of others are drawn where they can be had, whatever colour and size the project gives to its own; a credit
    // is one without its drawing, too.
    const drawn = await session
      .drawing(`icon:${id}?as=svg&color=currentColor&size=1em`)
      .catch(() => undefined);
    if (drawn?.id !== undefined) artwork.set(id, drawn.svg);
  }
  const formats = ['json', 'html', 'markdown', 'text', 'spdx', 'cyclonedx'] as const;
  return formats.flatMap((format) => {
    const fileName = names[format];
    if (typeof fileName !== 'string') return [];
    return [
      {
        fileName,
        source: renderAttribution(manifest, format, { artwork, sourceDateEpoch, ...names.page }),
      },
    ];
  });
}

function readManifest(text: string, file: string): Manifest {
  const found = tryParse(text) as Partial<Manifest> | undefined;
  if (found?.schemaVersion === 1 && Array.isArray(found.icons) && Array.isArray(found.builds))
    return found as Manifest;
  throw new Error(
    `${file} is no manifest that this version can add to. Move it away, or have it written anew, then run this again.`,
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
