import type { Session } from './session-interface.ts';

/** Imports of a page come in one burst, which is written once. */
const PAUSE = 300;
/** What Vite appends to addresses for its own use. */
const OWN_PARAMETER = /[?&](?:import|t=\d+)(?=&|$)/g;

export interface TypeDeclarations {
  imported(specifier: string): void;
  /** Aliases and what imports stand for may have changed: aliases are written again, imports once they are reported. */
  forget(): void;
  /** What was not written yet is left to the next process. */
  drop(): void;
  /** Resolves once everything that was reported is written. */
  settle(): Promise<void>;
}

/**
 * Keeps `icon-catalog.d.ts` in step with aliases and imports while a developer works: in dev servers and watchers, off the
 * path of the modules themselves.
 */
export function createTypeDeclarations(session: Pick<Session, 'declare'>): TypeDeclarations {
  const known = new Set<string>();
  let fresh: string[] = [];
  let isDue = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!isDue) return writing;
    const specifiers = fresh;
    fresh = [];
    isDue = false;
    writing = writing.then(() => session.declare(specifiers));
    return writing;
  }

  function plan(): void {
    isDue = true;
    // The process may end meanwhile: the next one writes what this one did not.
    timer ??= setTimeout(() => void write(), PAUSE).unref();
  }

  return {
    imported(specifier) {
      const written = specifier.replace(OWN_PARAMETER, '');
      if (known.has(written)) return;
      known.add(written);
      fresh.push(written);
      plan();
    },
    forget() {
      known.clear();
      plan();
    },
    drop() {
      clearTimeout(timer);
      timer = undefined;
      fresh = [];
      isDue = false;
    },
    settle: write,
  };
}
