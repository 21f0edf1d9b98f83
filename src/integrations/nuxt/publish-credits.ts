import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Options } from '../../options.ts';
import { attributionFileNames, resolveAttribution } from '../../resolve-attribution.ts';

/** Nuxt publishes of the client's build the folder of scripts alone: the attribution files beside it go along. */
export async function publishCredits(
  { attribution = {} }: Options,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (attribution === false) return;
  for (const fileName of attributionFileNames(resolveAttribution(attribution))) {
    const target = join(to, fileName);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, fileName), target);
  }
}
