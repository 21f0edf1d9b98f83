import type { Session } from './session-interface.ts';

/** Imports of a page come in one burst; the editor need not hear of each by itself. */
const PAUSE = 300;
/** What Vite appends to addresses for its own use. */
const OWN_PARAMETER = /[?&](?:import|t=\d+)(?=&|$)/g;

export interface TypeDeclarations {
  imported(specifier: string): void;
  /** What imports stand for may have changed: each has to be reported again. */
  forget(): void;
  /** What was not written yet is left to the next process. */
  drop(): void;
  /** Resolves once everything heard of is written. */
  settle(): Promise<void>;
}

/**
 * Keeps `icon-catalog.d.ts` up with what is imported where somebody is at work: in dev servers and watchers, off the path
 * of the modules themselves.
 */
export function createTypeDeclarations(session: Pick<Session, 'declare'>): TypeDeclarations {
  const known = new Set<string>();
  let fresh: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (fresh.length === 0) return writing;
    const specifiers = fresh;
    fresh = [];
    writing = writing.then(() => session.declare(specifiers));
    return writing;
  }

  return {
    imported(specifier) {
      const written = specifier.replace(OWN_PARAMETER, '');
      if (known.has(written)) return;
      known.add(written);
      fresh.push(written);
      // The process may end meanwhile: the next one writes what this one did not.
      timer ??= setTimeout(() => void write(), PAUSE).unref();
    },
    forget: () => known.clear(),
    drop() {
      clearTimeout(timer);
      fresh = [];
    },
    settle: write,
  };
}
