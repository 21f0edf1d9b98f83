import type { Framework } from '../component.ts';
import { findInstalled } from '../options/import-default.ts';
import { addToBunfig, addToBun } from './bun.ts';
import { TYPES_FILE, type ProjectShape } from './detect.ts';
import { createFolder, type Folder, type InitStep } from './init-steps.ts';
import { addPlugin, newConfig, pluginLines } from './splice-config.ts';
import {
  addExample,
  EXAMPLE_SIZE,
  type Example,
  exampleLines,
  markdownOf,
} from './splice-example.ts';

interface InitChoices {
  /** A catalog with an account instead of installed icon sets. */
  isRemote: boolean;
  example: Example | undefined;
  isDry: boolean;
}

/**
 * Puts the plugin, its options, types and an example into a project. What exists already stays, and so does every file
 * whose form is not understood.
 */
export async function initProject(shape: ProjectShape, choices: InitChoices): Promise<InitStep[]> {
  const project = createFolder(shape.root, choices.isDry);
  const steps: InitStep[] = [];
  const add = (...more: (InitStep | undefined)[]): unknown =>
    steps.push(...more.filter((step) => step !== undefined));
  const hasImports = shape.pluginless === undefined;
  if (hasImports) add(await addToTool(shape, project));
  add(await addOptions(shape, choices, project));
  if (hasImports) add(await addTypes(shape, project));
  const lineEnds = ['icons.lock text eol=lf'];
  add(
    await project.append(
      '.gitattributes',
      'line ends of the lock file',
      lineEnds,
      /^icons\.lock /m,
    ),
  );
  add(await addEnvironment(choices, project));
  if (hasImports && choices.example) add(await addIcon(shape, choices.example, project));
  if (shape.tool?.id === 'next') add(await useWebpack(shape, project));
  if (shape.tool?.id === 'bun') add(...(await addToBun(shape, project)));
  return steps;
}

const PLUGIN = 'the plugin';

async function addToTool(
  { tool, config, manifest, usesTypeScript }: ProjectShape,
  project: Folder,
): Promise<InitStep> {
  if (tool === undefined) {
    const lines = [
      "import iconCatalog from 'unplugin-icon-catalog/vite'; // or rollup, rolldown, webpack, rspack, esbuild, farm, bun",
      'plugins: [iconCatalog()],',
    ];
    return { file: 'the configuration of your bundler', what: PLUGIN, status: 'by hand', lines };
  }
  if (tool.isToml) return addToBunfig(project, PLUGIN);
  if (config !== undefined) {
    const spliced = addPlugin((await project.read(config)) ?? '', tool);
    return project.save(config, PLUGIN, spliced, pluginLines(tool));
  }
  const [first = ''] = tool.configs;
  const isVite = first.startsWith('vite.config');
  const script = isVite || manifest.type === 'module' ? 'js' : 'mjs';
  const name = usesTypeScript && isVite ? first : first.replace(/ts$/, script);
  const isLoadable = !('isCommon' in tool.place && manifest.type === 'module');
  if (isVite || 'method' in tool.place || ('exports' in tool.place && isLoadable))
    return project.create(name, PLUGIN, newConfig(tool));
  return { file: name, what: PLUGIN, status: 'by hand', lines: pluginLines(tool) };
}

const OPTIONS = 'its options';

async function addOptions(
  { ownConfig, config, manifest, framework, tool }: ProjectShape,
  { isRemote }: InitChoices,
  project: Folder,
): Promise<InitStep> {
  if (ownConfig !== undefined) return { file: ownConfig, what: OPTIONS, status: 'unchanged' };
  const source = config === undefined ? '' : ((await project.read(config)) ?? '');
  // A plugin that has options does not look for a file of them.
  if (
    config !== undefined &&
    /iconCatalog\(\s*(?!\{\s*\})[^)\s]|['"]unplugin-icon-catalog\/nuxt['"],\s*\{/.test(source)
  )
    return { file: config, what: OPTIONS, status: 'unchanged' };
  // A script is read without a compiler, by builds and by commands.
  const folder = tool?.options ?? tool?.root ?? '';
  const name = `${folder}icon-catalog.config.${manifest.type === 'module' ? 'js' : 'mjs'}`;
  const implied = tool?.id === 'nuxt' || tool?.id === 'astro';
  return project.create(
    name,
    OPTIONS,
    optionsText(isRemote, {
      framework: implied ? undefined : framework,
      attribution: tool?.attribution,
    }),
  );
}

function optionsText(
  isRemote: boolean,
  { framework, attribution }: { framework: Framework | undefined; attribution: string | undefined },
): string {
  const catalog = isRemote
    ? '  // The catalog is the one that ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET name.\n'
    : "  // Icons come from the icon sets that are installed in this project.\n  catalog: 'embedded',\n";
  const component =
    framework === undefined
      ? ''
      : `  // An icon without a form is a component.\n  framework: '${framework}',\n`;
  const list =
    attribution === undefined
      ? ''
      : `  // All builds write one list of credits into the folder that is published.\n  attribution: { ${attribution} },\n`;
  const aliases =
    '  // Short names of icons: `icon-catalog add <icon> --as <name>` writes them.\n  aliases: {},\n';
  return `import { defineConfig } from 'unplugin-icon-catalog';\n\nexport default defineConfig({\n${catalog}${component}${list}${aliases}});\n`;
}

async function addTypes(
  { usesTypeScript, tool, declarations, framework }: ProjectShape,
  project: Folder,
): Promise<InitStep | undefined> {
  if (!usesTypeScript || tool?.hasTypes === true) return undefined;
  const entry = `unplugin-icon-catalog/types${framework === undefined ? '' : `/${framework}`}`;
  const file = declarations + TYPES_FILE;
  return project.create(file, 'types of imports', `/// <reference types="${entry}" />\n`);
}

const VARIABLES = ['ICON_CATALOG_URL=', 'ICON_CATALOG_KEY=', 'ICON_CATALOG_SECRET='];

async function addEnvironment({ isRemote }: InitChoices, project: Folder): Promise<InitStep> {
  const file = '.env.example';
  const what = isRemote
    ? 'the variables that name the catalog'
    : 'the variables of a catalog with an account';
  const lines = isRemote
    ? ['# Address, key and secret of the icon catalog; .env.local has the real ones.', ...VARIABLES]
    : [
        "# Icons come from installed sets. For a catalog with an account, remove `catalog: 'embedded'` and set these:",
        ...VARIABLES.map((line) => `# ${line}`),
      ];
  return project.append(file, what, lines, /ICON_CATALOG_URL/);
}

/** By the framework. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  vue: ['src/App.vue', 'pages/index/+Page.vue'],
  svelte: ['src/App.svelte', 'src/routes/+page.svelte'],
};
const JSX_PAGES = ['tsx', 'jsx'].flatMap((end) =>
  [
    'app/routes/home',
    'app/routes/_index',
    'src/routes/index',
    'src/pages/index',
    'src/pages/Home/index',
    'pages/index/+Page',
    'src/App',
    'src/app',
    'src/app/app',
    'src/index',
  ].map((name) => `${name}.${end}`),
);
const JSX: readonly unknown[] = ['react', 'preact', 'solid', 'qwik'];

async function addIcon(
  { tool, config, framework, usesTypeScript }: ProjectShape,
  example: Example,
  project: Folder,
): Promise<InitStep | undefined> {
  const isComponent =
    framework !== undefined && framework !== 'lit' && framework !== 'web-component';
  const pages = [
    ...(tool?.pages ?? []),
    ...(JSX.includes(framework) ? JSX_PAGES : (PAGES[framework ?? ''] ?? [])),
  ];
  const names: string[] = [];
  for (const root of await rootsOf(project, { tool, config })) {
    const entries = isComponent ? [] : await entriesOf(project, { root, tool, config });
    names.push(...[...pages, ...entries].map((name) => `${root}${name}`));
  }
  const what = `shows ${example.specifier}`;
  const isMarkdown = tool?.isInMarkdown === true;
  const form =
    isComponent || isMarkdown
      ? ''
      : `?size=${EXAMPLE_SIZE}${framework === undefined ? '' : '&raw'}`;
  const specifier = `${example.specifier}${form}`;
  const shown = { ...example, specifier, isTyped: usesTypeScript };
  const lines = isMarkdown ? [markdownOf(example)] : exampleLines(shown, isComponent);
  let unknown: string | undefined;
  for (const file of names) {
    const source = await project.read(file);
    if (source === undefined) continue;
    const spliced = addExample(source, { file, isComponent, example: shown });
    if (spliced !== undefined) return project.save(file, what, spliced, lines);
    unknown ??= file;
  }
  return { file: unknown ?? 'one of your sources', what, status: 'by hand', lines };
}

/** Where pages may lie: the root of a tool, or the one that Vite's configuration names and its own folder. */
async function rootsOf(
  project: Folder,
  { tool, config }: Pick<ProjectShape, 'tool' | 'config'>,
): Promise<string[]> {
  if (tool?.root !== undefined) return [tool.root];
  const source = tool?.id === 'vite' && config ? ((await project.read(config)) ?? '') : '';
  const [, root] = /[{,]\s*root\s*:\s*['"](?:\.\/)?(\w[\w./-]*?)\/?['"]/.exec(source) ?? [];
  return root === undefined ? [''] : [`${root}/`, ''];
}

/** Scripts that the page of a Vite project loads, relative to its root, or the first one that a bundler builds for browsers. */
async function entriesOf(
  project: Folder,
  { root, tool, config }: Pick<ProjectShape, 'tool' | 'config'> & { root: string },
): Promise<string[]> {
  const page = (await project.read(`${root}index.html`)) ?? '';
  const loaded = page.matchAll(/<script\b[^>]*\bsrc="\.?\/([^"]+\.[cm]?[jt]s)"/g);
  const source = tool?.inScript && config ? ((await project.read(config)) ?? '') : '';
  const isForServers = /\b(?:platform|target)\s*:\s*['"](?:node|bun)/.test(source);
  const built = isForServers ? null : ENTRY.exec(source);
  return [...loaded, ...(built ? [built] : [])].map(([, path = '']) => path);
}

/** The first entry that a script of esbuild or Bun names. */
const ENTRY = /\bentry[Pp]oints\s*:\s*\[\s*['"](?:\.\/)?([^'"]+\.[cm]?[jt]s)['"]/;

/** Next.js builds with Turbopack, which takes no plugins, if it is asked for it or, from version 16 on, not asked for webpack. */
async function useWebpack({ root, manifest }: ProjectShape, project: Folder): Promise<InitStep> {
  const text = manifest.text ?? '';
  const what = 'webpack in place of Turbopack, which takes no plugins';
  const { version = '16' } = (await findInstalled('next', root))?.manifest ?? {};
  const isAsked = Number.parseInt(version, 10) >= 16;
  const changed = text.replace(
    /"next (dev|build)(?: --turbo(?:pack)?)?"/g,
    `"next $1${isAsked ? ' --webpack' : ''}"`,
  );
  const isThere = / --webpack"/.test(text) || !isAsked;
  const spliced =
    changed !== text
      ? { text: changed, isNew: true }
      : isThere
        ? { text, isNew: false }
        : undefined;
  return project.save('package.json', what, spliced, [
    'next dev --webpack',
    'next build --webpack',
  ]);
}
