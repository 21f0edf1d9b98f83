import { toValueId } from '../corridor/value-id.ts';
import type { IconRequest } from '../types.ts';

interface Importers {
  /** The file that asked first. */
  importer: string | undefined;
  /** Files that asked later. */
  others?: Set<string>;
}

export interface KnownRequest extends Importers {
  request: IconRequest;
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
  /** By the id of the value. */
  const usual = new Map<string, Importers>();

  return {
    note(request, importer) {
      const before = requests.get(request.canonical);
      if (before === undefined) requests.set(request.canonical, { request, importer });
      else addImporter(before, importer);
    },
    noteUsual(valueId, importer) {
      const before = usual.get(valueId);
      if (before === undefined) usual.set(valueId, { importer });
      else addImporter(before, importer);
    },
    get(id, importer) {
      const before = requests.get(id);
      if (before !== undefined) return before;
      const first = usual.get(toValueId(id))?.importer ?? importer;
      const entry = { request: parse(id, first), importer: first };
      requests.set(id, entry);
      return entry;
    },
    importersOf(id) {
      const files = new Set<string>();
      for (const known of [requests.get(id), usual.get(toValueId(id))]) {
        if (known?.importer !== undefined) files.add(known.importer);
        for (const file of known?.others ?? []) files.add(file);
      }
      return [...files];
    },
  };
}

function addImporter(known: Importers, importer: string | undefined): void {
  if (importer === undefined || importer === known.importer) return;
  (known.others ??= new Set()).add(importer);
}
