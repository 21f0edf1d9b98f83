import { posix } from 'node:path';
import { ICON_NAMESPACE, type Outputs } from '../esbuild/found-usages.ts';
import type { LoadedIcons } from './add-icon-hooks.ts';
import type { BunArtifact, BunBuildResult } from './bun-types.ts';

/** Shorter runs of text are in every bundle. */
const TELLING = 16;

/**
 * Bun's metafile names shaken modules too, with no bytes left. Those are dropped, unless the artwork is found in the
 * output after all: a constant that was written where it is used leaves an empty module as well. In doubt it stays.
 */
export async function withoutShaken(
  outputs: Record<string, { inputs: Record<string, unknown> }>,
  {
    result,
    loaded,
    files,
    fileOf,
  }: {
    result: BunBuildResult;
    loaded: LoadedIcons;
    files: ReadonlyMap<BunArtifact, readonly string[]>;
    fileOf: (artifact: BunArtifact) => string;
  },
): Promise<Outputs> {
  const cleaned: Outputs = {};
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const artifact = result.outputs.find((output) => fileOf(output) === posix.normalize(path));
    const empty = Object.keys(inputs).filter(
      (input) => input.startsWith(`${ICON_NAMESPACE}:`) && isEmpty(inputs[input]),
    );
    const text = empty.length > 0 ? await artifact?.text() : undefined;
    const isShaken = (id: string): boolean => {
      const traces = tracesOf(id);
      return (
        traces.length > 0 && text !== undefined && !traces.some((trace) => text.includes(trace))
      );
    };
    const shaken = new Set(empty.filter(isShaken));
    cleaned[path] = {
      inputs: Object.fromEntries(Object.entries(inputs).filter(([input]) => !shaken.has(input))),
    };
  }
  return cleaned;

  /** Text that an output holds if it holds the icon: a file's name, or the longest run of text that no quoting changes. */
  function tracesOf(id: string): string[] {
    const symbol = loaded.symbols.get(id);
    if (symbol !== undefined) return [`#${symbol}"`, `#${symbol}\\"`];
    if (loaded.files.has(id)) {
      const [artifact] = [...files].find(([, ids]) => ids.includes(id)) ?? [];
      return artifact === undefined ? [] : [posix.basename(fileOf(artifact))];
    }
    const [value = ''] = (loaded.codes.get(id) ?? '').split('\n');
    const runs = value.match(/[\w .,-]+/g) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    return longest.length < TELLING ? [] : [longest];
  }
}

function isEmpty(input: unknown): boolean {
  return (input as { bytesInOutput?: number }).bytesInOutput === 0;
}
