import { IconCatalogError, type ErrorCode } from '../errors.ts';
import type { IconRequest } from '../types.ts';

/** Icons that a message names; beyond it nobody reads them. */
const LISTED = 200;

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
  /** This icon is drawn in several colours and keeps them, since nobody asked for a colour. */
  keepsColors(id: number): void;
  iconsWithOwnColors(): readonly number[];
  /** An icon was asked for; it is missing until `arrived`. */
  asked(request: IconRequest): void;
  arrived(request: IconRequest): void;
  /** Makes an error that ends the fetching name every icon that is still missing; hands others through. */
  explain(
    error: unknown,
    importer: string | undefined,
    name: (request: IconRequest) => string,
  ): Promise<unknown>;
  reset(): void;
}

/** What one build remembers: what it already said, and which icons a limit left missing. */
export function createBuildState(): BuildState {
  const fetched = new Set<number>();
  const withoutVersion = new Set<string>();
  const ownColors = new Set<number>();
  const said = new Set<string>();
  const missing = new Map<string, IconRequest>();
  return {
    fetching: (id) => void fetched.add(id),
    wasFetched: (id) => fetched.has(id),
    versionNotStated: (id) => void withoutVersion.add(id),
    iconsWithoutVersion: () => withoutVersion.size,
    keepsColors: (id) => void ownColors.add(id),
    iconsWithOwnColors: () => [...ownColors].toSorted((a, b) => a - b),
    first: (message) => !said.has(message) && said.add(message) !== undefined,
    asked: (request) => void missing.set(request.canonical, request),
    arrived: ({ canonical }) => void missing.delete(canonical),
    async explain(error, importer, name) {
      if (!(error instanceof IconCatalogError) || !STOPPING.has(error.code)) return error;
      // Answers that came in the same turn are let in, so that the message names nothing that is there.
      await new Promise((resolve) => setImmediate(resolve));
      return withMissing(error, [...missing.values()].map(name).sort(), importer);
    },
    reset() {
      fetched.clear();
      withoutVersion.clear();
      ownColors.clear();
      said.clear();
      missing.clear();
    },
  };
}

function withMissing(
  error: IconCatalogError,
  missing: readonly string[],
  importer: string | undefined,
): IconCatalogError {
  const list = missing.slice(0, LISTED);
  const rest = missing.length - list.length;
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
