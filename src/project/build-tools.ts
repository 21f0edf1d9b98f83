import { SCRIPTS } from '../options/file.ts';
import type { Framework } from '../component.ts';

/** A tool that builds or serves the project, and how this package is put into its configuration. */
export interface BuildTool {
  id: string;
  title: string;
  entry: string;
  /** Names of its configuration, in the order in which the tool looks for them. */
  configs: readonly string[];
  /** The package that a project has which uses the tool. */
  package: string;
  /** The first version of it that builds are tried with; older ones may work. */
  oldest?: string;
  /** Its configuration is one of another tool, so that only the package tells. */
  isByPackage?: true;
  /** It has no configuration: it is run by a script with this text, which `package.json` names. */
  inScript?: RegExp;
  /** Its configuration is one of another purpose, too: it has this text where the project uses the tool. */
  inConfig?: RegExp;
  /** The plugin belongs into `bunfig.toml`, and not into a script. */
  isToml?: true;
  /** Files that show something, in the order in which they are looked for. */
  pages?: readonly string[];
  /** It loads the images of Markdown. */
  isInMarkdown?: true;
  /**
   * Where the configuration names plugins: a list, by the names that lead to it, and what is added to it if that is not
   * `iconCatalog()`; a property that it may not have yet, and what comes before it; a method of what the exported function is
   * called with; or what a new configuration exports, as it cannot be added to any other, for tools that only read CommonJS
   * with `require`.
   */
  place:
    | { path: readonly [string, ...string[]]; item?: string }
    | { property: string; lines: readonly string[]; before?: string }
    | { method: string; parameter: string }
    | { exports: readonly string[]; isCommon?: true };
  /** The root of its build if that is another folder, with a slash at the end. */
  root?: string;
  /** Where its options belong if that is not its root, with a slash at the end; empty: the package's folder. */
  options?: string;
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

/** Its server bundles pages, with what this section names. */
export const SECTION_OF_PAGES = 'serve.static';
export const PAGES_OF_BUN: BuildTool = tool('bun', 'Bun', {
  configs: ['bunfig.toml'],
  inConfig: /^\[serve\.static\]/m,
  isToml: true,
});

/** Generators come before the bundlers that they use. */
export const BUILD_TOOLS: readonly BuildTool[] = [
  tool('nuxt', 'Nuxt', {
    framework: 'vue',
    place: { path: ['modules'], item: "'unplugin-icon-catalog/nuxt'" },
    pages: ['app/app.vue', 'app.vue'],
    hasTypes: true,
  }),
  tool('astro', 'Astro', {
    framework: 'astro',
    oldest: '5.0.0',
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
    // So that the main process has them, too.
    options: '',
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
    pages: [
      'pages/welcome.tsx',
      'pages/Welcome.vue',
      'pages/Welcome.svelte',
      // Of the starters before.
      'Pages/Welcome.jsx',
      'Pages/Welcome.tsx',
      'Pages/Welcome.vue',
    ].map((page) => `resources/js/${page}`),
    // `vite build --ssr` writes into `bootstrap/ssr`, which is not published.
    attribution: "site: 'public/build'",
  }),
  tool('rails', 'vite-plugin-ruby', {
    entry: 'vite',
    configs: scripts('vite.config'),
    package: 'vite-plugin-ruby',
    isByPackage: true,
    pages: ['js', 'ts', 'jsx', 'tsx'].map((end) => `app/frontend/entrypoints/application.${end}`),
  }),
  tool('electron-forge', 'Electron Forge', {
    entry: 'vite',
    configs: scripts('vite.renderer.config'),
    package: '@electron-forge/plugin-vite',
  }),
  tool('vue-cli', 'Vue CLI', {
    entry: 'webpack',
    configs: scripts('vue.config'),
    package: '@vue/cli-service',
    place: { path: ['configureWebpack', 'plugins'] },
    framework: 'vue',
  }),
  tool('craco', 'CRACO', {
    entry: 'webpack',
    configs: scripts('craco.config'),
    package: '@craco/craco',
    place: { path: ['webpack', 'plugins', 'add'] },
    pages: ['src/App.js'],
  }),
  tool('vite', 'Vite', { oldest: '5.0.0' }),
  tool('rolldown', 'Rolldown', { oldest: '1.0.0' }),
  tool('rollup', 'Rollup', { oldest: '4.0.0' }),
  tool('rspack', 'Rspack', { package: '@rspack/core', oldest: '1.2.0' }),
  tool('webpack', 'webpack', { oldest: '5.90.0' }),
  tool('wordpress', '@wordpress/scripts', {
    entry: 'webpack',
    configs: ['webpack.config.js'],
    package: '@wordpress/scripts',
    place: {
      isCommon: true,
      exports: [
        "const wordpress = require('@wordpress/scripts/config/webpack.config');",
        '// With `--experimental-modules` these are two configurations.',
        'module.exports = [wordpress].flat().map((config) => ({',
        '  ...config,',
        '  plugins: [...config.plugins, iconCatalog()],',
        '}));',
      ],
    },
    pages: ['src/edit.js'],
    // Its blocks are written in JSX, without React as a package of their own.
    framework: 'react',
  }),
  tool('farm', 'Farm', { package: '@farmfe/core', oldest: '1.7.0' }),
  tool('tsdown', 'tsdown', { entry: 'rolldown' }),
  tool('tsup', 'tsup', { entry: 'esbuild', place: { path: ['esbuildPlugins'] } }),
  tool('rslib', 'Rslib', {
    entry: 'rspack',
    package: '@rslib/core',
    place: { path: ['tools', 'rspack', 'plugins'] },
  }),
  tool('esbuild', 'esbuild', { oldest: '0.20.0', inScript: /['"]esbuild['"]/ }),
  tool('bun', 'Bun', { inScript: /\bBun\.build\(/ }),
  PAGES_OF_BUN,
];
