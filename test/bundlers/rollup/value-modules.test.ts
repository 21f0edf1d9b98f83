import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import { describe, expect, it } from 'vitest';
import rolldownPlugin from '../../../src/rolldown.ts';
import rollupPlugin from '../../../src/rollup.ts';
import { embeddedIconId } from '../../../src/server.ts';
import vitePlugin from '../../../src/vite.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

const [star, moon, bell] = ['star', 'moon', 'bell'].map((name) => embeddedIconId('tabler', name));
const FILES = {
  'main.js': `import star from 'icon:${star}'; import moon from 'icon:${moon}?color=f00';
    import { credit } from './named.js'; import { ns } from './space.js';
    import unused, { icon as bell } from 'icon:${bell}'; import * as bells from 'icon:${bell}?color=00f';
    globalThis.shown = [star, moon, credit.id, ns, bell.id, bells.credit.id];`,
  'named.js': `import same, { credit } from 'icon:${star}'; export { credit, same };`,
  'space.js': `import * as ns from 'icon:${star}'; export { ns };`,
};

type Write = (root: string) => Promise<readonly { modules: string[] }[]>;
const optionsOf = (root: string) => ({
  catalog: { embedded: { root: process.cwd() } },
  cacheDir: join(root, '.cache'),
  lockfile: join(root, 'icons.lock'),
  logLevel: 'silent' as const,
});
const modulesOf = (output: readonly { type: string }[]): { modules: string[] }[] =>
  output.flatMap((file) =>
    file.type === 'chunk' && 'moduleIds' in file ? [{ modules: file.moduleIds as string[] }] : [],
  );

const BUNDLERS: [string, Write][] = [
  [
    'rollup',
    async (root) => {
      const plugins = [rollupPlugin(optionsOf(root))];
      const bundle = await rollup({ input: join(root, 'main.js'), plugins });
      const { output } = await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
      return modulesOf(output);
    },
  ],
  [
    'rolldown',
    async (root) => {
      const plugins = [rolldownPlugin(optionsOf(root))];
      const bundle = await rolldown({ input: join(root, 'main.js'), cwd: root, plugins });
      const { output } = await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
      return modulesOf(output);
    },
  ],
  [
    'vite',
    async (root) => {
      const result = await viteBuild({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin(optionsOf(root))],
        build: { minify: false, rollupOptions: { input: join(root, 'main.js') } },
      });
      return [result].flat().flatMap((built) => ('output' in built ? modulesOf(built.output) : []));
    },
  ],
];

describe.each(BUNDLERS)('%s', (_, build) => {
  it('hands importers of default exports the drawing alone, and ships it once', async () => {
    const root = await writeProject(FILES);
    const [chunk] = await build(root);
    const icons = chunk?.modules.filter((id) => id.startsWith('icon:')) ?? [];
    expect(icons).toContain(`icon:${star}#`);
    expect(icons.filter((id) => id.startsWith(`icon:${moon}`))).toEqual([
      `icon:${moon}#color=ff0000`,
    ]);

    const tree = await readTree(join(root, 'dist'));
    const code = [...tree].find(([name]) => name.endsWith('.js'))?.[1].toString() ?? '';
    // Two drawings: one an icon, whatever is imported of it.
    expect(code.split(/(?:<|\\u003c)svg/i).length - 1).toBe(2);
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const { shown } = globalThis as unknown as {
      shown: [string, string, string, object, ...string[]];
    };
    const [drawing, red, id, namespace, ...records] = shown;
    expect(drawing).toMatch(/^<svg/);
    expect(red).toContain('ff0000');
    expect(id).toBe(String(star));
    expect(Object.keys(namespace)).toEqual(['credit', 'default', 'icon']);
    expect(namespace).toMatchObject({ default: drawing, credit: { id } });

    // Of an icon whose record alone is read nothing ships.
    expect(records).toEqual([String(bell), String(bell)]);
    const manifest = parseManifest(tree.get('icon-attribution.json')?.toString() ?? '');
    const usedIn = new Map(manifest.icons.map((icon) => [icon.id, icon.usedIn.length]));
    expect(usedIn).toEqual(new Map([star, moon].map((icon) => [String(icon), 1])));
  });

  it('says the same in a second build, which takes its files from the cache', async () => {
    const root = await writeProject(FILES);
    await build(root);
    const first = await readTree(join(root, 'dist'));
    await build(root);
    expect(await readTree(join(root, 'dist'))).toEqual(first);
  });
});
