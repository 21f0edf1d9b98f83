import type { Corridor } from '../corridor/create-corridor.ts';
import type { IconRequest, ManifestBuild } from '../types.ts';
import type { ReportOptions } from './report-types.ts';
import { requestOf } from './request-of.ts';
import type { FoundUsage } from './session-types.ts';

export interface ContributedPorts {
  corridor: Corridor;
  request(id: string): IconRequest;
  outputs: NonNullable<ReportOptions['outputs']>;
}

/**
 * Where the icons of bundles within this one (workers) are: in files of their own, or, where the bundler wrote such a
 * bundle into another file, in that one. A place that is not there would be taken for one that has been deleted.
 * An icon that is found nowhere keeps the place that its bundle named, which may be written later than all others.
 */
export async function placeContributed(
  contributed: readonly FoundUsage[],
  { consumer }: Pick<ManifestBuild, 'consumer'>,
  { outputs, corridor, request }: ContributedPorts,
): Promise<FoundUsage[]> {
  if (contributed.length === 0) return [];
  const files = [...(await outputs())];
  const names = new Set(files.map(({ fileName }) => fileName));
  const absent = contributed.filter(({ file }) => !names.has(file));
  const candidates = new Map<string, string>();
  for (const { id } of absent) {
    const wanted = requestOf(id, request);
    const fingerprint =
      wanted?.filetype === 'svg' ? await corridor.fingerprint(wanted.id) : undefined;
    if (fingerprint !== undefined) candidates.set(id, fingerprint);
  }
  if (candidates.size === 0) return [...contributed];
  const { findMissed } = await import('./find-missed.ts');
  const found = findMissed(candidates, { outputs: files, consumer });
  const placed = new Set(found.map(({ id }) => id));
  return [...contributed.filter(({ id, file }) => names.has(file) || !placed.has(id)), ...found];
}
