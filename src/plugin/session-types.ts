import type { IconCatalogError } from '../errors.ts';
import type { SessionConfig } from './session-config.ts';
import type { Shapes } from './create-shapes.ts';
import type { ReportOptions } from './report-types.ts';
import type { ModuleShape } from '../corridor/load-module.ts';
import type { SpriteBuild } from './sprite-exchange.ts';
import type { FetchPort, IconUsage, Log, ManifestBuild } from '../types.ts';

/** What only the bundler knows; given once it is known, before the first `resolve` or `load`. */
export interface SessionHost {
  /** The project's root, absolute. Aliased folders, installed sets and the render pack belong to it. */
  root?: string;
  /** Environment variables, `.env` files included where the bundler reads them. @default process.env */
  env?: Record<string, string | undefined>;
  /** Where messages go. @default standard error */
  log?: Log;
  /** For tests. */
  fetch?: FetchPort;
}

/** An icon module as the bundler gets it. */
export type SessionModule =
  | {
      kind: 'code';
      code: string;
      /** Stands for an icon that could not be fetched: load again soon. */ placeholder?: true;
    }
  | {
      kind: 'asset';
      /** Suggested file name, ASCII, with extension: `star-123.svg`. */
      fileName: string;
      source: string | Uint8Array;
      contentType: string;
      /** `as=sprite`: belongs into the one sprite file of the build (see `Session.sprite`); `source` is a file with this symbol alone. */
      symbol?: { id: string };
      /** Beside `symbol`: the same as a module that holds the drawing itself. */
      inline?: { code: string };
      /** The module's code, given a JavaScript expression whose value is the address of the emitted file. */
      code(urlExpression: string): string;
    };

/** A place in the output that holds an icon: the canonical id and where. */
export type FoundUsage = Omit<IconUsage, 'build'> & { id: string };

/** The symbols of a build in one file. */
export interface Sprite {
  /** Name before a hash is put into it: `sprite.svg`. */
  fileName: string;
  source: string;
  /** Canonical ids of the icons in it that this build ships. */
  ids: ReadonlySet<string>;
  /** Ids of its symbols. */
  symbols: ReadonlySet<string>;
}

export interface OutputFile {
  /** Relative to the output folder. */
  fileName: string;
  source: string;
}

/** An icon as an image of a style sheet or a page. */
export interface SessionImage {
  /** What to credit, by the form that was chosen; absent for a placeholder. */
  ids: { url: string; data: string } | undefined;
  /** What was asked for; `auto` leaves it to the size of the file. */
  form: 'auto' | 'url' | 'data';
  asset: { fileName: string; source: string | Uint8Array; contentType: string };
  /** The same as an address that needs no escape in CSS and HTML. */
  dataUri: string;
  /** Edge of a png whose size was asked for. */
  pixels?: number;
}

/** An icon as markup of a page. */
export interface SessionDrawing {
  /** What to credit; absent for a placeholder. */
  id: string | undefined;
  svg: string;
  /** Fit for an `id`; the same for equal drawings. */
  name: string;
}

export interface ImageSession {
  /**
   * @param options.property of the style that shows it; in pages there is none
   * @throws IconCatalogError SPECIFIER_INVALID for an `as` that no image can have, and as `load`
   */
  image(
    specifier: string,
    options?: { importer?: string | undefined; placeholder?: boolean; property?: string },
  ): Promise<SessionImage>;
  /**
   * @param options.title accessible name, which wins over the specifier's; empty: the specifier's
   * @throws IconCatalogError as `image`
   */
  drawing(
    specifier: string,
    options?: {
      importer?: string | undefined;
      placeholder?: boolean;
      title?: string;
      class?: string;
    },
  ): Promise<SessionDrawing>;
}

/** Tells bundlers that keep modules which of them a changed lock file makes wrong. */
export interface LockMarks {
  /** Files to watch, absolute; they need not exist. */
  readonly files: readonly string[];
  /** SHA-256 of the lock file, for caches that are dropped as a whole; empty where there is none that can be read. */
  hash(): Promise<string>;
  /** Another object whenever lines were read that this process did not write, or from another file. */
  edition(): object;
  /** Reads the lock file again with the next question, as `begin` does. */
  refresh(): void;
  /** What the lock says about the icon of this id; to be asked after `load`. It may be kept from one process to the next. */
  mark(id: string): Promise<string>;
  /** True where the lock says something else by now. */
  isOutdated(id: string, mark: string): Promise<boolean>;
}

export interface PublishedSite {
  /** The folder that is published, absolute; `undefined` if the build does not know it. */
  folder: string | undefined;
  /** The public path of that folder. */
  base: string | undefined;
}

/** One bundler run's view of the pipeline. A shell holds no logic beyond calling this. */
export interface Session extends ImageSession {
  /** Hash of version and of every option that changes an output; for persistent caches. No secret can be got back from it. */
  readonly fingerprint: string;
  readonly lock: LockMarks;
  readonly config: SessionConfig;
  readonly shapes: Shapes;
  /** @throws IconCatalogError OPTIONS_INVALID */
  configure(host: SessionHost): void;
  /** A build begins (again, in watch mode): counters, budget and clock start anew. `isDev`: nothing is fetched in advance. */
  begin(options?: { isDev?: boolean }): void;
  /**
   * The module id of an import: `icon:credits`, or the canonical specifier (`icon:123?as=svg&color=ff0000`), which never contains `/`.
   * @throws IconCatalogError SPECIFIER_INVALID, FRAMEWORK_MISSING, with the importer
   */
  resolve(specifier: string, importer?: string): string;
  /**
   * The module of an id that `resolve` gave (`icon:credits` excepted). Never `null`.
   * @param options.shape how much of the module is wanted, where it has parts. @default 'whole'
   * @param options.placeholder a catalog out of reach gives a visible placeholder and a warning instead of an error (dev servers)
   * @param options.alone an icon that the mode keeps out is an error here, as where no build has an end; otherwise a
   *   placeholder stands for it, and `missing` has the error. @default options.placeholder
   * @throws IconCatalogError with the importer that `resolve` heard of first (or `options.importer`)
   */
  load(
    id: string,
    options?: { placeholder?: boolean; alone?: boolean; importer?: string; shape?: ModuleShape },
  ): Promise<SessionModule>;
  /** Once all modules are loaded: the error that the build must fail with where it may not have some icons; it names them all. */
  missing(): IconCatalogError | undefined;
  /** Code of `icon:credits` with the credits of these ids, in the manifest's order; `complete` false in dev. */
  creditsCode(ids: Iterable<string>, complete: boolean): Promise<string>;
  /** Code of `icon:credits` while the ids are not known yet: holds CREDITS_SLOT once, inside a string literal. */
  pendingCreditsCode(): string;
  /**
   * What to write in place of CREDITS_SLOT: characters that need no escape in any quotes, also within eval.
   *
   * @param options.isFinal the ids are all that ships, bundles within this one included. @default false
   */
  creditsText(ids: Iterable<string>, options?: { isFinal?: boolean }): Promise<string>;
  /**
   * The sprite file for what ships; `undefined` where no symbol does. Other forms among the ids, and icons that cannot be
   * symbols, are left out. The same ids give the same file.
   *
   * @param build where client and server builds of one project share its files, which of them this is
   */
  sprite(ids: Iterable<string>, build?: SpriteBuild): Promise<Sprite | undefined>;
  /**
   * Warns where browsers will not take symbols from, since the page is of another origin.
   *
   * @param publicPath what addresses of emitted files begin with
   */
  checkSpriteOrigin(publicPath: unknown): void;
  /** Sprite files that server builds of this process refer to, for the client build to emit as well. */
  spritesForServers(): Sprite[];
  /** What a bundle of its own (a worker) ships, for the attribution files of the build that holds it. */
  contribute(usages: readonly FoundUsage[]): void;
  /**
   * Ids of the icons that the finished files hold, whatever the module graph says: for `icon:credits`, which must be right
   * before the output is written. `attributionFiles` looks by itself.
   */
  present(
    usages: readonly FoundUsage[],
    build: ManifestBuild,
    outputs: NonNullable<ReportOptions['outputs']>,
  ): Promise<string[]>;
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
   * that cannot be had is left out. A file that cannot be written is a warning.
   */
  declare(specifiers: Iterable<string>): Promise<void>;
  /** No further builds: closes sockets; the output is written. */
  close(): Promise<void>;
}

/** Stands in `icon:credits` until the shipped icons are known. */
export const CREDITS_SLOT = '__ICON_CATALOG_CREDITS__';
/** Stands in modules for the name of the sprite file until its content is known. Needs no escape in quotes and addresses. */
export const SPRITE_SLOT = '__ICON_CATALOG_SPRITE__.svg';
export const CREDITS_ID = 'icon:credits';
