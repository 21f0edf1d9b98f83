import { lockStateOf } from '../corridor/lock-state.ts';
import type { Pins } from '../corridor/pins.ts';
import type { IconRequest } from '../types.ts';
import type { LockMarks } from './session-types.ts';

const UNREADABLE = 'unreadable';

export interface LockMarksPorts {
  request(id: string): IconRequest;
  pins(): Pins;
  files(): string[];
  /** What may have changed on disk is looked at again. */
  refresh(): void;
}

/**
 * A mark is, with spaces between: the hash of the lock file, the hash of what it said about the icon, and the digest of
 * the catalog's description, which every credit depends on and which a lock gets with its first line.
 */
export function createLockMarks({ request, pins, files, refresh }: LockMarksPorts): LockMarks {
  async function stateOf(id: string): Promise<string> {
    await pins().open();
    return `${lockStateOf(request(id), pins())} ${pins().catalog() ?? ''}`;
  }

  return {
    get files() {
      return files();
    },
    refresh,
    async mark(id) {
      // A lock that cannot be read is an error where the icon is loaded.
      const state = await stateOf(id).catch(() => UNREADABLE);
      return `${pins().hash()} ${state}`;
    },
    async isOutdated(id, mark) {
      const [hash, before, catalogBefore = ''] = mark.split(' ');
      try {
        await pins().open();
        if (hash === pins().hash()) return false;
        const [now, catalog = ''] = (await stateOf(id)).split(' ');
        return before !== now || (catalogBefore !== '' && catalogBefore !== catalog);
      } catch {
        return true;
      }
    },
  };
}
