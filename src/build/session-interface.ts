import type { ManifestBuild } from '../types.ts';
import type {
  CreditedIcons,
  FoundUsage,
  ImageSession,
  LoadOptions,
  OutputFile,
  PublishedSite,
  SessionHost,
  SessionLock,
  SessionModule,
  Sprite,
  SpriteBuild,
} from './session-types.ts';
import type { EmittedFile } from './search-outputs.ts';
import type { IconCatalogError } from '../errors.ts';
import type { ModulePart } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { Options } from '../options/options.ts';

/** What a plugin calls: one run of a bundler as the pipeline sees it. */
export interface Session extends ImageSession {
  /** Hash of version and of every option that changes an output; for persistent caches. No secret can be got back from it. */
  readonly fingerprint: string;
  readonly lock: SessionLock;
  readonly config: SessionConfig;
  /**
   * @returns the project's root: that of the host, or the folder above with the file of options that the plugin reads
   * @throws IconCatalogError OPTIONS_INVALID
   */
  configure(host: SessionHost): string;
  /** A build begins (again, in watch mode): counters, budget and clock are reset. `isDev`: nothing is fetched in advance. */
  begin(options?: { isDev?: boolean }): void;
  /**
   * The module id of an import: `icon:credits`, or the canonical specifier (`icon:123?as=svg&color=ff0000`), which never contains `/`.
   * @throws IconCatalogError SPECIFIER_INVALID, FRAMEWORK_MISSING, with the importer
   */
  resolve(specifier: string, importer?: string): string;
  /**
   * The module of an id that `resolve` gave (`icon:credits` excepted). Never `null`.
   * @param options.part how much of the module is wanted, where it has parts. @default 'whole'
   * @throws IconCatalogError with the importer that `resolve` heard of first
   */
  load(id: string, options?: LoadOptions & { part?: ModulePart }): Promise<SessionModule>;
  /**
   * The options in force in their final form; another object once they or the host have changed.
   * @throws IconCatalogError OPTIONS_INVALID
   */
  resolvedOptions(): ResolvedOptions;
  /** Icons are about to be asked for: opens the caches of finished icons. What fails here fails again in `load`, which reports it. */
  expect(): Promise<void>;
  /** Id of the module in the shape `value`, where the import is written the shortest way: nothing need be parsed. */
  usualDefaultId(specifier: string, importer: string | undefined): string | undefined;
  /** The module of an id of `toDefaultId`, where an earlier build finished it and nothing has to be waited for. */
  cachedValue(defaultId: string): string | undefined;
  /** All icons are loaded, and the files of this build will be asked for: what is kept of them is read meanwhile. */
  expectFiles(build: Pick<ManifestBuild, 'bundler' | 'consumer'>): void;
  /** The bundler is about to empty this folder, which is absolute: its list names icons of builds that write elsewhere. */
  expectFolder(folder: string): Promise<void>;
  /** The bundler has emptied this folder, or never will; without a folder, all that it was expected to empty. */
  emptied(folder?: string): void;
  /** True if `load` gives each part of the module of this id. */
  isSplittable(id: string): boolean;
  /** Once all modules are loaded: the error that the build must fail with where it may not have some icons; it names them all. */
  missing(): IconCatalogError | undefined;
  /** Code of `icon:credits` with the credits of these icons, in the manifest's order; `complete` false in dev. */
  creditsCode(icons: Iterable<string> | CreditedIcons, complete: boolean): Promise<string>;
  /** Code of `icon:credits` while the ids are not known yet: holds CREDITS_SLOT once, inside a string literal. */
  pendingCreditsCode(): string;
  /**
   * What to write in place of CREDITS_SLOT: characters that need no escape in any quotes, also within eval.
   *
   * @param icons all that ships, bundles within this one included, where `present` gave them; canonical ids before that
   */
  creditsText(icons: Iterable<string> | CreditedIcons): Promise<string>;
  /**
   * The sprite file for what ships; `undefined` where no symbol does. Other forms among the ids, and icons that cannot be
   * symbols, are left out. The same ids give the same file.
   *
   * @param build where client and server builds of one project share its files, which of them this is
   */
  sprite(ids: Iterable<string>, build?: SpriteBuild): Promise<Sprite | undefined>;
  /** Warns if addresses begin with another origin than the page's, from where browsers take no symbols. */
  checkSpriteOrigin(publicPath: unknown): void;
  /** Sprite files that server builds of this process refer to, for the client build to emit as well. */
  spritesForServers(): Sprite[];
  /** What a bundle of its own (a worker) ships, for the attribution files of the build that holds it. */
  contribute(usages: readonly FoundUsage[]): void;
  /**
   * The icons that the finished files hold, whatever the module graph says: for `icon:credits`, which must be right
   * before the output is written. `attributionFiles` looks by itself.
   */
  present(
    usages: readonly FoundUsage[],
    build: ManifestBuild,
    files: { outputs: Iterable<EmittedFile> } & Pick<ReportOptions, 'modules'>,
  ): Promise<CreditedIcons>;
  /** Names of the attribution files, before anything is made. */
  attributionNames(): string[];
  /**
   * Attribution files for what the output ships, for the bundler to write; empty when `attribution: false`. Deterministic.
   * With a folder the list itself is not among them: `settle` writes it, since other builds may write into the folder too.
   */
  attributionFiles(
    usages: readonly FoundUsage[],
    build: ManifestBuild,
    options?: ReportOptions,
  ): Promise<OutputFile[]>;
  /**
   * The build is done: writes the render pack, prints the summary.
   *
   * @param files the attribution files as written, for the summary
   * @param options.quiet prints no summary: a build within a build, or one that failed
   * @param options.site the build may be one of several that make a site: the process prints one line for all when it ends
   */
  end(
    files?: readonly string[],
    options?: { quiet?: boolean; site?: PublishedSite | undefined },
  ): Promise<void>;
  /**
   * The output is written: the list of its folder follows, and so does each file of credits that is not right any more.
   *
   * @param options.isWritten false: the output stayed as it was, and so do the lists. @default true
   * @returns the files that were written, absolute
   */
  settle(options?: { isWritten?: boolean }): Promise<string[]>;
  /**
   * Writes `icon-catalog.d.ts` into a TypeScript project: adds what these imports, spelled as written, are. An import
   * of an unavailable icon is left out. A file that cannot be written is a warning.
   */
  declare(specifiers: Iterable<string>): Promise<void>;
  /** No further builds: closes sockets; the output is written. */
  close(): Promise<void>;
}

/** What a bundler knows of a finished build besides the icons in its module graph. */
export interface ReportOptions {
  /** False if icons may be missing from the list. @default true */
  complete?: boolean;
  /** Output folder on disk, absolute: the list there holds all builds that write into it. Without one, files are only made. */
  folder?: string | undefined;
  /** Folder of the list, where an integration knows it; `attribution.site` wins. @default `folder` */
  site?: string | undefined;
  /** Names of what the build begins with, where its id does not say. */
  entries?: readonly string[];
  /** Ids of builds that belong to this one; without them the list is not complete. */
  expected?: readonly string[];
  /** The bundler writes into its folder what it is given. Otherwise all is written once the output is. */
  emits?: boolean;
  /** A tool around the bundler writes the files, the attribution files among them. */
  isHanded?: boolean;
  /** Files that it has written, where that are not all of `outputs`. */
  wrote?: readonly string[];
  /** Files of others that it has added to. */
  rewrote?: readonly string[];
  /** It works on files of others: what it wrote before stays its own. */
  keepsOwn?: boolean;
  /** The finished files: searched for icons that the graph does not have, and for those that it has and they do not. */
  outputs?: Iterable<EmittedFile>;
  /** Paths of the modules in the files, and the file that each is in. Packages among them may bring icons. */
  modules?: () => Iterable<{ path: string; file: string }>;
  /** Told what ships, where that is more or less than the graph has and `icon:credits` can still be filled in again. */
  found?: (icons: CreditedIcons) => Promise<void>;
}

/** Options in force, and where they come from: what the plugin was given, or the project's own file where that is nothing. */
export interface SessionConfig {
  readonly options: Options;
  /** Files to watch, absolute; they need not exist. None where the plugin was given options. */
  readonly files: readonly string[];
  /**
   * Reads the project's file if it has changed. To be awaited between `configure` and the first import, and before
   * each further build. A broken file changes nothing: the options before stay in force. If there were none, every import
   * fails.
   *
   * @returns true if other options are in force than before
   * @throws IconCatalogError OPTIONS_INVALID, which names the file
   */
  refresh(): Promise<boolean>;
  /** @throws IconCatalogError OPTIONS_INVALID where the project's file never could be read */
  check(): void;
}
