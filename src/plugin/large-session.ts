import type { ManifestBuild } from '../types.ts';
import type { OutputBytes } from './report-types.ts';
import type { Session } from './session-types.ts';

/** What bundlers with thousands of icons ask of a session besides. */
export interface LargeSession extends Session {
  /** Icons are about to be asked for: opens what holds the finished ones. Whatever fails here fails again in `load`, and says so. */
  expect(): Promise<void>;
  /** True where `load` gives the module of this id in any shape. */
  hasShapes(id: string): boolean;
  /** Id of the module in the shape `value`, where the import is written the shortest way: nothing need be parsed. */
  usualValueId(specifier: string, importer: string | undefined): string | undefined;
  /**
   * The module in the shape `value`, where an earlier build finished it and nothing has to be waited for.
   *
   * @param valueId as `toValueId` makes it
   */
  finishedValue(valueId: string): string | undefined;
  /** All icons are loaded, and the files of this build will be asked for: what is kept of them is read meanwhile. */
  expectFiles(build: Pick<ManifestBuild, 'id' | 'bundler'>): void;
  /** The bundler is about to empty this folder, which is absolute: its list names icons of builds that write elsewhere. */
  expectFolder(folder: string): Promise<void>;
  /** The bundler has emptied this folder, or never will; without a folder, all that it was expected to empty. */
  emptied(folder?: string): Promise<void>;
  /** `attributionFiles` in UTF-8: nothing is decoded and encoded again that an earlier build wrote. */
  attributionBytes(...of: Parameters<Session['attributionFiles']>): Promise<OutputBytes[]>;
}
