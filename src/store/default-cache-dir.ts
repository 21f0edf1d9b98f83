import os from 'node:os';
import path from 'node:path';

const NAME = 'unplugin-icon-catalog';

/** No folder can be made there, not even by root: what would be kept stays in memory. */
export const NO_CACHE_DIR: string = path.join(os.devNull, NAME);

/**
 * The machine-wide store: `ICON_CATALOG_CACHE_DIR`, or a folder of ours in `XDG_CACHE_HOME` (on every
 * system; the XDG specification has relative values ignored), or in the system's place for caches.
 * `NO_CACHE_DIR` for a user without a home folder.
 */
export function defaultCacheDir(
  env: Readonly<Record<string, string | undefined>>,
  { home = homeDir, platform = os.platform() }: { home?: () => string; platform?: string } = {},
): string {
  const asked = env['ICON_CATALOG_CACHE_DIR']?.trim();
  if (asked) return path.resolve(asked);
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, NAME);
  if (platform === 'win32' && env['LOCALAPPDATA'])
    return path.join(env['LOCALAPPDATA'], NAME, 'Cache');
  // Relative to the project if it is no path of a home.
  const folder = home();
  if (!path.isAbsolute(folder)) return NO_CACHE_DIR;
  if (platform === 'win32') return path.join(folder, 'AppData', 'Local', NAME, 'Cache');
  return path.join(folder, ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']), NAME);
}

/** Empty for a user whom the system does not know, as in many containers. */
function homeDir(): string {
  const places = [() => os.homedir(), () => os.userInfo().homedir];
  for (const place of places) {
    try {
      const home = place();
      if (path.isAbsolute(home)) return home;
    } catch {
      // The next place is asked.
    }
  }
  return '';
}
