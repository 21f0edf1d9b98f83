import { basename } from 'node:path';
import type { Credit, Manifest } from '../../src/types.ts';
import { ALIASES, type Build, type Shown } from './project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

export function manifestOf({ output }: Pick<Build, 'output'>): Manifest {
  return parseManifest(String(output.get('icon-attribution.json')));
}

/** Records without the places of use, which name each bundler's own files. */
export function creditsOf(build: Pick<Build, 'output'>): Credit[] {
  return manifestOf(build).icons.map(({ usedIn: _usedIn, ...credit }) => credit);
}

export function creditedIds(build: Pick<Build, 'output'>): string[] {
  return creditsOf(build)
    .map(({ id }) => id)
    .toSorted();
}

/** Everything that ships, apart from how each bundler names files. */
export function shippedIn(build: Pick<Build, 'output'>, shown: Shown): unknown {
  const { files: _files, lazy, ...rest } = shown;
  return {
    ...rest,
    lazy: lazy.markup,
    files: filesOf(build, shown),
    records: creditsOf(build),
  };
}

/** Bytes of the files that a script has addresses of, by the name that the script gives them. */
function filesOf({ output }: Pick<Build, 'output'>, shown: Shown): Record<string, string> {
  const addresses = { ...shown.files, ...shown.lazy.files };
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => {
      const file = [...output].find(([path]) => basename(path) === basename(address));
      return [name, file?.[1].toString('base64') ?? `no file for ${address}`];
    }),
  );
}

/** What these icons should cost: each record once, each drawing once, each raster variant once. */
export function expectedCalls(names: readonly string[]): string[] {
  const rasters: Record<string, number> = { home: 1, fuel: 2 };
  return names
    .flatMap((name) => {
      const record = `GET /v2/icon/${ALIASES[name]}`;
      const drawings = name === 'camera' || name === 'fuel' ? 0 : 1;
      const downloads = drawings + (rasters[name] ?? 0);
      return [record, ...Array.from({ length: downloads }, () => `${record}/download`)];
    })
    .toSorted();
}
