import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { defineConfig, type DefaultTheme, type UserConfig } from 'vitepress';
import { writeReference } from './reference.ts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** Pages of the reference that are generated from the code; git ignores them. */
const { errors } = await writeReference(DOCS);

/** The pages of a folder in their order, each under its own heading. */
function pages(folder: string, names: readonly string[]): DefaultTheme.SidebarItem[] {
  return names.map((name) => {
    const [, heading] =
      /^# (.+)$/m.exec(readFileSync(`${DOCS}/${folder}/${name}.md`, 'utf8')) ?? [];
    if (heading === undefined) throw new Error(`docs/${folder}/${name}.md has no heading.`);
    return { text: heading.replaceAll('`', ''), link: `/${folder}/${name}` };
  });
}

const START = ['why', 'quick-start', 'with-an-account', 'first-ci-build'];

const GUIDES = [
  'find-an-icon',
  'editor',
  'agents',
  'colours-and-sizes',
  'components',
  'ui-libraries',
  'css',
  'html',
  'sprites',
  'png',
  'sets-and-dynamic-names',
  'lock-and-ci',
  'offline-and-vendor',
  'caching',
  'fleet-cache',
  'credits',
  'several-builds',
  'licence-policy',
  'libraries',
  'workers-and-tools',
  'monorepos',
  'troubleshooting',
];

const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun'];

const FRAMEWORKS = [
  'react',
  'preact',
  'vue',
  'svelte',
  'solid',
  'lit',
  'web-components',
  'qwik',
  'other-frameworks',
];

const GENERATORS = [
  'astro',
  'nuxt',
  'sveltekit',
  'nextjs',
  'react-router',
  'tanstack-start',
  'solidstart',
  'waku',
  'vitepress',
  'eleventy',
  'docusaurus',
  'rspress',
  'slidev',
  'rsbuild',
  'quasar',
  'storybook',
  'more-tools',
];

const TOOLS = [
  'tailwind',
  'vitest-and-jest',
  'eslint',
  'angular',
  'parcel',
  'electron-vite',
  'wxt',
  'no-bundler',
];

const REFERENCE = [
  'import',
  'options',
  'environment',
  'cli',
  'client',
  'server',
  'types',
  'lock',
  'manifest',
  'interface',
];

const MIGRATE = ['unplugin-icons', 'react-icons', 'svgr', 'astro-icon', 'nuxt-icon'];

const PROJECT = ['security', 'comparison', 'benchmarks', 'support', 'versions'];

const projectItems: DefaultTheme.SidebarItem[] = [
  ...pages('project', PROJECT),
  { text: 'Changelog', link: '/project/changelog' },
  { text: 'Credits of this site', link: '/icon-attribution.html', target: '_self' },
];

/** A sidebar for each part of the site, so that pages stay small. */
const sidebar: DefaultTheme.SidebarMulti = {
  '/start/': [
    { text: 'Start', items: pages('start', START) },
    { text: 'Project', items: projectItems },
  ],
  '/guides/': [{ text: 'Guides', items: pages('guides', GUIDES) }],
  '/frameworks/': [
    { text: 'Bundlers', items: pages('frameworks', BUNDLERS) },
    { text: 'Frameworks', items: pages('frameworks', FRAMEWORKS) },
    { text: 'Site generators', items: pages('frameworks', GENERATORS) },
    { text: 'Other tools', items: pages('frameworks', TOOLS) },
  ],
  '/reference/': [
    {
      text: 'Reference',
      items: [...pages('reference', REFERENCE), { text: 'Errors', link: '/reference/errors/' }],
    },
    { text: 'API', items: pages('reference/api', ['index', 'client', 'server']) },
  ],
  '/reference/errors/': [
    { text: 'Errors', link: '/reference/errors/', items: pages('reference/errors', errors) },
  ],
  '/migrate/': [{ text: 'Migrate', items: pages('migrate', MIGRATE) }],
  '/project/': [{ text: 'Project', items: projectItems }],
};

/** A site below a path, as forges serve it, names the path here. */
const BASE = process.env['DOCS_BASE'] ?? '/';

const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: 'unplugin-icon-catalog',
  description:
    'Import icons from an icon catalog at build time: fetched once, made safe, recoloured, optimised and credited.',
  base: BASE,
  cleanUrls: true,
  cacheDir: '../node_modules/.cache/vitepress',
  // The list of words is for people who write here.
  srcExclude: ['words.md'],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    // VitePress brings a Vite of its own, whose types differ from those of the project's.
    plugins: [iconCatalog({ catalog: 'embedded', framework: 'vue' }) as never],
    resolve: {
      // The page that tries references runs the package's own parser.
      alias: { 'node:crypto': fileURLToPath(new URL('theme/browser-crypto.ts', import.meta.url)) },
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Get started', link: '/start/quick-start', activeMatch: '^/start/' },
      { text: 'Guides', link: '/guides/find-an-icon', activeMatch: '^/guides/' },
      { text: 'Frameworks', link: '/frameworks/vite', activeMatch: '^/frameworks/' },
      { text: 'Reference', link: '/reference/import', activeMatch: '^/reference/' },
      { text: 'Migrate', link: '/migrate/unplugin-icons', activeMatch: '^/migrate/' },
      { text: 'Project', link: '/project/security', activeMatch: '^/project/' },
      { text: 'Try it', link: '/try' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: {
            // The page gets the text of this function. The words say nothing about the subject of a question.
            processTerm: (term) => {
              const word = term.toLowerCase();
              return /^(?:an?|and|are|as|at|be|but|can|cannot|do|does|for|from|gets?|gives?|has|have|how|i|if|in|into|is|its?|my|of|on|or|our|says?|should|so|that|the|their|them|there|they|this|to|was|we|what|when|where|which|why|will|with|you|your)$/.test(
                word,
              )
                ? null
                : word;
            },
          },
          searchOptions: {
            fuzzy: 0.2,
            prefix: true,
            boost: { title: 4, text: 2, titles: 2 },
            // Lists for looking things up hold nearly every word. Guides answer questions.
            boostDocument: (id: string) =>
              /\/(?:reference\/api|project\/(?:changelog|benchmarks))/.test(id) ? 0.3 : 1,
          },
        },
      },
    },
  },
});

export default config;
