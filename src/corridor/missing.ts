import { IconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { parseLockKey, toLockKey, toSvgKeys } from '../store/lockfile-keys.ts';
import type { IconRequest } from '../types.ts';

/** What mends every icon that is missing. */
export const SYNC = 'Run `npx icon-catalog sync` where the catalog can be reached';

type Context = Pick<ResolvedOptions, 'lockfile' | 'mode'>;

/** The line of the lock that a request needs first; a file of several tones needs a second, which only its drawing tells. */
export function keyOfRequest(request: IconRequest): string {
  return keysOfRequest(request)[0];
}

/** All lines of the lock that a request may need. */
export function keysOfRequest({
  id,
  as,
  filetype,
  color,
  size,
}: IconRequest): [string, ...string[]] {
  if (as === 'meta') return [toLockKey({ id, kind: 'meta', color: null, size: null })];
  if (filetype === 'png') return [toLockKey({ id, kind: 'png', color, size })];
  return toSvgKeys(id, color ?? 'currentColor');
}

export function notInLock(key: string, { lockfile, mode }: Context): IconCatalogError {
  return new IconCatalogError('LOCK_MISSING', {
    message: `${lockfile.name} has no line ${JSON.stringify(key)}, and in the mode \`${mode}\` none is added.`,
    remedy: `${SYNC}, and commit ${lockfile.name}.`,
    icon: parseLockKey(key)?.id,
  });
}

export function notOnMachine(key: string): IconCatalogError {
  return new IconCatalogError('OFFLINE_MISSING', {
    message: `No place on this machine has the bytes of ${JSON.stringify(key)}, and in the mode \`offline\` nothing is fetched.`,
    remedy: `${SYNC}, or commit a vendor file.`,
    icon: parseLockKey(key)?.id,
  });
}

export function notAsLocked(key: string, { lockfile }: Context): IconCatalogError {
  const { id } = parseLockKey(key) ?? {};
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The catalog sends other bytes for ${JSON.stringify(key)} than ${lockfile.name} says.`,
    remedy: `See what changed with \`npx icon-catalog update --check ${id ?? ''}\`, and run it without --check if the change is wanted.`,
    icon: id,
  });
}
