import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Framework } from '../component.ts';
import { SCRIPTS } from '../options/file.ts';

/** A tool that builds or serves the project, and how this package is put into its configuration. */
export interface BuildTool {
  id: string;
  title: string;
  /** What is imported from this package. */
  entry: string;
  /** Names of its configuration, in the order in which the tool looks for them. */
  configs: readonly string[];
  /**
   * Where the configuration names plugins: a list; `webpack`: the function that gets webpack's configuration; `none`: only a
   * person can add it.
   */
  place: { list: string; literal?: true } | 'webpack' | 'none';
  /** Its integration declares the types of imports itself. */
  hasTypes?: true;
}

const scripts = (...names: string[]): string[] =>
  names.flatMap((name) => SCRIPTS.map((extension) => `${name}.${extension}`));

const bundler = (id: string, title: string): BuildTool => ({
  id,
  title,
  entry: `unplugin-icon-catalog/${id}`,
  configs: scripts(`${id}.config`),
  place: { list: 'plugins' },
});

/** Generators come before the bundlers that they use. */
const TOOLS: readonly BuildTool[] = [
  {
    id: 'nuxt',
    title: 'Nuxt',
    entry: 'unplugin-icon-catalog/nuxt',
    configs: scripts('nuxt.config'),
    place: { list: 'modules', literal: true },
    hasTypes: true,
  },
  {
    id: 'astro',
    title: 'Astro',
    entry: 'unplugin-icon-catalog/astro',
    configs: scripts('astro.config'),
    place: { list: 'integrations' },
    hasTypes: true,
  },
  {
    id: 'next',
    title: 'Next.js',
    entry: 'unplugin-icon-catalog/webpack',
    configs: scripts('next.config'),
    place: 'webpack',
  },
  {
    id: 'vitepress',
    title: 'VitePress',
    entry: 'unplugin-icon-catalog/vite',
    configs: scripts('.vitepress/config', 'docs/.vitepress/config'),
    place: 'none',
  },
  {
    id: 'eleventy',
    title: 'Eleventy',
    entry: 'unplugin-icon-catalog/eleventy',
    configs: [...scripts('eleventy.config'), '.eleventy.js'],
    place: 'none',
  },
  bundler('vite', 'Vite'),
  bundler('rolldown', 'Rolldown'),
  bundler('rollup', 'Rollup'),
  bundler('rspack', 'Rspack'),
  bundler('webpack', 'webpack'),
  bundler('farm', 'Farm'),
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
    ownConfig: [...files].find((name) => /^icon-catalog\.config\.(?:[cm]?[jt]s|json)$/.test(name)),
    files,
  };
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
  // Vite and Next.js need no configuration.
  const { packages } = manifest;
  const tool = TOOLS.find(({ id }) => packages.has(id));
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
  if (tool?.id === 'nuxt') return 'vue';
  if (tool?.id === 'astro') return 'astro';
  return FRAMEWORK_BY_PACKAGE.find(([name]) => packages.has(name))?.[1];
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
