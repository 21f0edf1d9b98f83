/** Short names of the icons that were loaded, whether they ship or not. */
export interface LoadedIcons {
  /** @param valueId as `toValueId` makes it */
  add(valueId: string): void;
  /** It may ship, in one form or another, and is no variant of this build for that. */
  mayShip(valueId: string): void;
  /** A build begins. */
  begin(): void;
  /** Those of this build. */
  recent(): ReadonlySet<string>;
  /** Those of this process. */
  all(): ReadonlySet<string>;
}

export function createLoadedIcons(): LoadedIcons {
  const before = new Set<string>();
  let recent = new Set<string>();
  /** Sorted out where somebody asks: a bundler's hooks note thousands, one at a time. */
  let noted: string[] = [];

  function sortOut(): ReadonlySet<string> {
    if (noted.length > 0) recent = new Set([...recent, ...noted]);
    noted = [];
    return recent;
  }

  return {
    add: (valueId) => void noted.push(valueId),
    mayShip: (valueId) => void before.add(valueId),
    begin() {
      for (const id of sortOut()) before.add(id);
      recent = new Set();
    },
    recent: sortOut,
    all: () => (before.size === 0 ? sortOut() : new Set([...before, ...sortOut()])),
  };
}
