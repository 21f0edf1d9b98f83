/**
 * The permanent codes. A code never changes its meaning; messages may improve.
 * The value is the remedy that ends the message when the thrower has none of its own.
 */
export const ERROR_CODES = {
  CATALOG_NOT_CONFIGURED:
    "Set ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET (or the `catalog` option), or use `catalog: 'embedded'` (of a command: --embedded) to work with the icon sets installed on this machine.",
  CATALOG_UNAUTHORIZED:
    "Check ICON_CATALOG_KEY and ICON_CATALOG_SECRET, and that this machine's clock is right.",
  CATALOG_FORBIDDEN:
    "The key's access level may not have this. Choose a public-domain icon, or use a key with paid access.",
  CATALOG_NOT_FOUND: 'Check the id, or search the catalog for another icon.',
  CATALOG_BAD_REQUEST: 'Check the parameters against the interface of the catalog.',
  CATALOG_USAGE_LIMIT:
    'Wait until the limit of the key is renewed, or use another key. Icons that were fetched are in the cache and cost nothing again.',
  CATALOG_UNAVAILABLE: 'Check the network and the address of the catalog, then try again.',
  CATALOG_MALFORMED:
    'The catalog answered with something that its interface does not allow. Check that ICON_CATALOG_URL is the address of a catalog.',
  BUDGET_EXCEEDED: 'Raise `budget`, or import fewer icons that are not cached yet.',
  SPECIFIER_INVALID: 'Correct the import.',
  OPTIONS_INVALID: "Correct the plugin's options.",
  LOCK_INVALID: 'Fix the lock file, or restore it from version control.',
  LOCK_MISSING: 'Run `icon-catalog sync` and commit the lock file.',
  LOCK_MISMATCH: 'Run `icon-catalog verify`, then `icon-catalog update` if the change is wanted.',
  OFFLINE_MISSING: 'Run `icon-catalog sync` where there is a network.',
  SVG_INVALID: 'The file cannot be drawn. Choose another icon, or tell the catalog.',
  SVG_UNSAFE: 'Choose another icon, or set `svg.strict: false` to have the active content removed.',
  SVG_TOO_LARGE: 'Choose a simpler icon, or raise `svg.maxBytes`.',
  LICENSE_REFUSED: 'Choose another icon, or add the licence to `licenses.allow`.',
  LICENSE_UNKNOWN:
    "Find out the icon's licence and say so, with evidence, in `licenses.assert`; or set `licenses.unknown: 'warn'`.",
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
  return `[${code}] ${message}${where}\n  ${remedy}`;
}

/** True for errors of this package, also across two copies of it. */
export function isIconCatalogError(value: unknown): value is IconCatalogError {
  return value instanceof Error && value.name === 'IconCatalogError' && 'code' in value;
}
