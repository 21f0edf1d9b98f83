import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown, type Plugin as RolldownPlugin } from 'rolldown';
import { rollup, type Plugin } from 'rollup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import rolldownPlugin from '../../../src/rolldown.ts';
import rollupPlugin from '../../../src/rollup.ts';
import type { Manifest } from '../../../src/types.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from '../style-project.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

/** What CSS plugins of Rollup do: take the style sheets out of the module graph, and write them at the end. */
function cssPlugin({ inject = false }: { inject?: boolean } = {}): Plugin {
  const sheets = new Map<string, string>();
  return {
    name: 'css',
    async transform(code, id) {
      if (!id.endsWith('.css')) return null;
      // Imported style sheets are read by the plugin itself, and seen by nobody else.
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
      if (sheets.size === 0) return;
      const source = [...sheets.values()].join('\n');
      this.emitFile({ type: 'asset', name: 'style.css', source });
    },
  };
}

type Bundler = 'rollup' | 'rolldown';

async function buildProject(
  bundler: Bundler,
  files: Record<string, string>,
  { isFirst = false, inject = false }: { isFirst?: boolean; inject?: boolean } = {},
): Promise<{ files: Map<string, string>; css: string; manifest: Manifest }> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const options = {
    catalog: { baseUrl, key, secret },
    aliases: ALIASES,
    cacheDir: join(root, '.cache'),
    logLevel: 'silent' as const,
  };
  const css = cssPlugin({ inject });
  const output = { dir: join(root, 'dist') };
  const input = join(root, 'main.js');
  if (bundler === 'rollup') {
    const ours = rollupPlugin(options);
    const made = await rollup({ input, plugins: isFirst ? [ours, css] : [css, ours] });
    await made.write(output);
    await made.close();
  } else {
    const ours = rolldownPlugin(options);
    const made = await rolldown({
      input,
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
    manifest: JSON.parse(text.get('icon-attribution.json') ?? 'null') as Manifest,
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
      { inject: true },
    );
    expect(manifest.icons.map(({ usedIn }) => usedIn)).toEqual([
      [{ build: bundler, file: 'main.js', kind: 'inline-js' }],
    ]);
  });

  it('say so where a plugin keeps a style sheet to itself', async () => {
    const failed = buildProject(bundler, PLAIN_STYLES);
    await expect(failed).rejects.toThrow(
      /`icon:bell\?[^`]*` is still in the finished style sheet [^ ]*style[^ ]*\.css \(`cursor`\)/,
    );
  });

  it('have no files, and say so', async () => {
    const failed = buildProject(bundler, {
      'main.js': `import './main.css'`,
      'main.css': '.a { background: url(icon:home?url) }',
    });
    await expect(failed).rejects.toThrow(/`\?url`[\s\S]*main\.css[\s\S]*in place/);
  });
});
