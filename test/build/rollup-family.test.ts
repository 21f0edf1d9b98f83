import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { describe, expect, it } from 'vitest';
import { build as viteBuild } from 'vite';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import rolldownPlugin from '../../src/rolldown.ts';
import rollupPlugin from '../../src/rollup.ts';
import vitePlugin from '../../src/vite.ts';
import type { Options } from '../../src/options/options.ts';
import { shownBy } from '../support/shown-by.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const aliases = {
  home: embeddedIconId('tabler', 'home'),
  star: embeddedIconId('tabler', 'star'),
  bus: embeddedIconId('maki', 'bus'),
  lion: embeddedIconId('game-icons', 'lion'),
  moon: embeddedIconId('tabler', 'moon'),
};

const FILES = {
  'main.js': `
    import home from 'icon:home?color=ff0000&size=32';
    import again from 'icon:home?size=32&color=F00';
    import busUrl from 'icon:bus?url';
    import lion, { credit } from 'icon:lion?inline';
    import unused from 'icon:moon';
    import credits, { complete } from 'icon:credits';
    globalThis.shown = [home === again, home, busUrl, lion, credit.title, credits, complete];
    globalThis.later = () => import('./lazy.js');
  `,
  'lazy.js': `import star from 'icon:star'; export default star;`,
  'index.html': '<!doctype html><title>x</title><script type="module" src="./main.js"></script>',
};

type Bundler = (root: string, options: Options) => Promise<void>;

const BUNDLERS: Record<string, Bundler> = {
  async rollup(root, options) {
    const bundle = await rollup({ input: join(root, 'main.js'), plugins: [rollupPlugin(options)] });
    await bundle.write({ dir: join(root, 'dist'), entryFileNames: '[name]-[hash].js' });
    await bundle.close();
  },
  async rolldown(root, options) {
    const bundle = await rolldown({
      input: join(root, 'main.js'),
      cwd: root,
      plugins: [rolldownPlugin(options)],
    });
    await bundle.write({ dir: join(root, 'dist'), entryFileNames: '[name]-[hash].js' });
    await bundle.close();
  },
  async vite(root, options) {
    await viteBuild({
      root,
      configFile: false,
      logLevel: 'silent',
      build: { modulePreload: false },
      plugins: [vitePlugin(options)],
    });
  },
};

async function built(name: string, files: Record<string, string>): Promise<string> {
  const root = await writeProject(files);
  const catalog = { embedded: { root: process.cwd() } };
  await BUNDLERS[name]?.(root, {
    catalog,
    aliases,
    cacheDir: join(root, '.cache'),
    // Rollup's project is the folder in which it runs.
    lockfile: join(root, 'icons.lock'),
    logLevel: 'silent',
  });
  return root;
}

async function project(
  name: string,
  files: Record<string, string> = FILES,
): Promise<Map<string, string>> {
  return outputOf(await built(name, files));
}

async function outputOf(root: string): Promise<Map<string, string>> {
  return new Map(
    [...(await readTree(join(root, 'dist')))].map(([path, bytes]) => [path, bytes.toString()]),
  );
}

function manifestOf(output: Map<string, string>): Manifest {
  return parseManifest(output.get('icon-attribution.json') ?? '');
}

const code = (output: Map<string, string>): string =>
  [...output]
    .filter(([path]) => path.endsWith('.js'))
    .map(([, text]) => text)
    .join('\n');

describe.each(Object.keys(BUNDLERS))('%s', (name) => {
  it('ships each form and credits exactly what it ships', async () => {
    const output = await project(name);
    const manifest = manifestOf(output);
    expect(manifest.icons.map(({ title }) => title)).toEqual(['Bus', 'Home', 'Lion', 'Star']);
    expect(manifest.complete).toBe(true);
    const kinds = Object.fromEntries(
      manifest.icons.map(({ title, usedIn }) => [title, usedIn.map(({ kind }) => kind)]),
    );
    expect(kinds).toEqual({
      Bus: ['asset'],
      Home: ['inline-js'],
      Lion: ['inline-js'],
      Star: ['inline-js'],
    });
    for (const { usedIn } of manifest.icons)
      for (const { file } of usedIn) expect([...output.keys()]).toContain(file);
    expect(output.get('icon-attribution.html')).toContain('Lion');
    expect(output.get('icon-attribution.md')).toContain('Lion');
    const svg = [...output].find(([path]) => path.endsWith('.svg'));
    expect(svg?.[0]).toMatch(/bus-\d+-[\w-]{8}\.svg$/);
    expect(svg?.[1]).toContain('<!--!');
    expect(code(output)).toContain(svg?.[0].split('/').at(-1));
    expect(code(output)).not.toContain('M12 3');
  });

  it('gives the page the same credits as the manifest', async () => {
    const root = await built(name, FILES);
    const output = await outputOf(root);
    const entry =
      [...output].find(([path, text]) => path.endsWith('.js') && text.includes('shown'))?.[0] ?? '';
    const [same, home, , lion, title, credits, complete] = (await shownBy(
      join(root, 'dist', entry),
    )) as [boolean, string, string, string, string, { id: string }[], boolean];
    expect(credits.map(({ id }) => id)).toEqual(manifestOf(output).icons.map(({ id }) => id));
    expect(complete).toBe(true);
    expect([same, title]).toEqual([true, 'Lion']);
    expect(home).toMatch(/^<svg [^>]*width="32" height="32"[^>]*>.*<\/svg>$/);
    expect(lion).toMatch(/^data:image\/svg\+xml[,;]/);
  });

  it('changes the name of the chunk that holds the credits when an icon is added elsewhere', async () => {
    const first = await project(name);
    const second = await project(name, {
      ...FILES,
      'lazy.js': `${FILES['lazy.js']} export { default as moon } from 'icon:moon';`,
    });
    const entry = (output: Map<string, string>): string | undefined =>
      [...output].find(([, text]) => text.includes('later'))?.[0];
    expect(entry(first)).not.toBe(entry(second));
  });

  it('fails with code, importer and what to do', async () => {
    const failing = project(name, {
      ...FILES,
      'main.js': "import x from 'icon:hoome';\nconsole.log(x);",
    });
    await expect(failing).rejects.toThrow(/SPECIFIER_INVALID[\s\S]*main\.js[\s\S]*home/);
  });
});
