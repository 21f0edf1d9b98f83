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
    // CommonJS is cached by its path, whatever the address is.
    delete createRequire(url).cache[path];
  }
  // Webpack before 5.112, and that of Next.js, searches here for what a build depends on, and warns of every `import()`
  // that does not begin as a text does.
  const module = (await import(`file:${url.href.slice('file:'.length)}`)) as { default?: unknown };
  return module.default;
}
