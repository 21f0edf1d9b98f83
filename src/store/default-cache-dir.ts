import os from 'node:os';
import path from 'node:path';

const NAME = 'unplugin-icon-catalog';

/** No folder can be made there, not even by root: what would be kept stays in memory. */
export const NO_CACHE_DIR: string = path.join(os.devNull, NAME);

type Environment = Readonly<Record<string, string | undefined>>;
type System = { home?: () => string; platform?: string };

/**
 * The machine-wide store: `ICON_CATALOG_CACHE_DIR`, or a folder of ours in `XDG_CACHE_HOME` (on every
 * system; the XDG specification has relative values ignored), or in the system's place for caches.
 * `NO_CACHE_DIR` for a user without a home folder.
 */
export function defaultCacheDir(env: Environment, system: System = {}): string {
  const asked = env['ICON_CATALOG_CACHE_DIR']?.trim();
  if (asked) return path.resolve(asked);
  return systemFolder('cache', env, system) ?? NO_CACHE_DIR;
}

/** A folder of ours where the system keeps such files of its user; `undefined` for a user without a home folder. */
export function systemFolder(
  kind: 'cache' | 'config',
  env: Environment,
  { home = homeDir, platform = os.platform() }: System = {},
): string | undefined {
  const xdg = env[kind === 'cache' ? 'XDG_CACHE_HOME' : 'XDG_CONFIG_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, NAME);
  const isCache = kind === 'cache';
  const windows = isCache ? 'Cache' : 'Config';
  const data = env[isCache ? 'LOCALAPPDATA' : 'APPDATA'];
  if (platform === 'win32' && data) return path.join(data, NAME, windows);
  const folder = home();
  // Otherwise it would lie in the project.
  if (!path.isAbsolute(folder)) return undefined;
  if (platform === 'win32')
    return path.join(folder, 'AppData', isCache ? 'Local' : 'Roaming', NAME, windows);
  if (platform === 'darwin')
    return path.join(folder, 'Library', isCache ? 'Caches' : 'Preferences', NAME);
  return path.join(folder, isCache ? '.cache' : '.config', NAME);
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
