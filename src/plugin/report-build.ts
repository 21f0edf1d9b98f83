import type { Corridor } from '../corridor/create-corridor.ts';
import { toValueId } from '../corridor/value-id.ts';
import type { IconRequest, ManifestBuild } from '../types.ts';
import type { BuildFragments } from './build-fragments.ts';
import type { Attribution } from './create-attribution.ts';
import type { BuildReport } from './fragment.ts';
import type { OutputBytes, ReportOptions } from './report-types.ts';
import { requestOf } from './request-of.ts';
import type { FoundUsage } from './session-types.ts';
import { shortPath } from './short-path.ts';

export interface ReportPorts {
  attribution: Attribution;
  corridor: Corridor;
  fragments: BuildFragments;
  /** Whose build it is. */
  builder: object;
  /** Short names of the icons that this process loaded. */
  loaded: ReadonlySet<string>;
  request(id: string): IconRequest;
}

/** The attribution files of a finished build and of those that belong to it. */
export async function reportBuild(
  usages: readonly FoundUsage[],
  build: ManifestBuild,
  {
    complete = true,
    folder,
    entries = '',
    expected = [],
    isLate = false,
    outputs,
    ...ports
  }: ReportOptions & ReportPorts,
): Promise<OutputBytes[]> {
  const { attribution, fragments, builder } = ports;
  const missed =
    outputs === undefined ? [] : await missedIcons(usages, build, { outputs, ...ports });
  const own = {
    build: outputs === undefined ? build : { ...build, precision: 'emitted' as const },
    usages: missed.length === 0 ? usages : [...usages, ...missed],
  };
  if (folder === undefined) return attribution.files([own], own.build, complete);
  const report = { ...own, complete, folder, entries, expected, isLate };
  return fragments.report(builder, report, {
    async lookAgain(file, ids) {
      const { lookAgain } = await import('./look-again.ts');
      return lookAgain(file, { ids, ...ports });
    },
    render: (reports, isComplete) => attribution.files(reports, reports[0].build, isComplete),
    alone: (...about) => ports.corridor.warn(tellAlone(...about)),
  });
}

function tellAlone(own: BuildReport, others: readonly BuildReport[], error: unknown): string {
  const names = [...new Set(others.map(({ folder }) => shortPath(folder)))];
  const reason = error instanceof Error ? error.message : String(error);
  return `The credits of ${shortPath(own.folder)} leave out what ${names.join(', ')} ships, and say that they are not complete: ${reason}\n  Build it again, or remove it.`;
}

async function missedIcons(
  usages: readonly FoundUsage[],
  build: ManifestBuild,
  {
    outputs,
    loaded,
    corridor,
    request,
  }: Pick<ReportPorts, 'corridor' | 'loaded' | 'request'> & {
    outputs: NonNullable<ReportOptions['outputs']>;
  },
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
  const after = [...new Set(found.map(({ id }) => id))].toSorted().join('\n');
  if (after !== before) await kept.note(slot, after);
  return found;
}
