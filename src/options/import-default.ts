import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Framework } from '../component.ts';
import { IconCatalogError } from '../errors.ts';

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
  return ((await importFile(url)) as { default?: unknown }).default;
}

/** Webpack before 5.112 (Next.js) warns here of every `import()` that does not begin as a text does. */
function importFile({ href }: URL): Promise<unknown> {
  return import(`file:${href.slice('file:'.length)}`);
}

/** Vite, which reads configurations in TypeScript: the project's own, or the one that npm puts below VitePress. */
export async function importVite(root: string): Promise<typeof import('vite') | undefined> {
  try {
    return await import('vite');
  } catch {
    // The project has none of its own.
  }
  try {
    const vitepress = createRequire(join(root, 'package.json')).resolve('vitepress/package.json');
    const manifest = createRequire(vitepress).resolve('vite/package.json');
    const entry = pathToFileURL(join(dirname(manifest), 'dist/node/index.js'));
    return (await importFile(entry)) as typeof import('vite');
  } catch {
    return undefined;
  }
}

/** What is looked at in a `package.json`. The file is untrusted: what has another type than usual is left to its reader. */
export interface PackageManifest {
  name?: unknown;
  version?: string;
  type?: unknown;
  private?: unknown;
  repository?: unknown;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface InstalledPackage {
  folder: string;
  manifest: PackageManifest;
  /** The `package.json` as it is written. */
  text: string;
}

/**
 * An installed package, as Node finds it from a folder: in the nearest `node_modules` that has it, or where a package
 * manager without such folders says (Yarn's Plug'n'Play).
 */
export async function findInstalled(
  name: string,
  from: string,
): Promise<InstalledPackage | undefined> {
  for (let at = from; ; at = dirname(at)) {
    const found = await readPackage(join(at, 'node_modules', name));
    if (found !== undefined) return found;
    if (dirname(at) === at) break;
  }
  try {
    const file = createRequire(join(from, 'package.json')).resolve(`${name}/package.json`);
    return await readPackage(dirname(file));
  } catch {
    return undefined;
  }
}

/** Majors before which a framework does not have what its components import. */
const OLDEST: Partial<Record<Framework, number>> = { vue: 3, svelte: 5 };

/**
 * The error for an installed framework that lacks what its components import: a bundler would name an export that is
 * missing in a module which is no file of the project.
 */
export async function oldFrameworkError(
  framework: Framework,
  root: string,
): Promise<IconCatalogError | undefined> {
  const { [framework]: oldest } = OLDEST;
  if (oldest === undefined) return undefined;
  const { version } = (await findInstalled(framework, root))?.manifest ?? {};
  if (version === undefined || Number.parseInt(version, 10) >= oldest) return undefined;
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `Cannot write components with \`framework: '${framework}'\`: they need ${framework} ${oldest}, and ${version} is installed.`,
    remedy: `Update ${framework}, or remove \`framework\` and import markup (\`?raw\`) or files (\`?url\`).`,
    path: 'framework',
  });
}

/** The package that a folder belongs to, which bundlers may have a folder of as their root. */
export async function packageAround(folder: string): Promise<InstalledPackage | undefined> {
  const found = await readPackage(folder);
  return found ?? (folder === dirname(folder) ? undefined : packageAround(dirname(folder)));
}

/** `undefined` for a folder without a `package.json` that can be read. */
export async function readPackage(folder: string): Promise<InstalledPackage | undefined> {
  try {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    return { folder, manifest: Object(JSON.parse(text)) as PackageManifest, text };
  } catch {
    return undefined;
  }
}
