import { join } from 'node:path';
import { rollup } from 'rollup';
import { describe, expect, it } from 'vitest';
import { build, createBuilder, type InlineConfig } from 'vite';
import webpack from 'webpack';
import { embeddedIconId } from '../../src/server.ts';
import type { Options } from '../../src/options/options.ts';
import rollupPlugin from '../../src/rollup.ts';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import webpackPlugin from '../../src/webpack.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const FILES = {
  'client.js': `import home from 'icon:home'; globalThis.shown = home;`,
  'server.js': `import bus from 'icon:bus'; export default bus;`,
};

async function project(files: Record<string, string> = FILES) {
  const root = await writeProject(files);
  const options: Options = {
    catalog: { embedded: { sets: ['tabler', 'maki'], root: process.cwd() } },
    aliases: { home: embeddedIconId('tabler', 'home'), bus: embeddedIconId('maki', 'bus') },
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'icons.lock'),
    logLevel: 'silent',
  };
  const vite: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [vitePlugin(options)],
  };
  return { root, options, vite };
}

async function manifestIn(folder: string): Promise<Manifest> {
  const file = (await readTree(folder)).get('icon-attribution.json');
  return parseManifest(file?.toString() ?? '');
}

const titlesOf = ({ icons }: Manifest): (string | null)[] => icons.map(({ title }) => title);
describe('one credits page', () => {
  it('is not complete until every environment of a builder has reported', async () => {
    const { root, vite } = await project();
    const environment = (input: string, outDir: string) => ({
      build: { outDir, rollupOptions: { input: join(root, input) } },
    });
    const builder = await createBuilder({
      ...vite,
      builder: {},
      environments: {
        client: environment('client.js', 'dist/client'),
        ssr: environment('server.js', 'dist/server'),
      },
    });
    const [first, second] = Object.values(builder.environments);
    if (first !== undefined) await builder.build(first);
    expect((await manifestIn(join(root, 'dist/client'))).complete).toBe(false);
    if (second !== undefined) await builder.build(second);
    // Environments are one site: its list is where browsers get their files.
    const { complete, icons, builds } = await manifestIn(join(root, 'dist/client'));
    expect([complete, icons.length]).toEqual([true, 2]);
    expect(builds.map(({ id, folder }) => [id, folder])).toEqual([
      ['client', undefined],
      ['ssr', '../server'],
    ]);
    expect([...(await readTree(join(root, 'dist/server'))).keys()]).toEqual(['server.js']);
  });

  it('is never overwritten by another compiler of the same output folder', async () => {
    const { root, options } = await project({
      ...FILES,
      'server.js': `import bus from 'icon:bus'; globalThis.shown = bus;`,
    });
    const plugin = () => webpackPlugin(options);
    const configuration = (name: string): webpack.Configuration => ({
      context: root,
      mode: 'production',
      entry: { [name]: `./${name}.js` },
      output: { path: join(root, 'dist'), filename: '[name].js' },
      plugins: [plugin()],
    });
    const compiler = webpack([configuration('client'), configuration('server')]);
    const stats = await new Promise<webpack.MultiStats | undefined>((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    expect(stats?.hasErrors()).toBe(false);
    const { complete, icons } = await manifestIn(join(root, 'dist'));
    expect([complete, icons.map(({ usedIn }) => usedIn[0]?.file)]).toEqual([
      true,
      ['server.js', 'client.js'],
    ]);
  });

  it('reports every configuration of Rollup that writes to the folder', async () => {
    const { root, options } = await project();
    for (const name of ['client', 'server', 'client']) {
      const bundle = await rollup({
        input: join(root, `${name}.js`),
        plugins: [rollupPlugin(options)],
      });
      await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
    }
    expect(titlesOf(await manifestIn(join(root, 'dist')))).toEqual(['Bus', 'Home']);
  });
});

describe('credits', () => {
  it('are the same bytes whatever the order of imports', async () => {
    const lines = [
      `import home from 'icon:home';`,
      `import bus from 'icon:bus?color=f00';`,
      `import again from 'icon:bus';`,
    ];
    const { root, options } = await project();
    const pages: Map<string, Buffer>[] = [];
    for (const imports of [lines, lines.toReversed()]) {
      await writeFiles(root, {
        'main.js': `${imports.join('\n')} globalThis.shown = { again, bus, home };`,
      });
      const bundle = await rollup({
        input: join(root, 'main.js'),
        plugins: [rollupPlugin(options)],
      });
      await bundle.write({ dir: join(root, 'dist') });
      await bundle.close();
      const files = await readTree(join(root, 'dist'));
      files.delete('main.js');
      pages.push(files);
    }
    expect([...(pages[0]?.keys() ?? [])]).toHaveLength(3);
    expect(pages[1]).toEqual(pages[0]);
  });
});

describe('artwork that no module ships', () => {
  const PAGE = '<script type="module" src="/main.js"></script>';

  it('is credited where another plugin has moved it', async () => {
    const { root, vite } = await project({
      'index.html': PAGE,
      'main.js': `import home from 'icon:home'; import unused from 'icon:bus'; document.title = home.length;`,
    });
    let bus = '';
    const steal = {
      name: 'steal',
      transform: (code: string, id: string) => {
        if (id.startsWith(`icon:${embeddedIconId('maki', 'bus')}`)) bus = code;
        return null;
      },
      generateBundle(this: { emitFile(file: object): void }) {
        const svg = JSON.parse(/"(?:[^"\\]|\\.)*"/.exec(bus)?.[0] ?? '""') as string;
        this.emitFile({ type: 'asset', fileName: 'printed.html', source: `<p>${svg}</p>` });
      },
    };
    await build({ ...vite, plugins: [...(vite.plugins ?? []), steal] });
    const { icons, builds } = await manifestIn(join(root, 'dist'));
    const places = icons.flatMap(({ title, usedIn }) =>
      usedIn.map(({ file, kind }) => [title, kind, file.replace(/-[\w-]{8}\.js/, '.js')]),
    );
    expect(places).toContainEqual(['Bus', 'inline-html', 'printed.html']);
    expect(builds[0]?.precision).toBe('emitted');
  });

  it('is not, where it is in no file', async () => {
    const { root, vite } = await project({
      'index.html': PAGE,
      'main.js': `import home from 'icon:home'; import unused from 'icon:bus'; document.title = home;`,
    });
    await build(vite);
    expect(titlesOf(await manifestIn(join(root, 'dist')))).toEqual(['Home']);
  });
});
