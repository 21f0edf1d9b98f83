import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Framework } from '../component.ts';
import { OPTIONS_FILES, SCRIPTS, scriptsIn } from '../options/file.ts';
import { readPackage } from '../options/import-default.ts';
import { isThere } from '../store/files.ts';
import { managerOf, type PackageManager } from './package-manager.ts';

/** A tool that builds or serves the project, and how this package is put into its configuration. */
export interface BuildTool {
  id: string;
  title: string;
  entry: string;
  /** Names of its configuration, in the order in which the tool looks for them. */
  configs: readonly string[];
  /** The package that a project has which uses the tool. */
  package: string;
  /** Its configuration is one of another tool, so that only the package tells. */
  isByPackage?: true;
  /** It has no configuration: it is run by a script with this text, which `package.json` names. */
  inScript?: RegExp;
  /** Files that show something, in the order in which they are looked for. */
  pages?: readonly string[];
  /** It loads the images of Markdown. */
  isInMarkdown?: true;
  /**
   * Where the configuration names plugins: a list, by the names that lead to it, and what is added to it if that is not
   * `iconCatalog()`; a property that it may not have yet, and what comes before it; a method of what the exported function is
   * called with; or what a new configuration exports, as it cannot be added to any other.
   */
  place:
    | { path: readonly [string, ...string[]]; item?: string }
    | { property: string; lines: readonly string[]; before?: string }
    | { method: string; parameter: string }
    | { exports: readonly string[] };
  /** The root of its build if that is another folder, with a slash at the end. */
  root?: string;
  framework?: Framework;
  /** What its configuration exports is called. @default `default` */
  exportName?: string;
  /** Options of `attribution`, if builds write into other folders than the one that is published. */
  attribution?: string;
  /** Its integration declares the types of imports itself. */
  hasTypes?: true;
}

const scripts = (...names: string[]): string[] =>
  names.flatMap((name) => SCRIPTS.map((extension) => `${name}.${extension}`));

/** A tool that has its configuration under its own name, and an entry of this package under `entry`. */
const tool = (
  id: string,
  title: string,
  more: Partial<Omit<BuildTool, 'entry'>> & { entry?: string } = {},
): BuildTool => ({
  id,
  title,
  configs: scripts(`${id}.config`),
  package: id,
  place: { path: ['plugins'] },
  ...more,
  entry: `unplugin-icon-catalog/${more.entry ?? id}`,
});

const VITEPRESS: BuildTool = tool('vitepress', 'VitePress', {
  entry: 'vite',
  configs: scripts('.vitepress/config', '.vitepress/config/index'),
  place: { path: ['vite', 'plugins'] },
  pages: ['index.md'],
  isInMarkdown: true,
  framework: 'vue',
});

/** Generators come before the bundlers that they use. */
const TOOLS: readonly BuildTool[] = [
  tool('nuxt', 'Nuxt', {
    framework: 'vue',
    place: { path: ['modules'], item: "'unplugin-icon-catalog/nuxt'" },
    pages: ['app/app.vue', 'app.vue'],
    hasTypes: true,
  }),
  tool('astro', 'Astro', {
    framework: 'astro',
    place: { path: ['integrations'] },
    pages: ['src/pages/index.astro', 'src/content/docs/index.mdx'],
    hasTypes: true,
  }),
  tool('next', 'Next.js', {
    entry: 'webpack',
    place: {
      property: 'webpack',
      lines: ['webpack(config) {', '  config.plugins.push(icons);', '  return config;', '},'],
      // Next.js calls the function for each of its three builds.
      before: 'const icons = iconCatalog()',
    },
    pages: ['tsx', 'jsx', 'js'].flatMap((end) => [`app/page.${end}`, `src/app/page.${end}`]),
  }),
  { ...VITEPRESS, configs: VITEPRESS.configs.map((name) => `docs/${name}`), root: 'docs/' },
  VITEPRESS,
  tool('eleventy', 'Eleventy', {
    configs: [...scripts('eleventy.config'), '.eleventy.js'],
    package: '@11ty/eleventy',
    place: { method: 'addPlugin', parameter: 'eleventyConfig' },
    pages: ['index.md', 'src/index.md', 'content/index.md'],
    isInMarkdown: true,
  }),
  tool('gatsby', 'Gatsby', {
    entry: 'webpack',
    configs: scripts('gatsby-node'),
    place: {
      exports: [
        'export const onCreateWebpackConfig = ({ actions }) =>',
        '  actions.setWebpackConfig({ plugins: [iconCatalog()] });',
      ],
    },
    pages: ['tsx', 'jsx', 'js'].map((end) => `src/pages/index.${end}`),
    attribution: "site: 'public'",
  }),
  tool('docusaurus', 'Docusaurus', {
    entry: 'webpack',
    package: '@docusaurus/core',
    place: {
      path: ['plugins'],
      item: "() => ({ name: 'icons', configureWebpack: () => ({ plugins: [iconCatalog()] }) })",
    },
  }),
  tool('rspress', 'Rspress', {
    entry: 'rspack',
    package: '@rspress/core',
    place: { path: ['builderConfig', 'tools', 'rspack', 'plugins'] },
    pages: ['docs/index.mdx', 'docs/en/index.mdx'],
    framework: 'react',
  }),
  tool('rsbuild', 'Rsbuild', {
    entry: 'rspack',
    package: '@rsbuild/core',
    place: { path: ['tools', 'rspack', 'plugins'] },
  }),
  tool('modern', 'Modern.js', {
    entry: 'rspack',
    package: '@modern-js/app-tools',
    place: { path: ['tools', 'rspack', 'plugins'] },
    pages: ['src/routes/page.tsx', 'src/routes/page.jsx'],
    // Of what lies in `dist`, it publishes this folder alone.
    attribution: "site: 'dist', html: 'static/icon-attribution.html'",
  }),
  tool('stencil', 'Stencil', {
    entry: 'rollup',
    package: '@stencil/core',
    place: { path: ['rollupPlugins', 'before'] },
    exportName: 'config',
  }),
  tool('electron-vite', 'electron-vite', {
    entry: 'vite',
    configs: scripts('electron.vite.config'),
    place: { path: ['renderer', 'plugins'] },
    root: 'src/renderer/',
  }),
  tool('solidstart', 'SolidStart', {
    entry: 'vite',
    configs: scripts('app.config'),
    package: 'vinxi',
    place: { path: ['vite', 'plugins'] },
  }),
  tool('waku', 'Waku', { entry: 'vite', place: { path: ['vite', 'plugins'] } }),
  tool('wxt', 'WXT', {
    entry: 'vite',
    place: { property: 'vite', lines: ['vite: () => ({ plugins: [iconCatalog()] }),'] },
    pages: ['App.tsx', 'App.jsx', 'App.vue', 'App.svelte', 'main.ts', 'main.js'].map(
      (name) => `entrypoints/popup/${name}`,
    ),
  }),
  tool('quasar', 'Quasar', {
    entry: 'vite',
    package: '@quasar/app-vite',
    place: { path: ['build', 'vitePlugins'], item: "['unplugin-icon-catalog/vite']" },
    pages: ['src/pages/IndexPage.vue'],
    framework: 'vue',
  }),
  tool('slidev', 'Slidev', {
    entry: 'vite',
    configs: scripts('vite.config'),
    package: '@slidev/cli',
    isByPackage: true,
    pages: ['slides.md'],
    isInMarkdown: true,
    framework: 'vue',
  }),
  tool('ember', 'Ember', {
    entry: 'vite',
    configs: scripts('vite.config'),
    package: 'ember-source',
    isByPackage: true,
    pages: ['gjs', 'gts'].map((end) => `app/templates/application.${end}`),
  }),
  tool('laravel', 'laravel-vite-plugin', {
    entry: 'vite',
    configs: scripts('vite.config'),
    package: 'laravel-vite-plugin',
    isByPackage: true,
    // `vite build --ssr` writes into `bootstrap/ssr`, which is not published.
    attribution: "site: 'public/build'",
  }),
  tool('vite', 'Vite'),
  tool('rolldown', 'Rolldown'),
  tool('rollup', 'Rollup'),
  tool('rspack', 'Rspack', { package: '@rspack/core' }),
  tool('webpack', 'webpack'),
  tool('farm', 'Farm', { package: '@farmfe/core' }),
  tool('tsdown', 'tsdown', { entry: 'rolldown' }),
  tool('tsup', 'tsup', { entry: 'esbuild', place: { path: ['esbuildPlugins'] } }),
  tool('rslib', 'Rslib', {
    entry: 'rspack',
    package: '@rslib/core',
    place: { path: ['tools', 'rspack', 'plugins'] },
  }),
  tool('esbuild', 'esbuild', { inScript: /['"]esbuild['"]/ }),
  tool('bun', 'Bun', { inScript: /\bBun\.build\(/ }),
];

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
  /** The folder of its sources, with a slash at the end; empty: the root. */
  sources: string;
}

interface Manifest {
  /** The text of package.json; `undefined`: there is none. */
  text: string | undefined;
  type?: string;
  scripts: Record<string, string>;
  packages: ReadonlySet<string>;
}

export async function detectProject(root: string): Promise<ProjectShape> {
  const files = new Set(await readdir(root).catch(() => []));
  const manifest = await readManifest(root);
  const [tool, config] = await findTool(root, { files, manifest });
  const folder = tool?.root ?? '';
  const known = FRAMEWORK_BY_PACKAGE.find(([name]) => manifest.packages.has(name))?.[1];
  const [, pluginless] =
    WITHOUT_PLUGINS.find(([name]) => tool === undefined && manifest.packages.has(name)) ?? [];
  const ownConfig = OPTIONS_FILES.find((name) => isThere(join(root, folder, name)));
  return {
    root,
    tool,
    config,
    // Custom elements work in every framework.
    framework: tool?.framework ?? known ?? (pluginless ? 'web-component' : undefined),
    pluginless,
    usesTypeScript: files.has('tsconfig.json') || manifest.packages.has('typescript'),
    manager: managerOf(resolve(root)),
    manifest,
    ownConfig: ownConfig && `${folder}${ownConfig}`,
    files,
    sources: isThere(join(root, folder, 'src')) ? `${folder}src/` : folder,
  };
}

async function readManifest(root: string): Promise<Manifest> {
  // The package manager reports what cannot be read.
  const { manifest = {}, text } = (await readPackage(root)) ?? {};
  const { type, scripts, dependencies, devDependencies } = manifest;
  return {
    text,
    ...(typeof type === 'string' && { type }),
    scripts: { ...scripts },
    packages: new Set(Object.keys({ ...dependencies, ...devDependencies })),
  };
}

async function findTool(
  root: string,
  { files, manifest }: Pick<ProjectShape, 'files' | 'manifest'>,
): Promise<[BuildTool | undefined, string | undefined]> {
  const { packages } = manifest;
  for (const tool of TOOLS) {
    if (tool.isByPackage === true && !packages.has(tool.package)) continue;
    for (const name of tool.inScript === undefined ? tool.configs : scriptsIn(manifest.scripts)) {
      const isPresent = name.includes('/') ? isThere(join(root, name)) : files.has(name);
      if (!isPresent) continue;
      if (tool.inScript?.test(await readFile(join(root, name), 'utf8')) !== false)
        return [tool, name];
    }
  }
  // Vite, Next.js and Eleventy need no configuration.
  const tool = TOOLS.find((one) => one.inScript === undefined && packages.has(one.package));
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

/** Tools for applications that take no plugins of a bundler. */
const WITHOUT_PLUGINS: readonly [name: string, title: string][] = [
  ['@angular/core', 'Angular'],
  ['parcel', 'Parcel'],
];
