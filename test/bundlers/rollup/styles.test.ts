import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { rolldown, type Plugin as RolldownPlugin } from 'rolldown';
import { rollup, type Plugin } from 'rollup';
import postcssPlugin from 'rollup-plugin-postcss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import rolldownPlugin from '../../../src/rolldown.ts';
import rollupPlugin from '../../../src/rollup.ts';
import { embeddedIconId } from '../../../src/server.ts';
import type { Manifest } from '../../../src/types.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from '../../build/style-project.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

/** What CSS plugins of Rollup do: take the style sheets out of the module graph, and write them at the end. */
function cssPlugin({ inject = false, elsewhere = false } = {}): Plugin {
  const sheets = new Map<string, string>();
  return {
    name: 'css',
    async transform(code, id) {
      if (!id.endsWith('.css')) return null;
      // Imported style sheets are read by the plugin itself, and seen by no other plugin.
      const imported = [...code.matchAll(/@import '([^']+)';/g)].map(([, name = '']) => name);
      const parts = await Promise.all(
        imported.map((name) => readFile(join(dirname(id), name), 'utf8')),
      );
      const css = [...parts, code.replace(/@import '[^']+';/g, '')].join('\n');
      if (inject)
        return { code: `export default ${JSON.stringify(css)}`, map: null, moduleType: 'js' };
      sheets.set(id, css);
      return { code: 'export default ""', map: null, moduleSideEffects: true, moduleType: 'js' };
    },
    generateBundle() {
      if (sheets.size === 0 || elsewhere) return;
      // Bundlers transform side by side.
      const source = [...sheets.keys()]
        .toSorted()
        .map((id) => sheets.get(id))
        .join('\n');
      this.emitFile({ type: 'asset', fileName: 'css/style.css', source });
    },
  };
}

/** Its types say that the function is a property of itself. */
const postcss = postcssPlugin as unknown as (options: object) => Plugin;

type Bundler = 'rollup' | 'rolldown';

async function buildProject(
  bundler: Bundler,
  files: Record<string, string>,
  { isFirst = false, plugin = cssPlugin() }: { isFirst?: boolean; plugin?: Plugin } = {},
): Promise<{
  files: Map<string, string>;
  css: string;
  manifest: Manifest;
  warnings: string[];
}> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const options = {
    catalog: { baseUrl, key, secret },
    aliases: ALIASES,
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'icons.lock'),
    logLevel: 'silent' as const,
  };
  const css = plugin;
  const output = { dir: join(root, 'dist') };
  const warnings: string[] = [];
  const shared = {
    input: join(root, 'main.js'),
    onwarn: ({ message = '' }) => void warnings.push(message),
  };
  if (bundler === 'rollup') {
    const ours = rollupPlugin(options);
    const made = await rollup({ ...shared, plugins: isFirst ? [ours, css] : [css, ours] });
    await made.write(output);
    await made.close();
  } else {
    const ours = rolldownPlugin(options);
    const made = await rolldown({
      ...shared,
      plugins: isFirst ? [ours, css as RolldownPlugin] : [css as RolldownPlugin, ours],
    });
    await made.write(output);
    await made.close();
  }
  const tree = await readTree(join(root, 'dist'));
  const text = new Map([...tree].map(([name, bytes]) => [name, bytes.toString()]));
  const sheet = [...text].find(([name]) => name.endsWith('.css'))?.[1] ?? '';
  return {
    files: text,
    css: sheet,
    warnings,
    manifest: parseManifest(text.get('icon-attribution.json') ?? 'null'),
  };
}

const STYLES = {
  ...PLAIN_STYLES,
  'main.js': `import './main.css'; import './part.css'; import credits from 'icon:credits'; console.log(credits);`,
  'main.css': PLAIN_STYLES['main.css']?.replace(/@import [^;]*;/, '') ?? '',
  'part.css': PLAIN_STYLES['parts/part.css'] ?? '',
};
const ALL = PLAIN_ICONS.map(titleOf).toSorted();

describe.each(['rollup', 'rolldown'] as const)('style sheets in a build of %s', (bundler) => {
  it.each([true, false])(
    'hold their icons, and are credited, wherever the plugin stands (first: %s)',
    async (isFirst) => {
      const { css, manifest, files } = await buildProject(bundler, STYLES, { isFirst });
      expect(css.match(/icon:(?!nothing)/g)).toBeNull();
      expect(manifest.icons.map(({ title }) => title)).toEqual(ALL);
      for (const { usedIn } of manifest.icons)
        expect(usedIn.map(({ kind, file }) => [kind, files.has(file)])).toEqual([
          ['inline-css', true],
        ]);
      for (const title of ALL)
        expect(files.get('main.js')).toContain(`%22title%22%3A%22${title}%22`);
    },
  );

  it('are credited in the scripts that inject them', async () => {
    const { manifest } = await buildProject(
      bundler,
      {
        'main.js': `import css from './main.css'; console.log(css);`,
        'main.css': '.a { background: url(icon:home?color=f00) }',
      },
      { plugin: cssPlugin({ inject: true }) },
    );
    expect(manifest.icons.map(({ usedIn }) => usedIn)).toEqual([
      // The output is outside of the package that builds.
      [{ build: `unplugin-icon-catalog.${bundler}.main`, file: 'main.js', kind: 'inline-js' }],
    ]);
  });

  it('say so where a plugin keeps a style sheet to itself', async () => {
    const failed = buildProject(bundler, PLAIN_STYLES);
    await expect(failed).rejects.toThrow(
      /`icon:bell\?[^`]*` is still in the finished style sheet [^ ]*style[^ ]*\.css \(`cursor`\)/,
    );
  });

  it('refer to files of larger icons and of `?url`, wherever the style sheet lies', async () => {
    const { css, files, manifest, warnings } = await buildProject(bundler, {
      'main.js': `import './main.css'; import './part.css'; import credits from 'icon:credits'; console.log(credits)`,
      'main.css': `.a { background: url(icon:home?color=f00&url) } .b { mask: url('icon:${LARGE}') }`,
      'part.css': `.c { background: url("icon:home?url&color=f00") } .d { mask: url(icon:${LARGE}?inline) }`,
    });
    expect(warnings).toEqual([]);
    const addresses = [...css.matchAll(/url\("?([^")]*)/g)].map(([, address = '']) => address);
    const shown = addresses.map((address) =>
      address.startsWith('data:image/svg') ? 'in place' : posix.join('css', address),
    );
    expect(shown).toHaveLength(4);
    const [home = '', large = '', again, inline] = shown;
    expect([again, inline]).toEqual([home, 'in place']);
    expect(files.get(home)).toMatch(/<svg[^>]*width="1em"[\s\S]*ff0000/);
    expect(files.get(large)?.length).toBeGreaterThan(4096);
    expect(usagesOf(manifest)).toEqual([
      ['Abstract 001', `asset ${large}`, 'inline-css css/style.css'],
      ['Home', `asset ${home}`],
    ]);
    expect(files.get('main.js')).toMatch(/Abstract[\s\S]*Home/);
  });

  it('have their icons in place where a script holds them', async () => {
    const sources = (query = ''): Record<string, string> => ({
      'main.js': `import css from './main.css'; console.log(css);`,
      'main.css': `.a { mask: url(icon:${LARGE}${query}) }`,
    });
    const inject = { plugin: cssPlugin({ inject: true }) };
    const { files, manifest } = await buildProject(bundler, sources(), inject);
    expect(files.get('main.js')).toMatch(/url\(\\"data:image\/svg\+xml,%3Csvg/);
    expect([...files.keys()].filter((name) => name.endsWith('.svg'))).toEqual([]);
    expect(usagesOf(manifest)).toEqual([['Abstract 001', 'inline-js main.js']]);
    await expect(buildProject(bundler, sources('?url'), inject)).rejects.toThrow(
      /\(`\?url`\)[\s\S]*part of a script[\s\S]*main\.css[\s\S]*in place/,
    );
  });

  it('report it if a file is for no output', async () => {
    const { warnings } = await buildProject(
      bundler,
      { 'main.js': `import './main.css'`, 'main.css': '.a { background: url(icon:home?url) }' },
      { plugin: cssPlugin({ elsewhere: true }) },
    );
    expect(warnings.join('\n')).toMatch(/refers to home-\d+\.svg of .*main\.css[\s\S]*\?inline/);
  });
});

it('are right with rollup-plugin-postcss: SCSS, CSS modules, minified, in a folder', async () => {
  const { css, files, manifest } = await buildProject(
    'rollup',
    {
      'main.js': `import './main.scss'; import names from './names.module.css'; console.log(names)`,
      'main.scss': `$name: home; .a { .b { background: url("icon:home?color=f00&url") } } // url(icon:nothing)`,
      'names.module.css': `.sun { mask: url(icon:sun) } .large { mask: url(icon:${LARGE}) }`,
    },
    {
      plugin: postcss({
        extract: 'css/all.css',
        autoModules: true,
        minimize: true,
        use: { sass: { silenceDeprecations: ['legacy-js-api'] } },
      }),
    },
  );
  const [home = '', large = ''] = [...css.matchAll(/url\("?(\.\.\/[^")]*)/g)].map(
    ([, address = '']) => posix.join('css', address),
  );
  expect([files.has(home), files.has(large)]).toEqual([true, true]);
  expect(css).toMatch(/url\("data:image\/svg/);
  expect(usagesOf(manifest)).toEqual([
    ['Abstract 001', `asset ${large}`],
    ['Home', `asset ${home}`],
    ['Sun', 'inline-css css/all.css'],
  ]);
});

/** An icon of more than 4 KiB. */
const LARGE = embeddedIconId('game-icons', 'abstract-001');

function usagesOf({ icons }: Manifest): (string | null)[][] {
  return icons.map(({ title, usedIn }) => [
    title,
    ...usedIn.map(({ kind, file }) => `${kind} ${file}`),
  ]);
}
