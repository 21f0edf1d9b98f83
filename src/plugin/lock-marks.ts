import { lockStateOf } from '../corridor/lock-state.ts';
import type { Corridor } from '../corridor/create-corridor.ts';
import { toIconId } from '../corridor/value-id.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { KnownRequests } from './known-requests.ts';
import type { LockMarks } from './session-types.ts';

const UNREADABLE = 'unreadable';

/**
 * A mark is, with spaces between: the hash of the lock file, the hash of what it said about the icon, and the digest of
 * the catalog's description, which every credit depends on and which a lock gets with its first line.
 */
export function createLockMarks(
  requests: Pick<KnownRequests, 'get'>,
  context: () => { resolved: ResolvedOptions; shared: { corridor: Corridor } },
): LockMarks {
  const pins = (): Corridor['pins'] => context().shared.corridor.pins;

  async function stateOf(id: string): Promise<string> {
    await pins().open();
    return `${lockStateOf(requests.get(toIconId(id)).request, pins())} ${pins().catalog() ?? ''}`;
  }

  return {
    get files() {
      const { lockfile, vendor } = context().resolved;
      return [lockfile.path, ...(vendor === undefined ? [] : [vendor.path])];
    },
    refresh: () => context().shared.corridor.begin(),
    hash: () =>
      pins()
        .open()
        .then(
          () => pins().hash(),
          () => '',
        ),
    edition: () => pins().edition(),
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
