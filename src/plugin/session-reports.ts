import { toValueId } from '../corridor/value-id.ts';
import type { Attribution } from './create-attribution.ts';
import { creditsCode, toSlotText } from './credits-code.ts';
import type { LargeSession } from './large-session.ts';
import type { LoadedIcons } from './loaded-icons.ts';
import { missedIcons } from './missed-icons.ts';
import type { MissingIcons } from './missing-icons.ts';
import { reportBuild, type ReportPorts } from './report-build.ts';
import type { SessionState } from './session-state.ts';
import { settled } from './settled.ts';

export type SessionReports = Pick<
  LargeSession,
  | 'creditsCode'
  | 'creditsText'
  | 'missed'
  | 'attributionFiles'
  | 'attributionNames'
  | 'attributionBytes'
  | 'expectFiles'
>;

/** What a session says of the icons that ship: `icon:credits`, and the attribution files. */
export function createSessionReports({
  ready,
  attribution,
  missing,
  loaded,
  request,
  builder,
  bundler,
}: {
  ready(): Pick<SessionState, 'shared' | 'resolved'>;
  attribution: Attribution;
  missing: Pick<MissingIcons, 'leaveOut'>;
  loaded: Pick<LoadedIcons, 'add' | 'all'>;
  request: ReportPorts['request'];
  builder: object;
  bundler: string;
}): SessionReports {
  const attributionBytes: SessionReports['attributionBytes'] = (usages, build, options = {}) => {
    const { shared, resolved } = ready();
    const { corridor, contributed, fragments } = shared;
    // A bundler with a warm cache never called `load` for what it ships.
    for (const { id } of [...usages, ...contributed]) loaded.add(toValueId(id));
    const about = { attribution, corridor, builder, request, contributed, loaded: loaded.all() };
    const isRedrawn = resolved.svg.transform !== undefined;
    const made = { isRedrawn, fragments: fragments(bundler) };
    return reportBuild(usages, build, { ...options, ...about, ...made });
  };

  return {
    creditsCode: async (ids, complete) =>
      creditsCode(await attribution.credits(missing.leaveOut(ids)), complete),
    async creditsText(ids) {
      const contributed = ready().shared.contributed.map(({ id }) => id);
      const all = missing.leaveOut([...ids, ...contributed]);
      return toSlotText(await attribution.credits(all), true);
    },
    missed(usages, build, outputs) {
      const { corridor, contributed } = ready().shared;
      const about = { request, corridor, loaded: loaded.all(), outputs };
      return missedIcons([...usages, ...contributed], build, about);
    },
    attributionBytes,
    async attributionFiles(...of) {
      const files = await attributionBytes(...of);
      return files.map(({ fileName, source }) => ({
        fileName,
        source: Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(),
      }));
    },
    attributionNames: attribution.names,
    expectFiles: (build) => void settled(attribution.expect(build, loaded.all())),
  };
}
