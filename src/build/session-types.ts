import type { FetchPort, IconUsage, Log, Manifest } from '../types.ts';

/** What only the bundler knows; given once it is known, before the first `resolve` or `load`. */
export interface SessionHost {
  /** The project's root, absolute. Aliased folders, installed sets and the render pack belong to it. */
  root?: string;
  /** Environment variables, `.env` files included where the bundler reads them. @default process.env */
  env?: Record<string, string | undefined>;
  /** Where messages go. @default standard error */
  log?: Log;
  /** Settles once calls may be sent and the lock may grow, in dev servers that anybody can ask to compile. */
  mayCall?: () => Promise<void>;
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

/** What `icon:credits` lists of a bundle whose files are finished. */
export interface CreditedIcons {
  /** Canonical ids of the icons that the files hold. */
  ids: readonly string[];
  /** Lists that packages and folders have brought into the build. */
  brought: readonly Manifest[];
}

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
  /** UTF-8. */
  source: Buffer;
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
  /** What the icon's module says of licence and credit, as code; absent for a placeholder. */
  about?(): string;
}

/** An icon as markup of a page. */
interface SessionDrawing {
  /** What to credit; absent for a placeholder. */
  id: string | undefined;
  svg: string;
  /** Fit for an `id`; the same for equal drawings. */
  name: string;
  /** As with an image. */
  about?(): string;
}

/** What happens where an icon is missing. */
export interface LoadOptions {
  /** A catalog out of reach gives a visible placeholder and a warning instead of an error (dev servers). @default false */
  placeholder?: boolean;
  /**
   * An icon that the mode keeps out is an error here, as where no build has an end; otherwise a placeholder stands for it,
   * and `Session.missing` has the error. @default placeholder
   */
  alone?: boolean;
}

export interface ImageSession {
  /**
   * @param options.importer file that holds the reference, with its place (`page.html:12:7`) if that is known
   * @param options.property of the style that shows it; in pages there is none
   * @throws IconCatalogError SPECIFIER_INVALID for an `as` that no image can have, and as `load`
   */
  image(
    specifier: string,
    options?: LoadOptions & { importer?: string | undefined; property?: string },
  ): Promise<SessionImage>;
  /**
   * @param options.title accessible name, which wins over the specifier's; empty: the specifier's
   * @throws IconCatalogError as `image`
   */
  drawing(
    specifier: string,
    options?: LoadOptions & { importer?: string | undefined; title?: string; class?: string },
  ): Promise<SessionDrawing>;
}

/** The lock as a bundler sees it. */
export interface SessionLock {
  /** Files to watch, absolute; they need not exist. */
  readonly files: readonly string[];
  /** SHA-256 of the lock file, for caches that are dropped as a whole; empty if there is none that can be read. */
  hash(): Promise<string>;
  /** Reads the lock file again with the next question, as `begin` does. */
  refresh(): void;
}

export interface PublishedSite {
  /** The folder that is published, absolute; `undefined` if the build does not know it. */
  folder: string | undefined;
  /** The public path of that folder. */
  base: string | undefined;
}

/** Stands in `icon:credits` until the shipped icons are known. */
export const CREDITS_SLOT = '__ICON_CATALOG_CREDITS__';
/** Stands in modules for the name of the sprite file until its content is known. Needs no escape in quotes and addresses. */
export const SPRITE_SLOT = '__ICON_CATALOG_SPRITE__.svg';
export const CREDITS_ID = 'icon:credits';

/** Which of a project's builds it is. */
export interface SpriteBuild {
  id: string;
  consumer: 'client' | 'server';
}
