import type { EmittedFile } from './search-outputs.ts';

/** What a bundler knows of a finished build besides the icons in its module graph. */
export interface ReportOptions {
  /** False where icons may be missing from the list. @default true */
  complete?: boolean;
  /** Output folder on disk, absolute: the list there tells of all builds that write into it. Without one, files are only made. */
  folder?: string | undefined;
  /** Folder of the list, where an integration knows it; `attribution.site` wins. @default `folder` */
  site?: string | undefined;
  /** Names of what the build begins with, where its id does not say. */
  entries?: readonly string[];
  /** Ids of builds that belong to this one; without them the list is not complete. */
  expected?: readonly string[];
  /** The bundler writes into its folder what it is given. Otherwise all is written once the output is. */
  emits?: boolean;
  /** Files that it has written, where that are not all of `outputs`. */
  wrote?: readonly string[];
  /** Files of others that it has added to. */
  rewrote?: readonly string[];
  /** It works on files of others: what it wrote before stays its own. */
  keepsOwn?: boolean;
  /** The finished files: searched for icons that the graph does not have, and for those that it has and they do not. */
  outputs?: () => Iterable<EmittedFile> | Promise<Iterable<EmittedFile>>;
  /** Paths of the modules in the files, and the file that each is in. Packages among them may bring icons. */
  modules?: () => Iterable<{ path: string; file: string }>;
  /** Told the ids that ship, where they are others than the graph has and `icon:credits` can still be filled in again. */
  found?: (ids: readonly string[]) => Promise<void>;
}

export interface OutputBytes {
  fileName: string;
  /** UTF-8. */
  source: Uint8Array;
  /** SHA-256 of `source`, hex. */
  digest: string;
}
