import { toDefaultId } from '../request/key.ts';
import type { Attribution } from './attribution-files.ts';
import { creditsCode, toSlotText } from './credits-module.ts';
import { settled } from './failures.ts';
import { createFolderLists } from './folder-lists.ts';
import { isBelow } from './list-files.ts';
import type { MissingIcons } from './load.ts';
import { reportBuild, type ReportPorts, shippedUsages } from './report-build.ts';
import { readOutputs } from './search-outputs.ts';
import type { ManifestBuild } from '../types.ts';
import type { BundlerSession, ReportOptions } from './session-interface.ts';
import type { SessionState } from './session-state.ts';
import type { FoundUsage } from './session-types.ts';

export type SessionReports = Pick<
  BundlerSession,
  | 'creditsCode'
  | 'creditsText'
  | 'present'
  | 'attributionFiles'
  | 'attributionNames'
  | 'attributionBytes'
  | 'expectFiles'
  | 'expectFolder'
  | 'emptied'
  | 'settle'
> & {
  begin(): void;
  /** The attribution files that this build reported for a folder, absolute, and the builds that its list still lacks. */
  reported(): { paths: readonly string[]; waiting: readonly string[] };
};

/** What a session says of the icons that ship: `icon:credits`, and the attribution files. */
export function createSessionReports({
  ready,
  attribution,
  missing,
  loaded,
  request,
}: {
  ready(): Pick<SessionState, 'shared' | 'resolved'>;
  attribution: Attribution;
  missing: Pick<MissingIcons, 'leaveOut'>;
  loaded: Pick<LoadedIcons, 'add' | 'all'>;
  request: ReportPorts['request'];
}): SessionReports {
  const lists = createFolderLists();
  let paths = new Set<string>();
  let waiting: readonly string[] = [];

  function ports(): ReportPorts {
    const { shared, resolved } = ready();
    const { pipeline, contributed } = shared;
    const isRedrawn = resolved.svg.transform !== undefined;
    const about = { attribution, pipeline, request, contributed, lists, resolved };
    return { ...about, isRedrawn, loaded: loaded.all(), ships };
  }

  function ships(usages: readonly FoundUsage[]): void {
    for (const { id } of usages) loaded.add(toDefaultId(id));
  }

  const attributionBytes: SessionReports['attributionBytes'] = async (
    usages,
    build,
    options = {},
  ) => {
    // A bundler with a warm cache never called `load` for what it ships.
    ships([...usages, ...ready().shared.contributed]);
    const made = await reportBuild(usages, build, options, ports());
    if (options.folder !== undefined) paths = new Set([...paths, ...made.paths]);
    waiting = made.waiting;
    return made.files;
  };

  return {
    creditsCode: async (ids, complete) =>
      creditsCode(await attribution.credits(missing.leaveOut(ids)), complete),
    async creditsText(ids, { isFinal = false } = {}) {
      const contributed = isFinal ? [] : ready().shared.contributed.map(({ id }) => id);
      const all = missing.leaveOut([...ids, ...contributed]);
      return toSlotText(await attribution.credits(all), true);
    },
    present: (usages, build, outputs) => present(usages, build, { ...ports(), outputs }),
    attributionBytes,
    async attributionFiles(...of) {
      const files = await attributionBytes(...of);
      return files.map(({ fileName, source }) => ({
        fileName,
        source: Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(),
      }));
    },
    attributionNames: attribution.names,
    begin() {
      paths = new Set();
      waiting = [];
      lists.begin();
    },
    reported: () => ({ paths: [...paths], waiting }),
    settle: lists.settle,
    async expectFolder(folder) {
      const { site, attribution: names } = ready().resolved;
      const target = site.folder ?? folder;
      const isEmptied = target === folder || isBelow(target, folder);
      if (names !== false && isEmptied) await lists.readAhead(target, names, folder);
    },
    emptied: lists.emptied,
    expectFiles: (build) => void settled(attribution.expect(build, loaded.all())),
  };
}

/** The icons that the finished files hold. */
async function present(
  usages: readonly FoundUsage[],
  build: ManifestBuild,
  { outputs, ...ports }: ReportPorts & { outputs: NonNullable<ReportOptions['outputs']> },
): Promise<string[]> {
  // Files of icons need not be there yet.
  const isFile = ({ kind }: FoundUsage): boolean => kind === 'asset' || kind === 'sprite-symbol';
  const inCode = await shippedUsages(
    usages.filter((usage) => !isFile(usage)),
    build,
    { ...ports, outputs: async () => readOutputs(await outputs()) },
  );
  return [...new Set([...inCode, ...usages.filter(isFile)].map(({ id }) => id))];
}

/** Short names of the icons that were loaded, whether they ship or not. */
export interface LoadedIcons {
  /** @param defaultId as `toDefaultId` makes it */
  add(defaultId: string): void;
  /** It may ship, in one form or another, and is no variant of this build for that. */
  mayShip(defaultId: string): void;
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
    add: (defaultId) => void noted.push(defaultId),
    mayShip: (defaultId) => void before.add(defaultId),
    begin() {
      for (const id of sortOut()) before.add(id);
      recent = new Set();
    },
    recent: sortOut,
    all: () => (before.size === 0 ? sortOut() : new Set([...before, ...sortOut()])),
  };
}
