import { basename, dirname, resolve } from 'node:path';
import type { ResolvedOptions } from '../../resolve-options.ts';
import type { Manifest } from '../../types.ts';
import type { Cli } from '../command.ts';

export interface FoundManifest {
  manifest: Manifest;
  /** The folder that it lies in, or that was named. */
  folder: string;
  /** Its path from there. */
  file: string;
}

/** The list of a finished build: a file, or that of a folder, under the name that the options give it. */
export async function readManifest(
  named: string,
  { cli: { host }, options }: { cli: Cli; options: ResolvedOptions },
): Promise<FoundManifest> {
  const isFile = named.endsWith('.json');
  const json = options.attribution === false ? false : options.attribution.json;
  const file = isFile ? named : json === false ? 'icon-attribution.json' : json;
  const path = isFile ? named : `${named.replace(/[/\\]$/, '')}/${file}`;
  let read: Partial<Manifest>;
  try {
    read = JSON.parse(await host.readFile(resolve(host.cwd, path))) as Partial<Manifest>;
  } catch (cause) {
    throw new Error(
      `${path} cannot be read: build the project first, or name the folder of its output.`,
      { cause },
    );
  }
  if (read.schemaVersion !== 1 || !Array.isArray(read.icons))
    throw new Error(`${path} is no list of credits that this version can read.`);
  const place = isFile
    ? { folder: dirname(named), file: basename(named) }
    : { folder: named, file };
  return { manifest: read as Manifest, ...place };
}
