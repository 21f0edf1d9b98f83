import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Framework } from '../component.ts';
import { OPTIONS_FILES, SCRIPTS } from '../options/file.ts';

/** A tool that builds or serves the project, and how this package is put into its configuration. */
export interface BuildTool {
  id: string;
  title: string;
  /** What is imported from this package. */
  entry: string;
  /** Names of its configuration, in the order in which the tool looks for them. */
  configs: readonly string[];
  /** The package that a project has which uses the tool. */
  package: string;
  /**
   * Where the configuration names plugins: a list; `webpack`: the function that gets webpack's configuration; lines: only a
   * person can add them.
   */
  place: { list: string; literal?: true } | 'webpack' | { lines: readonly string[] };
  /** The root of its build if that is another folder, with a slash at the end. */
  root?: string;
  /** The framework that every project of the tool has. */
  framework?: Framework;
  /** Its integration declares the types of imports itself. */
  hasTypes?: true;
}

const scripts = (...names: string[]): string[] =>
  names.flatMap((name) => SCRIPTS.map((extension) => `${name}.${extension}`));

const bundler = (id: string, title: string, name: string = id): BuildTool => ({
  id,
  title,
  entry: `unplugin-icon-catalog/${id}`,
  configs: scripts(`${id}.config`),
  package: name,
  place: { list: 'plugins' },
});

const VITEPRESS: BuildTool = {
  id: 'vitepress',
  title: 'VitePress',
  entry: 'unplugin-icon-catalog/vite',
  configs: scripts('.vitepress/config', '.vitepress/config/index'),
  package: 'vitepress',
  place: { lines: ['vite: { plugins: [iconCatalog()] },'] },
  framework: 'vue',
};

/** Generators come before the bundlers that they use. */
const TOOLS: readonly BuildTool[] = [
  {
    id: 'nuxt',
    title: 'Nuxt',
    entry: 'unplugin-icon-catalog/nuxt',
    configs: scripts('nuxt.config'),
    package: 'nuxt',
    framework: 'vue',
    place: { list: 'modules', literal: true },
    hasTypes: true,
  },
  {
    id: 'astro',
    title: 'Astro',
    entry: 'unplugin-icon-catalog/astro',
    configs: scripts('astro.config'),
    package: 'astro',
    framework: 'astro',
    place: { list: 'integrations' },
    hasTypes: true,
  },
  {
    id: 'next',
    title: 'Next.js',
    entry: 'unplugin-icon-catalog/webpack',
    configs: scripts('next.config'),
    package: 'next',
    place: 'webpack',
  },
  { ...VITEPRESS, configs: VITEPRESS.configs.map((name) => `docs/${name}`), root: 'docs/' },
  VITEPRESS,
  {
    id: 'eleventy',
    title: 'Eleventy',
    entry: 'unplugin-icon-catalog/eleventy',
    configs: [...scripts('eleventy.config'), '.eleventy.js'],
    package: '@11ty/eleventy',
    place: { lines: ['eleventyConfig.addPlugin(iconCatalog);'] },
  },
  {
    id: 'docusaurus',
    title: 'Docusaurus',
    entry: 'unplugin-icon-catalog/webpack',
    configs: scripts('docusaurus.config'),
    package: '@docusaurus/core',
    place: {
      lines: [
        "plugins: [() => ({ name: 'icons', configureWebpack: () => ({ plugins: [iconCatalog()] }) })],",
      ],
    },
  },
  {
    id: 'rsbuild',
    title: 'Rsbuild',
    entry: 'unplugin-icon-catalog/rspack',
    configs: scripts('rsbuild.config'),
    package: '@rsbuild/core',
    place: { lines: ['tools: { rspack: { plugins: [iconCatalog()] } },'] },
  },
  {
    id: 'electron-vite',
    title: 'electron-vite',
    entry: 'unplugin-icon-catalog/vite',
    configs: scripts('electron.vite.config'),
    package: 'electron-vite',
    place: { lines: ['renderer: { plugins: [iconCatalog()] },'] },
    root: 'src/renderer/',
  },
  {
    id: 'solidstart',
    title: 'SolidStart',
    entry: 'unplugin-icon-catalog/vite',
    configs: scripts('app.config'),
    package: 'vinxi',
    place: { lines: ['vite: { plugins: [iconCatalog()] },'] },
  },
  bundler('vite', 'Vite'),
  bundler('rolldown', 'Rolldown'),
  bundler('rollup', 'Rollup'),
  bundler('rspack', 'Rspack', '@rspack/core'),
  bundler('webpack', 'webpack'),
  bundler('farm', 'Farm', '@farmfe/core'),
];

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface ProjectShape {
  root: string;
  tool: BuildTool | undefined;
  /** Its configuration; `undefined`: there is none yet. */
  config: string | undefined;
  framework: Framework | undefined;
  usesTypeScript: boolean;
  manager: PackageManager;
  manifest: Manifest;
  /** The project's `icon-catalog.config.*`. */
  ownConfig: string | undefined;
  /** Names in the root. */
  files: ReadonlySet<string>;
  /** The folder of its sources, with a slash at the end; empty: the root. */
  sources: string;
}

interface Manifest {
  /** The text of package.json; `undefined`: there is none. */
  text: string | undefined;
  type?: string;
  scripts: Record<string, string>;
  /** All that it depends on. */
  packages: ReadonlySet<string>;
}

/** What a project is built with, from its files. */
export async function detectProject(root: string): Promise<ProjectShape> {
  const files = new Set(await readdir(root).catch(() => []));
  const manifest = await readManifest(root);
  const [tool, config] = await findTool(root, { files, manifest });
  return {
    root,
    tool,
    config,
    framework: frameworkOf(manifest, tool),
    usesTypeScript: files.has('tsconfig.json') || manifest.packages.has('typescript'),
    manager: managerOf(files),
    manifest,
    ownConfig: await findOwnConfig(root, tool?.root ?? ''),
    files,
    sources: await sourcesOf(root, tool?.root ?? ''),
  };
}

async function findOwnConfig(root: string, folder: string): Promise<string | undefined> {
  const names = new Set(await readdir(join(root, folder)).catch(() => []));
  const name = OPTIONS_FILES.find((one) => names.has(one));
  return name && `${folder}${name}`;
}

async function sourcesOf(root: string, folder: string): Promise<string> {
  const names = new Set(await readdir(join(root, folder)).catch(() => []));
  return names.has('src') ? `${folder}src/` : folder;
}

async function readManifest(root: string): Promise<Manifest> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => undefined);
  let read: Partial<Record<string, unknown>> = {};
  try {
    read = JSON.parse(text ?? '{}') as typeof read;
  } catch {
    // The package manager reports it.
  }
  const keys = (name: string): string[] => Object.keys(Object(read[name]));
  return {
    text,
    ...(typeof read['type'] === 'string' && { type: read['type'] }),
    scripts: Object(read['scripts']) as Record<string, string>,
    packages: new Set([...keys('dependencies'), ...keys('devDependencies')]),
  };
}

async function findTool(
  root: string,
  { files, manifest }: Pick<ProjectShape, 'files' | 'manifest'>,
): Promise<[BuildTool | undefined, string | undefined]> {
  for (const tool of TOOLS)
    for (const name of tool.configs) {
      const isThere = name.includes('/')
        ? await readFile(join(root, name)).then(
            () => true,
            () => false,
          )
        : files.has(name);
      if (isThere) return [tool, name];
    }
  // Vite, Next.js and Eleventy need no configuration.
  const { packages } = manifest;
  const tool = TOOLS.find((one) => packages.has(one.package));
  return [tool, undefined];
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

function frameworkOf({ packages }: Manifest, tool: BuildTool | undefined): Framework | undefined {
  return tool?.framework ?? FRAMEWORK_BY_PACKAGE.find(([name]) => packages.has(name))?.[1];
}

function managerOf(files: ReadonlySet<string>): PackageManager {
  if (files.has('pnpm-lock.yaml')) return 'pnpm';
  if (files.has('yarn.lock')) return 'yarn';
  return files.has('bun.lock') || files.has('bun.lockb') ? 'bun' : 'npm';
}

/** The command line that installs packages for development. */
export function installLine(manager: PackageManager, packages: readonly string[]): string {
  const verb = manager === 'npm' ? 'install' : 'add';
  return `${manager} ${verb} -D ${packages.join(' ')}`;
}

/** The command line that runs a script of package.json. */
export function runLine(manager: PackageManager, script: string): string {
  return manager === 'npm' ? `npm run ${script}` : `${manager} run ${script}`;
}
