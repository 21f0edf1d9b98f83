import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Default export of a module of the project. What it imports itself is loaded once a process.
 *
 * @param version another one than before: the module is run again
 */
export async function importDefault(path: string, version = ''): Promise<unknown> {
  const url = pathToFileURL(path);
  if (version !== '') {
    url.search = version;
    // CommonJS goes by its path, whatever the address.
    delete createRequire(url).cache[path];
  }
  const module = (await import(/* @vite-ignore */ url.href)) as { default?: unknown };
  return module.default;
}
