import { Buffer } from 'node:buffer';
import type { EmittedFile } from '../search-outputs.ts';

/** What is read of Farm's resources; `bytes` are a plain list. */
interface FilledResources {
  [name: string]: { name: string; bytes?: readonly number[] };
}

/** Every file of the output, as it will be written. */
export function* emittedFiles(resources: FilledResources): Generator<EmittedFile> {
  for (const { name, bytes } of Object.values(resources)) {
    if (bytes === undefined) continue;
    yield { fileName: name.replace(/[?#].*$/, ''), content: Buffer.from(bytes as number[]) };
  }
}
