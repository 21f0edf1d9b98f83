import { join } from 'node:path';
import type { ManifestBuild } from '../types.ts';
import { areThere, publishAgain } from './published-files.ts';
import type { OutputBytes } from './report-types.ts';
import type { FoundUsage } from './session-types.ts';

/** What one build ships. */
export interface BuildReport {
  build: ManifestBuild;
  usages: readonly FoundUsage[];
  complete: boolean;
  /** Output folder, absolute. */
  folder: string;
  /** Tells builds of one id apart: what they were made of. */
  entries: string;
}

interface Fragment extends BuildReport {
  /** The bundler has written its output. */
  isWritten: boolean;
  digests: ReadonlyMap<string, string>;
}

/**
 * What the builds of one project ship that belong together (client and server, environments, compilers side by side),
 * so that each of their credits pages tells of all of them. A build that runs again replaces its own; one whose output is
 * gone is forgotten.
 */
export interface BuildFragments {
  /** A build has begun that will report; `builder` is whose. */
  begin(builder: object): void;
  /** It has reported, or never will. */
  finish(builder: object): void;
  /** All that belong together, this one included, in a stable order; `complete` false while another is on its way. */
  report(
    builder: object,
    report: BuildReport,
  ): Promise<{ reports: readonly BuildReport[]; complete: boolean }>;
  /** These files stand for all reports: hands them to builds that have written older ones. */
  wrote(report: BuildReport, files: readonly OutputBytes[]): Promise<void>;
  /** The output of this builder's reports is written: brings its files up to date where others came after it. */
  settle(builder: object): Promise<void>;
}

/** Files of an output that are looked for to know that it is still there. */
const LOOKED_FOR = 20;

export function createBuildFragments(): BuildFragments {
  const fragments = new Map<string, Fragment>();
  const keysByBuilder = new WeakMap<object, Set<string>>();
  const building = new Set<object>();
  let latest: readonly OutputBytes[] = [];

  async function isValid({ isWritten, folder, usages, digests }: Fragment): Promise<boolean> {
    if (!isWritten) return true;
    const files = new Set([...digests.keys(), ...usages.map(({ file }) => file)]);
    return areThere(folder, [...files].slice(0, LOOKED_FOR));
  }

  async function bringUpToDate(fragment: Fragment): Promise<void> {
    const digests = new Map(fragment.digests);
    for (const { fileName, source, digest } of latest) {
      const before = digests.get(fileName);
      if (before === undefined || before === digest) continue;
      await publishAgain(join(fragment.folder, fileName), { digest: before, source });
      digests.set(fileName, digest);
    }
    fragment.digests = digests;
  }

  return {
    begin: (builder) => void building.add(builder),
    finish: (builder) => void building.delete(builder),
    async report(builder, report) {
      const key = keyOf(report);
      fragments.set(key, { ...report, isWritten: false, digests: new Map() });
      keysByBuilder.set(builder, (keysByBuilder.get(builder) ?? new Set()).add(key));
      building.delete(builder);
      for (const [other, fragment] of fragments)
        if (other !== key && !(await isValid(fragment))) fragments.delete(other);
      const reports = [...fragments.keys()].toSorted().map((each) => fragments.get(each) ?? report);
      return { reports, complete: building.size === 0 && reports.every((each) => each.complete) };
    },
    async wrote(report, files) {
      latest = files;
      const own = fragments.get(keyOf(report));
      if (own !== undefined)
        own.digests = new Map(files.map(({ fileName, digest }) => [fileName, digest]));
      for (const fragment of fragments.values())
        if (fragment !== own && fragment.isWritten) await bringUpToDate(fragment);
    },
    async settle(builder) {
      for (const key of keysByBuilder.get(builder) ?? []) {
        const fragment = fragments.get(key);
        if (fragment === undefined) continue;
        fragment.isWritten = true;
        await bringUpToDate(fragment);
      }
    },
  };
}

function keyOf({ build: { bundler, id }, entries }: BuildReport): string {
  return JSON.stringify([bundler, id, entries]);
}
