import { IconCatalogError, type ErrorCode } from '../errors.ts';

/** Icons that a message names. */
const LISTED = 20;

/** Errors after which the catalog is not asked again in this build. */
const STOPPING: ReadonlySet<ErrorCode> = new Set(['CATALOG_USAGE_LIMIT', 'BUDGET_EXCEEDED']);

export interface BuildState {
  /** True the first time in this build. */
  first(message: string): boolean;
  /** This icon costs a call: it does not come from a cache. */
  fetching(id: number): void;
  wasFetched(id: number): boolean;
  /** Credit of this icon cannot name a licence version: told once for all of them. */
  versionNotStated(id: string): void;
  iconsWithoutVersion(): number;
  /** Makes an error that ends the fetching name every icon that is still missing; hands others through. */
  explain(error: unknown, written: string, importer: string | undefined): Promise<unknown>;
  reset(): void;
}

/** What one build remembers: what it already said, and which icons a limit left missing. */
export function createBuildState(): BuildState {
  const fetched = new Set<number>();
  const withoutVersion = new Set<string>();
  const said = new Set<string>();
  const missing = new Map<string, string | undefined>();
  return {
    fetching: (id) => void fetched.add(id),
    wasFetched: (id) => fetched.has(id),
    versionNotStated: (id) => void withoutVersion.add(id),
    iconsWithoutVersion: () => withoutVersion.size,
    first: (message) => !said.has(message) && said.add(message) !== undefined,
    async explain(error, written, importer) {
      if (!(error instanceof IconCatalogError) || !STOPPING.has(error.code)) return error;
      missing.set(written, importer);
      // Everything that was queued is refused in the same turn: let it arrive, so that the message is whole.
      await new Promise((resolve) => setImmediate(resolve));
      return withMissing(error, missing, importer);
    },
    reset() {
      fetched.clear();
      withoutVersion.clear();
      said.clear();
      missing.clear();
    },
  };
}

function withMissing(
  error: IconCatalogError,
  missing: ReadonlyMap<string, string | undefined>,
  importer: string | undefined,
): IconCatalogError {
  const list = [...missing.keys()].sort().slice(0, LISTED);
  const rest = missing.size - list.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return new IconCatalogError(error.code, {
    message: `${error.reason} Still missing: ${list.join(', ')}${more}.`,
    remedy: error.remedy,
    importer,
    icon: error.icon,
    status: error.status,
    cause: error.cause,
  });
}
