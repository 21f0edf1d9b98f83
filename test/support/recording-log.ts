import type { Log } from '../../src/types.ts';

/** Catalogs of tests are on this machine, which every build warns of. */
const ON_THIS_MACHINE = 'Credits have no links to the catalog';

/** Notes what is said, without the warning that the catalog of a test is on this machine unless `everything` is asked for. */
export function recordingLog({ everything = false }: { everything?: boolean } = {}): Log & {
  lines: string[];
} {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => {
    if (everything || !message.includes(ON_THIS_MACHINE)) lines.push(`${level} ${message}`);
  };
  return { lines, info: note('info'), warn: note('warn'), error: note('error') };
}
