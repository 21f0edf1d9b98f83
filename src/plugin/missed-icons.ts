import type { Corridor } from '../corridor/create-corridor.ts';
import { toValueId } from '../corridor/value-id.ts';
import type { IconRequest, ManifestBuild } from '../types.ts';
import type { ReportOptions } from './report-types.ts';
import { requestOf } from './request-of.ts';
import type { FoundUsage } from './session-types.ts';

export interface MissedPorts {
  corridor: Corridor;
  /** Short names of the icons that this process loaded. */
  loaded: ReadonlySet<string>;
  request(id: string): IconRequest;
  outputs: NonNullable<ReportOptions['outputs']>;
}

/** Icons that were asked for, and that the finished files hold although the module graph does not have them. */
export async function missedIcons(
  usages: readonly Pick<FoundUsage, 'id'>[],
  build: ManifestBuild,
  { outputs, loaded, corridor, request }: MissedPorts,
): Promise<FoundUsage[]> {
  // A bundler with a warm cache loads nothing of what an earlier build found in its output.
  const kept = await corridor.keptFiles();
  const slot = `missed ${build.bundler} ${build.id}`;
  const before = await kept.noted(slot);
  const listed = new Set(usages.map(({ id }) => toValueId(id)));
  const unlisted = [...loaded, ...before.split('\n')].filter((id) => id !== '' && !listed.has(id));
  if (unlisted.length === 0) return [];
  const icons = new Set(usages.map(({ id }) => request(id).id));
  const candidates = new Map<string, string>();
  for (const id of unlisted) {
    const wanted = requestOf(id, request);
    if (
      wanted === undefined ||
      wanted.filetype !== 'svg' ||
      wanted.as === 'meta' ||
      icons.has(wanted.id)
    )
      continue;
    const fingerprint = await corridor.fingerprint(wanted.id);
    if (fingerprint !== undefined) candidates.set(id, fingerprint);
  }
  if (candidates.size === 0) return [];
  const { consumer } = build;
  const { findMissed } = await import('./find-missed.ts');
  const found = findMissed(candidates, { outputs: await outputs(), consumer });
  // What this process never asked for may be another build's of the same name.
  const others = before.split('\n').filter((id) => id !== '' && !loaded.has(id));
  const after = [...new Set([...found.map(({ id }) => id), ...others])].toSorted().join('\n');
  if (after !== before) await kept.note(slot, after);
  return found;
}
