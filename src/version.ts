import manifest from '../package.json' with { type: 'json' };

/** Name and version of this package, as attribution files and cache identities state them. */
export const GENERATOR: { name: string; version: string } = {
  name: manifest.name,
  version: manifest.version,
};

/** Address of the documentation, with a slash at its end, if the release has filled `homepage`. */
export const HOMEPAGE: string | undefined = (manifest as { homepage?: string }).homepage;
