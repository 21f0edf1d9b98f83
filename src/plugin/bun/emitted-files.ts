import { relative, resolve } from 'node:path';
import type { EmittedFile } from '../search-outputs.ts';
import type { BunArtifact } from './bun-types.ts';

/** Every file of a result. */
export function emittedFiles(
  outputs: readonly BunArtifact[],
  outdir: string | undefined,
): Promise<EmittedFile[]> {
  const nameOf = (path: string): string =>
    outdir === undefined
      ? path.replace(/^(?:\.\/)+/, '')
      : relative(resolve(outdir), path).replaceAll('\\', '/');
  return Promise.all(
    outputs.map(async (artifact) => ({
      fileName: nameOf(artifact.path),
      content: new Uint8Array(await artifact.arrayBuffer()),
    })),
  );
}
