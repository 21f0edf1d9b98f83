import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Options } from '../../options.ts';
import { resolveAttribution } from '../../resolve-attribution.ts';

/** Nuxt publishes of the client's build the folder of scripts alone: the attribution files beside it go along. */
export async function publishCredits(
  { attribution = {} }: Options,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (attribution === false) return;
  for (const fileName of Object.values(resolveAttribution(attribution))) {
    if (fileName === false) continue;
    const target = join(to, fileName);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(from, fileName), target);
  }
}
