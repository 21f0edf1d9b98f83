/** What is remembered between the modules of a compiler, over all of its rebuilds. */
export interface LoadLedger {
  /** By icon id, the file that asked for it first. */
  importers: Map<string, string>;
  /** Ids that failed, or have a placeholder; never cached, so each build asks for them again. Nothing to credit. */
  missing: Set<string>;
}

export function createLoadLedger(): LoadLedger {
  return { importers: new Map(), missing: new Set() };
}
