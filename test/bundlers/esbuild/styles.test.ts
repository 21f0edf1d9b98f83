import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import esbuildPlugin from '../../../src/esbuild.ts';
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

async function buildProject(
  files: Record<string, string>,
  options: BuildOptions = {},
): Promise<{ files: Map<string, string>; css: string; manifest: Manifest }> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  await build({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    outdir: 'dist',
    bundle: true,
    logLevel: 'silent',
    assetNames: 'media/[name]-[hash]',
    plugins: [
      esbuildPlugin({
        catalog: { baseUrl, key, secret },
        aliases: ALIASES,
        cacheDir: join(root, '.cache'),
        logLevel: 'silent',
      }),
    ],
    ...options,
  });
  const tree = await readTree(join(root, 'dist'));
  const text = new Map([...tree].map(([name, bytes]) => [name, bytes.toString()]));
  const manifest = parseManifest(text.get('icon-attribution.json') ?? 'null');
  return { files: text, css: text.get('main.css') ?? '', manifest };
}

describe('style sheets in a build of esbuild', () => {
  it.each([
    ['as it is', {}],
    ['minified', { minify: true, sourcemap: true }],
  ] satisfies [string, BuildOptions][])(
    'hold their icons, and are credited, %s',
    async (_, options) => {
      const { css, manifest } = await buildProject(
        {
          ...PLAIN_STYLES,
          'main.js': `import './main.css'; import credits from 'icon:credits'; console.log(credits);`,
        },
        options,
      );
      expect(css.match(/icon:(?!nothing)/g)).toBeNull();
      expect(manifest.icons.map(({ title, usedIn }) => [title, usedIn])).toEqual(
        PLAIN_ICONS.map(titleOf)
          .toSorted()
          .map((title) => [
            title,
            [{ build: 'esbuild.main', file: 'main.css', kind: 'inline-css' }],
          ]),
      );
    },
  );

  it('have files if asked for, by the names of other assets', async () => {
    const { css, files, manifest } = await buildProject({
      'main.js': `import './main.css'`,
      'main.css':
        '.a { background: url(icon:bus?color=f00&url) } .b { background: url(icon:home?inline) } .c { background: url(icon:home?filetype=png&size=64) }',
    });
    const name = [...files.keys()].find((file) => file.endsWith('.svg')) ?? '';
    expect(name).toMatch(/^media\/bus-\d+-[A-Z0-9]+\.svg$/);
    expect(css).toContain(`url("./${name}")`);
    expect(css).toContain('data:image/png;base64,');
    expect(
      manifest.icons.map(({ title, usedIn }) => [title, usedIn.map(({ file }) => file)]),
    ).toEqual([
      ['Bus', [name]],
      ['Home', ['main.css']],
    ]);
  });

  it.each([
    ['.a { background: url(icon:hoome) }', /`icon:hoome`[\s\S]*main\.css[\s\S]*icon:home/],
    ['@import "icon:home";', /an icon is no style sheet/],
    ['.a { background: url(icon:home?as=svg) }', /`as=svg` is not an image/],
    ['.a { background: image-set("icon:home" 1x) }', /`icon:home`[\s\S]*main\.css[\s\S]*url\(/],
  ])('say what is wrong with %s', async (css, message) => {
    const failed = buildProject({ 'main.js': `import './main.css'`, 'main.css': css });
    await expect(failed).rejects.toThrow(message);
  });
});
