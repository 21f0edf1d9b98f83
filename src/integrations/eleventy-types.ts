/** Eleventy ships no types: what we use of its configuration, from its documentation of versions 3. */
export interface EleventyConfig {
  on(event: 'eleventy.before', handler: (event: EleventyEvent) => Promise<void>): void;
  on(event: 'eleventy.after', handler: (event: EleventyAfter) => Promise<void>): void;
  on(event: 'eleventy.error', handler: () => Promise<void>): void;
  addWatchTarget(path: string): void;
  addAsyncShortcode(
    name: string,
    shortcode: (this: PageScope, ...args: unknown[]) => Promise<string>,
  ): void;
  addAsyncFilter(
    name: string,
    filter: (this: PageScope, ...args: unknown[]) => Promise<string>,
  ): void;
  addTransform(
    name: string,
    transform: (this: PageScope, content: string) => Promise<string>,
  ): void;
}

export interface EleventyPage {
  /** Relative to the project: `./src/index.md`. */
  inputPath: string;
  /** `./_site/index.html`; false for a page that is not written. */
  outputPath: string | false;
}

/** `this` of shortcodes, filters and transforms. */
export interface PageScope {
  page?: EleventyPage;
}

export interface EleventyEvent {
  runMode: 'build' | 'watch' | 'serve';
  directories: {
    /** `./_site/` */
    output: string;
  };
}

export interface EleventyAfter extends EleventyEvent {
  /** Where the pages went; nothing is written with `json` and `ndjson`. */
  outputMode: 'fs' | 'json' | 'ndjson';
  /** Pages of this run; content is text, or bytes for what no template engine made. */
  results: { outputPath: string | false; content: unknown }[];
}
