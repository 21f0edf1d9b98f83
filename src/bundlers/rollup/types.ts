import type { PublishedSite, SessionModule } from '../../build/session-types.ts';
import type { ImageDialect, PlacedIcon } from '../../build/images.ts';

export interface RunningBuild {
  id: string;
  bundler: string;
  consumer: 'client' | 'server';
  /** Ids of all builds that this one is part of, if the configuration names them. */
  expected?: readonly string[];
  /** Folder of the one list of all of them, absolute, likewise. */
  site?: string | undefined;
  /** What lists call the output folder, absolute, if it has another name each time. */
  called?: string | undefined;
}

export interface DevDialect {
  /** Keeps a file for the browser; returns the JavaScript expression of its address. */
  serve(module: Extract<SessionModule, { kind: 'asset' }>): string;
  /** Canonical ids of everything asked for since the server started. */
  requested(): Iterable<string>;
  /** An import, spelled as it is written in the source. */
  imported(specifier: string): void;
  /** A placeholder stands for this icon: it is to be loaded again when the page is. */
  loadAgain(id: string): void;
}

/** What Rollup, Rolldown and Vite differ in. */
export interface RollupDialect {
  /** Keeps builds apart that share one plugin instance (Vite's environments), from a hook's context. Asked for every import. */
  key(context: object): object;
  /** The build that a hook runs for, from the hook's context. */
  build(context: object): RunningBuild;
  /** JavaScript expression for the address of an emitted file. */
  fileUrl(reference: string): string;
  /** What finished chunks say for the address of the sprite file; without it that is made of a file which bears the slot's name. */
  lateUrl?(reference: string): string;
  /** What addresses of emitted files begin with, where that is known. */
  publicPath?(): string | undefined;
  /** True if source maps are wanted, or may be. */
  hasMaps(context: object): boolean;
  /** Dev servers serve icons instead of emitting them, and get along without network; `undefined` in a build. */
  dev(): DevDialect | undefined;
  /** True if the bundle is part of another one (a worker), which then credits its icons. */
  isNested(): boolean;
  /** True for libraries: a file has no address that holds in every project which installs them. */
  isLibrary?(context: object): boolean;
  /** True if pages are rendered for each request: no finished page has its addresses replaced. */
  isOnRequest?(context: object): boolean;
  /** What the build publishes, if it may be one of several of a site. */
  site?(context: object): PublishedSite;
  /** The output folder, absolute, where the bundler empties it before it writes. */
  folder?(context: object): string | undefined;
  /** Where other plugins bundle style sheets. */
  styleFiles?: StyleFiles;
}

export interface EmitContext {
  meta?: { watchMode?: boolean };
  emitFile(file: {
    type: 'asset';
    name?: string;
    fileName?: string;
    source: string | Uint8Array;
  }): string;
  getFileName(reference: string): string;
  warn(message: string): void;
}

export interface GraphContext {
  /** `null` where there is no such module. */
  getModuleInfo(id: string): object | null;
}

interface WatchContext {
  meta?: { watchMode?: boolean };
  addWatchFile?(file: string): void;
}

export interface Chunk {
  moduleIds: string[];
}

export interface LoadedCode {
  code: string;
  map?: { mappings: '' };
  moduleSideEffects: false;
  moduleType: 'js';
}

export interface OutputPlace {
  dir?: string | undefined;
  /** In place of `dir`. */
  file?: string | undefined;
  format?: string | undefined;
}

/** Looks at importers; changes nothing. */
export interface ImporterHook {
  order: 'post';
  filter: { code: RegExp };
  handler(this: Pick<EmitContext, 'warn'>, code: string, id: string): Promise<null>;
}

/** Written out, since the plugin types of the three differ in everything that we do not use. */
export interface RollupHooks {
  buildStart(this: WatchContext): Promise<void>;
  /** Rollup alone keeps modules while it watches, with what their imports led to. `null`: other plugins are asked. */
  shouldTransformCachedModule(
    this: object,
    module: { id: string; resolvedSources?: Record<string, { id: string } | null> },
  ): true | null;
  resolveId: {
    filter: { id: RegExp };
    handler(
      this: object,
      source: string,
      importer: string | undefined,
    ): { id: string; moduleSideEffects: false } | null;
  };
  load: {
    filter: { id: RegExp };
    handler(this: EmitContext, id: string): Promise<LoadedCode> | LoadedCode | string | null;
  };
  transform: ImporterHook;
  buildEnd(this: object, error?: Error): Promise<void>;
  renderStart: { order: 'post'; handler(this: object): void };
  closeBundle(this: object): Promise<void>;
  renderChunk: {
    filter: { code: RegExp };
    handler(
      this: EmitContext & GraphContext,
      code: string,
      chunk: Chunk,
      output: object,
      meta?: { chunks: Record<string, Chunk> },
    ): Promise<{ code: string; map: null } | null>;
  };
  generateBundle: {
    order: 'post';
    handler(
      this: EmitContext & GraphContext,
      output: OutputPlace,
      bundle: object,
      isWrite?: boolean,
    ): Promise<void>;
  };
  writeBundle: {
    order: 'pre';
    sequential: true;
    handler(this: object, output: OutputPlace, bundle: object): Promise<void>;
  };
}

/** Sees a bundle before other plugins change it. */
export interface ChunkPlugin {
  name: string;
  generateBundle: {
    order: 'pre';
    handler(this: object, output: OutputPlace, bundle: object): void;
  };
}

export interface StyleFiles {
  dialect(importer: string): ImageDialect;
  /**
   * A script that holds a style sheet: only the page that runs it will say what its addresses are relative to, so that
   * icons are written in place.
   * @throws IconCatalogError SPECIFIER_INVALID where `?url` says that they may not be
   */
  fillScript(code: string): string;
  /**
   * Emits the files that style sheets of this bundle refer to, and writes their addresses. Warns of what no file of the
   * bundle refers to.
   * @returns the icons with what the bundle has of them
   */
  settle(context: EmitContext, bundle: AnyBundle, icons: readonly PlacedIcon[]): PlacedIcon[];
}

/** What Rollup's, Rolldown's and Vite's bundles have in common, as far as we read it. */
export type AnyBundle = Readonly<
  Record<
    string,
    | { type: 'chunk'; fileName: string; moduleIds: string[]; code?: string }
    | { type: 'asset'; fileName: string; source?: string | Uint8Array }
  >
>;

export interface FinishedChunk {
  moduleIds: readonly string[];
  /** What an entry is called. */
  entry: string | undefined;
}

/** By file name. */
export type Chunks = ReadonlyMap<string, FinishedChunk>;

export interface EmittedIcon {
  id: string;
  /** Reference that `emitFile` gave. */
  reference: string;
}
