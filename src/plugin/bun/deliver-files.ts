import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OutputFile } from '../session-types.ts';
import type { BunArtifact } from './bun-types.ts';

/** Files into the output folder, or among the outputs of a build that stays in memory. */
export async function deliverFiles(
  files: readonly OutputFile[],
  { outdir, outputs }: { outdir: string | undefined; outputs: BunArtifact[] },
): Promise<void> {
  for (const { fileName, source } of files) {
    if (outdir === undefined) {
      outputs.push(toArtifact(fileName, source));
      continue;
    }
    const path = join(outdir, fileName);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
  }
}

/** Bun lets nobody make its artifacts; this has what they have. */
function toArtifact(fileName: string, source: string): BunArtifact {
  const artifact = {
    path: `./${fileName}`,
    kind: 'asset',
    loader: 'file',
    hash: null,
    sourcemap: null,
  };
  return Object.assign(new Blob([source]), artifact);
}
