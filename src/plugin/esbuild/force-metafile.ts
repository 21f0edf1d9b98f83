import type { BuildOptions, BuildResult, Metafile } from 'esbuild';

export interface ForcedMetafile {
  /** The result's metafile, which is gone from the result afterwards unless somebody else asked for it. */
  take(result: BuildResult): Metafile | undefined;
}

/**
 * Has a metafile made. An accessor rather than a value: plugins that are set up later may ask for a metafile too, and
 * theirs must not be taken away.
 */
export function forceMetafile(options: BuildOptions): ForcedMetafile {
  let isWanted = options.metafile === true;
  Object.defineProperty(options, 'metafile', {
    configurable: true,
    enumerable: true,
    get: () => true,
    set(value: unknown) {
      isWanted ||= value === true;
    },
  });
  return {
    take(result) {
      const { metafile } = result;
      if (!isWanted) delete (result as { metafile?: Metafile }).metafile;
      return metafile;
    },
  };
}
