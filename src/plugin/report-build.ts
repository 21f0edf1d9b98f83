import type { Corridor } from '../corridor/create-corridor.ts';
import type { IconRequest, ManifestBuild } from '../types.ts';
import type { BuildFragments } from './build-fragments.ts';
import type { Attribution } from './create-attribution.ts';
import type { BuildReport } from './fragment.ts';
import type { OutputBytes, ReportOptions } from './report-types.ts';
import { missedIcons } from './missed-icons.ts';
import { placeContributed } from './place-contributed.ts';
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
  /** What bundles within this build ship. */
  contributed: readonly FoundUsage[];
  /** The project changes drawings by a function of its own: what it makes of them cannot be looked for. */
  isRedrawn: boolean;
  request(id: string): IconRequest;
}

/** The attribution files of a finished build and of those that belong to it. */
export async function reportBuild(
  own: readonly FoundUsage[],
  build: ManifestBuild,
  {
    complete = true,
    folder,
    entries = '',
    expected = [],
    isLate = false,
    outputs,
    found,
    ...ports
  }: ReportOptions & ReportPorts,
): Promise<OutputBytes[]> {
  const { attribution, fragments, builder, contributed } = ports;
  const inner =
    outputs === undefined
      ? contributed
      : await placeContributed(contributed, build, { outputs, ...ports });
  const usages = inner.length === 0 ? own : [...own, ...inner];
  const missed =
    outputs === undefined ? [] : await missedIcons(usages, build, { outputs, ...ports });
  if (missed.length > 0) await found?.(missed.map(({ id }) => id));
  const shipped = {
    build: outputs === undefined ? build : { ...build, precision: 'emitted' as const },
    usages: missed.length === 0 ? usages : [...usages, ...missed],
  };
  if (folder === undefined) return attribution.files([shipped], shipped.build, complete);
  const report = { ...shipped, complete, folder, entries, expected, isLate };
  return fragments.report(builder, report, {
    async lookAgain(file, ids) {
      if (ports.isRedrawn) return { found: new Set(), unknown: new Set(ids) };
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
