import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Framework } from '../component.ts';
import { declarationsFolder } from '../dts/declarations-folder.ts';
import { OPTIONS_FILES, scriptsIn } from '../options/file.ts';
import { oldFrameworkError, type PackageManifest, readPackage } from '../options/import-default.ts';
import { isThere } from '../store/files.ts';
import { BUILD_TOOLS, type BuildTool, PAGES_OF_BUN } from './build-tools.ts';
import { managerOf, type PackageManager } from './package-manager.ts';

/** Declares `icon:` imports in a project with TypeScript. */
export const TYPES_FILE = 'icon-catalog-env.d.ts';

export interface ProjectShape {
  root: string;
  tool: BuildTool | undefined;
  /** Its configuration; `undefined`: there is none yet. */
  config: string | undefined;
  framework: Framework | undefined;
  /** The tool that builds the project if it takes no plugins, so that icons come from `icon-catalog emit`. */
  pluginless: string | undefined;
  usesTypeScript: boolean;
  manager: PackageManager;
  manifest: Manifest;
  ownConfig: string | undefined;
  files: ReadonlySet<string>;
  /** The folder for `TYPES_FILE`, with a slash at the end; empty: the root. */
  declarations: string;
}

interface Manifest {
  /** The text of package.json; `undefined`: there is none. */
  text: string | undefined;
  type?: string;
  scripts: Record<string, string>;
  packages: ReadonlySet<string>;
  /** What the root of its workspace depends on. Packages of Nx use that without naming it, or have no package.json. */
  shared: ReadonlySet<string>;
}

export async function detectProject(root: string): Promise<ProjectShape> {
  const files = new Set(await readdir(root).catch(() => []));
  const manifest = await readManifest(root);
  const [tool, config] = await findTool(root, { files, manifest });
  const folder = tool?.root ?? '';
  const known = findNamed(FRAMEWORK_BY_PACKAGE, manifest, ([name]) => name)?.[1];
  const [, pluginless] =
    (tool === undefined ? findNamed(WITHOUT_PLUGINS, manifest, ([name]) => name) : undefined) ?? [];
  // Custom elements work in every framework.
  const framework = tool?.framework ?? known ?? (pluginless ? 'web-component' : undefined);
  const isOld = framework !== undefined && (await oldFrameworkError(framework, root)) !== undefined;
  const own = [folder, tool?.options ?? folder].flatMap((at) =>
    OPTIONS_FILES.map((name) => `${at}${name}`),
  );
  const usual = isThere(join(root, folder, 'src')) ? `${folder}src/` : folder;
  return {
    root,
    tool,
    config,
    framework: isOld ? undefined : framework,
    pluginless,
    usesTypeScript: files.has('tsconfig.json') || manifest.packages.has('typescript'),
    manager: managerOf(resolve(root)),
    manifest,
    ownConfig: own.find((name) => isThere(join(root, name))),
    files,
    declarations: await declarationsFolder(root, TYPES_FILE, usual),
  };
}

async function readManifest(root: string): Promise<Manifest> {
  // The package manager reports what cannot be read.
  const { manifest = {}, text } = (await readPackage(root)) ?? {};
  const { type, scripts } = manifest;
  const workspace = await workspaceAround(resolve(root));
  const around = workspace === undefined ? undefined : await readPackage(workspace);
  return {
    text,
    ...(typeof type === 'string' && { type }),
    scripts: { ...scripts },
    packages: dependenciesOf(manifest),
    shared: dependenciesOf(around?.manifest ?? {}),
  };
}

const dependenciesOf = ({ dependencies, devDependencies }: PackageManifest): ReadonlySet<string> =>
  new Set(Object.keys({ ...dependencies, ...devDependencies }));

/** Whether a folder is the root of several packages. pnpm has a file of that name for settings alone, too. */
export async function isWorkspace(folder: string): Promise<boolean> {
  if (isThere(join(folder, 'nx.json'))) return true;
  const [npm, pnpm] = await Promise.all(
    ['package.json', 'pnpm-workspace.yaml'].map((name) =>
      readFile(join(folder, name), 'utf8').catch(() => ''),
    ),
  );
  return /"workspaces"\s*:/.test(npm ?? '') || /^packages\s*:/m.test(pnpm ?? '');
}

/** The root of the workspace that a package is in; `undefined` if it is in none. */
async function workspaceAround(folder: string): Promise<string | undefined> {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return (await isWorkspace(above)) ? above : workspaceAround(above);
}

/** Whether the package itself depends on another one, or its workspace. */
export const isNamed = ({ packages, shared }: Manifest, name: string): boolean =>
  packages.has(name) || shared.has(name);

/** The first of a list that the package itself depends on, or else its workspace. */
function findNamed<Item>(
  list: readonly Item[],
  { packages, shared }: Manifest,
  nameOf: (item: Item) => string,
): Item | undefined {
  const findIn = (names: ReadonlySet<string>): Item | undefined =>
    list.find((item) => names.has(nameOf(item)));
  return findIn(packages) ?? findIn(shared);
}

/** `bun index.html`, `bun build ./src/index.html` */
const PAGE_OF_BUN = /\bbun\s[^&|;]*\.html\b/;

async function findTool(
  root: string,
  { files, manifest }: Pick<ProjectShape, 'files' | 'manifest'>,
): Promise<[BuildTool | undefined, string | undefined]> {
  for (const tool of BUILD_TOOLS) {
    if (tool.isByPackage === true && !isNamed(manifest, tool.package)) continue;
    for (const name of tool.inScript === undefined ? tool.configs : scriptsIn(manifest.scripts)) {
      const isPresent = name.includes('/') ? isThere(join(root, name)) : files.has(name);
      if (!isPresent) continue;
      const pattern = tool.inScript ?? tool.inConfig;
      if (pattern?.test(await readFile(join(root, name), 'utf8')) !== false) return [tool, name];
    }
  }
  if (Object.values(manifest.scripts).some((command) => PAGE_OF_BUN.test(command)))
    return [PAGES_OF_BUN, files.has('bunfig.toml') ? 'bunfig.toml' : undefined];
  // Vite, Next.js and Eleventy need no configuration.
  const configless = BUILD_TOOLS.filter((one) => one.inScript === undefined);
  return [findNamed(configless, manifest, (one) => one.package), undefined];
}

/** The framework of icons that are imported as components, by what the project depends on; the first that fits. */
const FRAMEWORK_BY_PACKAGE: readonly [name: string, framework: Framework][] = [
  ['@builder.io/qwik', 'qwik'],
  ['solid-js', 'solid'],
  ['svelte', 'svelte'],
  ['vue', 'vue'],
  ['preact', 'preact'],
  ['react', 'react'],
  ['lit', 'lit'],
];

/** Tools for applications that take no plugins of a bundler. */
const WITHOUT_PLUGINS: readonly [name: string, title: string][] = [
  ['@angular/core', 'Angular'],
  ['parcel', 'Parcel'],
  ['react-scripts', 'Create React App'],
];
