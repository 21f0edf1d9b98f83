import { toValueId } from '../corridor/value-id.ts';
import type { IconRequest } from '../types.ts';

export interface KnownRequest {
  request: IconRequest;
  /** The file that asked first. */
  importer: string | undefined;
  /** Files that asked later. */
  others?: Set<string>;
}

export interface KnownRequests {
  /** An import, wherever it stands. */
  note(request: IconRequest, importer: string | undefined): void;
  /** An import of the usual variant, of which nothing had to be read. */
  noteUsual(valueId: string, importer: string | undefined): void;
  /** The request of a canonical id. */
  get(id: string, importer?: string): KnownRequest;
  importersOf(id: string): string[];
}

/** @param parse for ids that nobody resolved here: bundlers with a warm cache hand over such */
export function createKnownRequests(
  parse: (specifier: string, importer: string | undefined) => IconRequest,
): KnownRequests {
  const requests = new Map<string, KnownRequest>();
  /** Importers by the id of the value: one, as is usual, or several. */
  const usual = new Map<string, string | undefined | Set<string>>();

  function usualImporters(id: string): string[] {
    const known = usual.get(toValueId(id)) ?? [];
    return typeof known === 'string' ? [known] : [...known];
  }

  return {
    note(request, importer) {
      const before = requests.get(request.canonical);
      if (before === undefined) requests.set(request.canonical, { request, importer });
      else addImporter(before, importer);
    },
    noteUsual(valueId, importer) {
      const before = usual.get(valueId);
      if (before === undefined) usual.set(valueId, importer);
      else if (importer === undefined || importer === before) return;
      else if (typeof before === 'string') usual.set(valueId, new Set([before, importer]));
      else before.add(importer);
    },
    get(id, importer) {
      const before = requests.get(id);
      if (before !== undefined) return before;
      const [first = importer] = usualImporters(id);
      const entry = { request: parse(id, first), importer: first };
      requests.set(id, entry);
      return entry;
    },
    importersOf(id) {
      const files = new Set<string>();
      const known = requests.get(id);
      if (known?.importer !== undefined) files.add(known.importer);
      for (const file of known?.others ?? []) files.add(file);
      for (const file of usualImporters(id)) files.add(file);
      return [...files];
    },
  };
}

function addImporter(known: KnownRequest, importer: string | undefined): void {
  if (importer === undefined || importer === known.importer) return;
  (known.others ??= new Set()).add(importer);
}
