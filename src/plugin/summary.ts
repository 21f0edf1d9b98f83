import type { BuildState } from '../corridor/build-state.ts';
import type { CatalogDoor } from '../corridor/catalog-door.ts';
import { iconIdOf } from '../corridor/value-id.ts';
import type { Log } from '../types.ts';

export interface Summary {
  start(): void;
  /** Says what the build did in one line, and warns from 90 % of the monthly limit. */
  print(input: {
    log: Log;
    /** Short names of the variants that were loaded, or shipped without being loaded. */
    variants: ReadonlySet<string>;
    door: CatalogDoor;
    build: BuildState;
    calls: number;
    files: readonly string[];
    /** What the project calls an icon. */
    nameOf: (id: number) => string;
    /** Ids of builds that the list of the site still lacks. */
    waiting: readonly string[];
    licenseWarnings: () => readonly string[];
  }): void;
}

/** Share of the monthly limit from which every build warns. */
const NEARLY_USED_UP = 0.9;
/** Icons that the line names one by one. */
const NAMED = 10;

/** Counts one build for its last line. */
export function createSummary(bundler: string): Summary {
  let startedAt = performance.now();

  return {
    start() {
      startedAt = performance.now();
    },
    print({ log, variants, door, build, calls, files, nameOf, waiting, licenseWarnings }) {
      const icons = new Set([...variants].map((id) => Number(iconIdOf(id))));
      if (icons.size === 0 && files.length === 0) return;
      const usage = calls > 0 ? door.usage() : undefined;
      const parts = [
        `${count(icons.size, 'icon')} in ${count(variants.size, 'variant')}`,
        count(calls, 'signed call'),
        `${[...icons].filter((id) => !build.wasFetched(id)).length} from cache`,
        `${((performance.now() - startedAt) / 1000).toFixed(2)} s`,
        describeOwnColors(build.iconsWithOwnColors().map(nameOf)),
        usage && `${usage.usage} of ${usage.limit} calls used this month`,
        files.length > 0 ? `attribution: ${files.join(', ')}` : undefined,
        waiting.length > 0
          ? `not complete before these builds have run: ${waiting.join(', ')}`
          : undefined,
      ];
      for (const warning of licenseWarnings()) log.warn(warning);
      log.info(`${bundler}: ${parts.filter((part) => part !== undefined).join(' · ')}`);
      if (usage !== undefined && usage.limit > 0 && usage.usage >= usage.limit * NEARLY_USED_UP) {
        const percent = Math.floor((usage.usage / usage.limit) * 100);
        log.warn(`${percent} % of this month's ${usage.limit} calls are used up.`);
      }
    },
  };
}

/** Nobody asked for a colour of these drawings of several colours. */
function describeOwnColors(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rest = names.length - NAMED;
  return `in their own colours: ${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
