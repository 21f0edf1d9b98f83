import { HOMEPAGE } from './version.ts';

/**
 * The permanent codes. A code never changes its meaning; messages may improve.
 * The value is the remedy that ends the message when the thrower has none of its own. The comment of each code states what
 * happened and why; pages of the documentation are made from it.
 */
export const ERROR_CODES = {
  /**
   * An icon must be fetched, and no catalog is configured.
   * @remarks The icon is not in the lock, the cache or the vendor file, so the build has to ask a catalog. Neither
   * the options nor the environment name one. Commands read `.env` files by Vite's rules, whatever the bundler is; builds
   * of Rollup, Rolldown, webpack, Rspack, esbuild and Bun read those that Node.js (`--env-file`) or Bun itself reads.
   * @see start/quick-start
   * @see start/with-an-account
   */
  CATALOG_NOT_CONFIGURED:
    "To use icon sets that are installed in the project, set `catalog: 'embedded'` (in a command: `--embedded`). To use a catalog with an account, set ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET in the environment, or in .env.local if your bundler reads it (Vite, Farm and Bun do), or set the option `catalog`.",
  /**
   * The catalog refused the key or the signature (401).
   * @remarks The key or the secret is wrong, or belongs to another catalog than ICON_CATALOG_URL. A signature also
   * fails if the clock of this machine is wrong by more than five minutes.
   * @see guides/troubleshooting
   * @see start/with-an-account
   */
  CATALOG_UNAUTHORIZED:
    "Check ICON_CATALOG_KEY and ICON_CATALOG_SECRET, and that this machine's clock is right.",
  /**
   * The catalog answers 403: the key may not have this icon, or the signature is wrong.
   * @remarks Free keys often get icons in the public domain only. Some catalogs also answer 403 to a wrong secret:
   * if every call fails, check the secret first.
   * @see guides/troubleshooting
   * @see guides/licence-policy
   */
  CATALOG_FORBIDDEN:
    "The key's access level may not have this. Choose a public-domain icon, or use a key with paid access.",
  /**
   * The catalog has no such icon (404).
   * @remarks The id is misspelled, the icon was removed from the catalog, or the id belongs to another catalog. A
   * service does not know the ids of the embedded catalog.
   * @see guides/find-an-icon
   */
  CATALOG_NOT_FOUND: 'Check the id, the name or the path; `npx icon-catalog search` finds icons.',
  /**
   * A parameter is outside the limits of the interface (400).
   * @remarks The client checks parameters before it sends anything. If the catalog itself refuses one, its rules
   * differ from the interface.
   * @see reference/interface
   */
  CATALOG_BAD_REQUEST: 'Check the parameters against the interface of the catalog.',
  /**
   * The key has used up its calls (429). No further call is made, and the message names the missing icons.
   * @remarks Catalogs count calls by month, day or hour. A build with a lock and a cache makes no calls, so a CI job
   * that hits the limit usually runs without one of them.
   * @see guides/lock-and-ci
   * @see guides/caching
   */
  CATALOG_USAGE_LIMIT:
    'Wait until the limit of the key is renewed, or use another key. Icons that were fetched are in the cache and cost nothing again.',
  /**
   * The catalog did not answer, or answered with a server error, after all attempts.
   * @remarks The cause is the network, a proxy, a firewall or the catalog itself. A build with a lock and a vendor
   * file does not need the catalog.
   * @see guides/offline-and-vendor
   * @see guides/troubleshooting
   */
  CATALOG_UNAVAILABLE: 'Check the network and the address of the catalog, then try again.',
  /**
   * The answer of the catalog is not what the interface allows; the message names the field.
   * @remarks ICON_CATALOG_URL may be the address of something else: a website, a proxy that answers with a login
   * page, or a path below the interface.
   * @see reference/interface
   */
  CATALOG_MALFORMED:
    'The catalog answered with something that its interface does not allow. Check that ICON_CATALOG_URL is the address of a catalog.',
  /**
   * The next call would exceed the option `budget`, so it was not made.
   * @remarks A build needs more calls than usual if the cache is empty, or if you import many new icons.
   * @see reference/options#budget
   * @see guides/caching
   */
  BUDGET_EXCEEDED: 'Raise `budget`, or import fewer icons that are not cached yet.',
  /**
   * An `icon:` import has a mistake.
   * @remarks The name, a parameter or a value is misspelled or not allowed there. The message quotes what was
   * written, what is allowed and the nearest valid spelling.
   * @see reference/import
   */
  SPECIFIER_INVALID: 'Correct the import.',
  /**
   * An option is unknown or has a wrong value, or a configuration file cannot be read.
   * @remarks Options are checked before the build begins. The message names the option, its place and the nearest
   * valid spelling.
   * @see reference/options
   */
  OPTIONS_INVALID: 'Correct the options.',
  /**
   * The lock file cannot be read; the message names the line.
   * @remarks The file is damaged, was written by a later version of this package, or has two different lines about
   * one icon. Conflict markers of git are no error.
   * @see guides/lock-and-ci
   * @see reference/lock
   */
  LOCK_INVALID: 'Fix the lock file, or restore it from version control.',
  /**
   * Icons are not in the lock file, and the mode is `locked` or `offline`. The message names all of them.
   * @remarks CI builds use the mode `locked` by default and never add icons. An import was added, and the changed
   * `icons.lock` was not committed with it.
   * @see guides/lock-and-ci
   * @see start/first-ci-build
   */
  LOCK_MISSING: 'Run `npx icon-catalog sync` and commit the lock file.',
  /**
   * The catalog or a committed file has other bytes than the lock states, or a line of the lock was changed by hand.
   * @remarks The catalog has replaced the drawing, the vendor file is damaged, or a merge changed a credit. Bytes
   * that differ from the lock are never shipped.
   * @see guides/lock-and-ci
   */
  LOCK_MISMATCH:
    'Run `npx icon-catalog verify` to see what differs. To accept the change, run `npx icon-catalog update`.',
  /**
   * Icons are in the lock, but their bytes are not on this machine, and the mode is `offline`.
   * @remarks The lock has digests, not drawings. A machine without a network needs a vendor file, a restored cache
   * or a shared folder. Commands that need the catalog end with this error in the mode `offline`, too.
   * @see guides/offline-and-vendor
   */
  OFFLINE_MISSING: 'Run `npx icon-catalog sync` on a machine that has a network.',
  /**
   * The file of the icon is not a drawing.
   * @remarks The file is damaged, is not SVG, or nothing of it can be seen: without `svg.animation`, also a drawing
   * that only appears while an animation runs.
   * @see project/security
   */
  SVG_INVALID: 'The file cannot be drawn. Choose another icon, or report it to the catalog.',
  /**
   * The file has active content, and `svg.strict` is on.
   * @remarks Scripts, event attributes and links to other files are removed with a warning by default. With
   * `svg.strict` they end the build.
   * @see project/security
   * @see reference/options#svg
   */
  SVG_UNSAFE: 'Choose another icon, or set `svg.strict: false` to have the active content removed.',
  /**
   * The file is larger than `svg.maxBytes`, or is too much work for a browser.
   * @remarks Limits on elements, references, filters and text keep one file from stalling a build or a page. The
   * message names the limit.
   * @see reference/options#svg
   */
  SVG_TOO_LARGE: 'Choose a simpler icon, or raise `svg.maxBytes`.',
  /**
   * The licence of the icon is not in `licenses.allow`.
   * @remarks The project allows certain licences only. The icon was not downloaded.
   * @see guides/licence-policy
   */
  LICENSE_REFUSED: 'Choose another icon, or add the licence to `licenses.allow`.',
  /**
   * The licence of the icon is unknown, or its file contradicts its record.
   * @remarks The catalog states a value that is neither a known licence nor an SPDX identifier, or the text in the
   * file is stricter than the record. Nothing ships until the project states what it found out.
   * @see guides/licence-policy
   */
  LICENSE_UNKNOWN:
    "Find out the icon's licence and state it, with evidence, in `licenses.assert`; or set `licenses.unknown: 'warn'`.",
  /**
   * An import asks for a component, and the option `framework` is not set.
   * @remarks A component is code for one framework, so the plugin has to know which one.
   * @see guides/components
   */
  FRAMEWORK_MISSING: 'Set `framework` in the plugin options.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface IconCatalogErrorOptions {
  /** What happened and why: whole sentences, no secret, no signed address. */
  message: string;
  /** What to do. Default: the code's own remedy. */
  remedy?: string;
  /** The file that asked for the icon, as the bundler names it. */
  importer?: string | undefined;
  /** The icon id that the error is about. */
  icon?: number | string | undefined;
  /** HTTP status, where there was an answer. */
  status?: number | undefined;
  /** Where in a record, option or file the fault is (`icon.creator.name`). */
  path?: string | undefined;
  /** Headers of the answer, without those that could hold credentials. Lower-case names. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The service's own id of the request. */
  requestId?: string | undefined;
  /** Seconds after which the same call may succeed, by the service's word. */
  retryAfter?: number | undefined;
  /** When the usage limit that was reached can have been renewed. */
  renewsAt?: Date | undefined;
  cause?: unknown;
}

/** The only error that this package throws on purpose. `code` is permanent. */
export class IconCatalogError extends Error {
  declare readonly name: 'IconCatalogError';
  readonly code: ErrorCode;
  declare readonly importer: string | undefined;
  declare readonly icon: string | undefined;
  declare readonly status: number | undefined;
  declare readonly path: string | undefined;
  /** Headers of the answer, without those that could hold credentials. Lower-case names. */
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  /** The service's own id of the request, for its support. */
  declare readonly requestId: string | undefined;
  /** Seconds after which the same call may succeed, by the service's word. */
  declare readonly retryAfter: number | undefined;
  /** When the usage limit that was reached can have been renewed. */
  declare readonly renewsAt: Date | undefined;
  declare readonly remedy: string;
  /** The message without code, importer and remedy, for callers that compose their own. */
  declare readonly reason: string;

  constructor(code: ErrorCode, options: IconCatalogErrorOptions) {
    const remedy = options.remedy ?? ERROR_CODES[code];
    const { cause, message: reason, icon } = options;
    const { importer, status, path, headers, requestId, retryAfter, renewsAt } = options;
    super(composeMessage(code, options, remedy), cause === undefined ? undefined : { cause });
    this.code = code;
    const details = {
      name: 'IconCatalogError',
      reason,
      remedy,
      importer,
      icon: icon === undefined ? undefined : String(icon),
      status,
      path,
      headers,
      requestId,
      retryAfter,
      renewsAt,
    };
    // Not enumerable, as with Node's own errors: a terminal would list below the message what it already says.
    for (const [name, value] of Object.entries(details))
      Object.defineProperty(this, name, { value });
  }

  /** The same error, told with the file that imports the icon. */
  withImporter(importer: string | undefined): IconCatalogError {
    if (importer === undefined || this.importer !== undefined) return this;
    return copyError(this, { importer });
  }
}

/** The same error with some of its details replaced. */
export function copyError(
  error: IconCatalogError,
  changes: Partial<IconCatalogErrorOptions>,
): IconCatalogError {
  const { code, reason, remedy, importer, icon, status, path, cause } = error;
  const { headers, requestId, retryAfter, renewsAt } = error;
  const details = { remedy, importer, icon, status, path, cause };
  const answer = { headers, requestId, retryAfter, renewsAt };
  return new IconCatalogError(code, { message: reason, ...details, ...answer, ...changes });
}

function composeMessage(
  code: ErrorCode,
  { message, importer }: IconCatalogErrorOptions,
  remedy: string,
): string {
  const where = importer === undefined ? '' : `\n  imported by ${importer}`;
  return `[${code}] ${message}${where}\n  ${remedy}${pageOf(code)}`;
}

/** The page of a code, if the package has an address for its documentation. */
function pageOf(code: ErrorCode): string {
  const hasDocs = HOMEPAGE?.startsWith('https:') === true && HOMEPAGE.endsWith('/');
  return hasDocs ? `\n  See ${HOMEPAGE}reference/errors/${code}` : '';
}

/** True for errors of this package, also across two copies of it. */
export function isIconCatalogError(value: unknown): value is IconCatalogError {
  return value instanceof Error && value.name === 'IconCatalogError' && 'code' in value;
}
