import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS = ['hostile', 'hostile-sample'];

export interface HostileFile {
  name: string;
  bytes: Uint8Array;
}

/** Our own hostile files and the sample, in a fixed order. */
export function hostileFiles(): HostileFile[] {
  return FOLDERS.flatMap((folder) => {
    const base = new URL(`../${folder}/`, import.meta.url);
    return readdirSync(base)
      .filter((name) => name.endsWith('.svg'))
      .sort()
      .map((name) => ({
        name: `${folder}/${name}`,
        bytes: readFileSync(new URL(encodeURIComponent(name), base)),
      }));
  });
}