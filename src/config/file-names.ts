export const SCRIPTS: readonly string[] = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

/** What files of options are called, without their extension. */
export const OWN = 'icon-catalog.config';

/** In the order in which they are looked for; the first that is there counts. */
export const OPTIONS_FILES: readonly string[] = [...SCRIPTS, 'json'].map(
  (extension) => `${OWN}.${extension}`,
);
