import envPaths from 'env-paths';
import path from 'node:path';

const NAME = 'unplugin-icon-catalog';

/**
 * The machine-wide store: `ICON_CATALOG_CACHE_DIR`, or a folder of ours in `XDG_CACHE_HOME` (on every
 * system; the XDG specification has relative values ignored), or in the system's place for caches.
 */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  const asked = env['ICON_CATALOG_CACHE_DIR']?.trim();
  if (asked) return path.resolve(asked);
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, NAME);
  return envPaths(NAME, { suffix: '' }).cache;
}
