import { createIconScanner } from '../attribution/scan-icons.ts';
import type { FoundUsage } from './session-types.ts';

/** A finished file of the output. */
export interface EmittedFile {
  fileName: string;
  content: string | Uint8Array;
}

/**
 * Icons that were asked for, that the module graph does not ship, and whose artwork is in the output all the same: a
 * constant that was moved, a module that ran during the build. In doubt an icon is found.
 *
 * @param candidates fingerprint by id
 */
export function findMissed(
  candidates: ReadonlyMap<string, string>,
  { outputs, consumer }: { outputs: Iterable<EmittedFile>; consumer: 'client' | 'server' },
): FoundUsage[] {
  if (candidates.size === 0) return [];
  const scanner = createIconScanner(
    Array.from(candidates, ([key, fingerprint]) => ({ key, fingerprint })),
  );
  const usages: FoundUsage[] = [];
  for (const { fileName, content } of outputs) {
    // A source map holds what was there before.
    if (fileName.endsWith('.map')) continue;
    for (const id of scanner.scan(content))
      usages.push({ id, file: fileName, kind: kindOf(fileName, consumer) });
  }
  return usages;
}

export function kindOf(fileName: string, consumer: 'client' | 'server'): FoundUsage['kind'] {
  if (consumer === 'server') return 'server-only';
  if (fileName.endsWith('.css')) return 'inline-css';
  if (/\.html?$/.test(fileName)) return 'inline-html';
  return /\.[cm]?js$/.test(fileName) ? 'inline-js' : 'asset';
}
