import type { EmittedFile } from './find-missed.ts';

/** What a bundler knows of a finished build besides the icons in its module graph. */
export interface ReportOptions {
  /** False where icons may be missing from the list. @default true */
  complete?: boolean;
  /** Output folder, absolute: builds of one project that write to disk tell of each other. */
  folder?: string | undefined;
  /** The folder is written to after `close`: nothing of it can be looked at before. @default false */
  isLate?: boolean;
  /** What the build was made of, where its id does not say. @default '' */
  entries?: string;
  /** Ids of builds that belong to this one; without them the list is not complete. */
  expected?: readonly string[];
  /** The finished files: looked through for icons that the graph does not have. */
  outputs?: () => Iterable<EmittedFile> | Promise<Iterable<EmittedFile>>;
  /** Told what only `outputs` had, where `icon:credits` can still be filled in anew. */
  found?: (ids: readonly string[]) => Promise<void>;
}

export interface OutputBytes {
  fileName: string;
  /** UTF-8. */
  source: Uint8Array;
  /** SHA-256 of `source`, hex. */
  digest: string;
}
