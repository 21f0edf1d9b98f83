// The bytes that one way of using icons ships. Arguments: project, form, variant. Result: JSON of
// { bytes, gzipped, icons }, `icons` as the number of different drawings in the output.
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform as svgr } from '@svgr/core';
import { build, transformWithOxc } from 'vite';

const [, , root, form, variant] = process.argv;
const { options, icons } = JSON.parse(readFileSync(join(root, 'icons.json'), 'utf8'));
const FRAMEWORKS = ['react', 'vue', 'svelte', 'astro'];
const framework = FRAMEWORKS.includes(form) ? form : undefined;
const COMPILERS = { react: 'jsx', vue: 'vue3', svelte: 'svelte', astro: 'astro' };

/** Components by svgr itself, as its plugins for bundlers make them: an `.svg` file is a module. */
const svgrPlugin = {
  name: 'svgr',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('.svg')) return undefined;
    const code = await svgr(
      await readFile(id, 'utf8'),
      { plugins: ['@svgr/plugin-jsx'], exportType: 'default' },
      { componentName: 'Icon', filePath: id },
    );
    return transformWithOxc(code, `${id}.jsx`, { lang: 'jsx', jsx: { runtime: 'classic' } });
  },
};

const plugins = {
  ours: async () => [
    (await import('unplugin-icon-catalog/vite')).default({ ...options, framework }),
  ],
  'unplugin-icons': async () => [
    (await import('unplugin-icons/vite')).default({
      compiler: COMPILERS[form] ?? 'raw',
      ...(form === 'react' ? { jsx: 'react' } : {}),
    }),
  ],
  svgr: () => [svgrPlugin],
  Vite: () => [],
  Iconify: () => [],
};

const specifierOf = {
  ours: { markup: '?raw', data: '?inline', sprite: '?sprite' },
  'unplugin-icons': { markup: '?raw' },
  Vite: { markup: '?raw', data: '?inline' },
};

function specifier(name) {
  const query = specifierOf[variant]?.[form] ?? '';
  if (variant === 'ours') return `icon:tabler/${name}${query}`;
  if (variant === 'unplugin-icons') return `~icons/tabler/${name}${query}`;
  return `./svg/${name}.svg${query}`;
}

const imports = () =>
  icons.map((name, at) => `import i${at} from '${specifier(name)}';\n`).join('');
const list = icons.map((_, at) => `i${at}`).join(', ');

/** A script that uses every icon. The frameworks are not part of it. */
async function shipScript() {
  const input = join(root, `${form} ${variant}.js`.replaceAll(' ', '-'));
  await writeFile(input, `${imports()}console.log([${list}]);\n`);
  const { svelte } = await import('@sveltejs/vite-plugin-svelte');
  return shipped(input, {
    plugins: [
      ...(await plugins[variant]()),
      ...(form === 'svelte' ? [svelte({ configFile: false })] : []),
    ],
    external: [/^react/, 'vue', /^svelte/],
  });
}

/** A style sheet with a class for every icon. */
async function shipStyles() {
  const input = join(root, `styles-${variant}.css`);
  const rule =
    variant === 'Iconify'
      ? await iconifyRule()
      : (name) => `.i-${name}{background-image:url("${specifier(name)}")}\n`;
  await writeFile(input, icons.map(rule).join(''));
  return shipped(input, { plugins: await plugins[variant]() });
}

async function iconifyRule() {
  const { getIconData, iconToSVG, iconToHTML, svgToURL } = await import('@iconify/utils');
  const set = JSON.parse(
    readFileSync(join(root, 'node_modules/@iconify-json/tabler/icons.json'), 'utf8'),
  );
  return (name) => {
    const { attributes, body } = iconToSVG(getIconData(set, name), { height: '1em' });
    const svg = iconToHTML(body, attributes).replaceAll('currentColor', '#000');
    return `.i-${name}{background-image:${svgToURL(svg)}}\n`;
  };
}

async function shipped(input, { plugins: used, external = [] }) {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: used,
    build: { write: false, rollupOptions: { input, external } },
  });
  // Credits are no part of what a page loads.
  const files = output.filter(({ fileName }) => !fileName.startsWith('icon-attribution'));
  return files.map((file) => Buffer.from(file.type === 'chunk' ? file.code : file.source));
}

/** A static page with every icon. */
async function shipPage() {
  const folder = join(root, `astro-${variant}`);
  await mkdir(join(folder, 'src/pages'), { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    '{"type":"module","private":true,"devDependencies":{"@iconify-json/tabler":"*"}}',
  );
  const isNamed = variant.startsWith('astro-icon');
  const head = isNamed ? "import { Icon } from 'astro-icon/components';\n" : imports();
  const body = icons.map((name, at) =>
    isNamed
      ? `<Icon name="tabler:${name}"${variant.endsWith('inline') ? ' is:inline' : ''} />`
      : `<I${at} />`,
  );
  await writeFile(
    join(folder, 'src/pages/index.astro'),
    `---\n${head.replaceAll('import i', 'import I')}---\n${body.join('')}\n`,
  );
  const { build: buildSite } = await import('astro');
  const integration = {
    ours: async () => (await import('unplugin-icon-catalog/astro')).default(options),
    [isNamed ? variant : 'astro-icon']: async () =>
      (await import('astro-icon')).default({ include: { tabler: icons } }),
  }[variant];
  await buildSite({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    integrations: integration === undefined ? [] : [await integration()],
    vite: { plugins: integration === undefined ? await plugins[variant]() : [] },
  });
  return [await readFile(join(folder, 'dist/index.html'))];
}

const ship = { astro: shipPage, css: shipStyles }[form] ?? shipScript;
const files = await ship();
const text = files.map(String).join('\n');
const result = {
  bytes: files.reduce((sum, file) => sum + file.length, 0),
  gzipped: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
  icons: new Set(
    decodeURIComponent(text.replaceAll(/%(?![\dA-F]{2})/gi, '%25')).match(
      /\b[Mm]-?\d*\.?\d+[ ,]?[-\d.][^"'`]{6,}/g,
    ),
  ).size,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
