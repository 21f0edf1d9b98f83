import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type JsPlugin } from '@farmfe/core';
import { expect, it } from 'vitest';
import iconCatalog from '../../../src/farm.ts';
import type { Options } from '../../../src/options/options.ts';
import { readTree } from '../../support/write-project.ts';
import { parseManifest } from '../../support/parse-manifest.ts';
import { makeProject, readOutput } from '../esbuild/project.ts';
import { expectRealShipped, REAL_PROJECT, realOptions } from '../esbuild/real-icons.ts';
import { TestLogger } from './test-logger.ts';

it('Farm ships and credits real icons, the same from warm caches', async () => {
  const root = await makeProject(REAL_PROJECT);
  const run = async (options?: Options): Promise<Record<string, string>> => {
    await build({
      root,
      logger: new TestLogger(),
      compilation: {
        progress: false,
        input: { main: './src/main.js' },
        output: { path: 'dist', targetEnv: 'node', entryFilename: '[entryName].js' },
        presetEnv: false,
      },
      plugins: [iconCatalog(options)],
    });
    return readOutput(join(root, 'dist'));
  };
  const output = await run(realOptions(root));
  await expectRealShipped(root, output);
  // Without options those of the project's own file hold.
  const text = `export default ${JSON.stringify(realOptions(root))}`;
  await writeFile(join(root, 'icon-catalog.config.js'), text);
  expect(await run()).toEqual(output);
});

/** Builds one entry of a project for Node.js, from the installed sets. */
function buildEntry(
  root: string,
  {
    entry,
    outDir,
    options,
    plugins = [],
  }: {
    entry: string;
    outDir: string;
    options?: Options;
    plugins?: JsPlugin[];
  },
): Promise<void> {
  return build({
    root,
    logger: new TestLogger(),
    compilation: {
      progress: false,
      input: { [entry]: `./${entry}.js` },
      output: { path: outDir, format: 'esm', targetEnv: 'node', entryFilename: '[entryName].js' },
      presetEnv: false,
      persistentCache: false,
    },
    plugins: [
      iconCatalog({
        catalog: { embedded: { root: process.cwd() } },
        cacheDir: join(root, '.cache'),
        lockfile: join(root, 'icons.lock'),
        logLevel: 'silent',
        ...options,
      }),
      ...plugins,
    ],
  });
}

it('Farm takes over the list of a library that brings one, also without an own icon', async () => {
  const root = await makeProject({
    'lib.js': "import icon from 'icon:tabler/home'; export default icon;",
    'main.js':
      "import home from './node_modules/lib/lib.js'; import credits from 'icon:credits'; globalThis.shown = [home, credits];",
  });
  // The project knows nothing of the library's icons but what the library says.
  const options = { lockfile: join(root, 'lib.lock') };
  await buildEntry(root, { entry: 'lib', outDir: 'node_modules/lib', options });
  // Farm has emptied the folder.
  const about = '{"name":"lib","version":"1.2.3","type":"module"}';
  await writeFile(join(root, 'node_modules/lib/package.json'), about);
  await buildEntry(root, { entry: 'main', outDir: 'dist' });
  const list = parseManifest(await readFile(join(root, 'dist/icon-attribution.json'), 'utf8'));
  expect(list.icons.map(({ title }) => title)).toEqual(['Home']);
  expect(list.builds).toContainEqual(
    expect.objectContaining({ precision: 'found', from: 'lib@1.2.3' }),
  );
  const scripts = [...(await readTree(join(root, 'dist')))].filter(([name]) => name.endsWith('js'));
  const credits = scripts.map(([, code]) => decodeURIComponent(String(code))).join('\n');
  expect(credits).toContain(JSON.stringify(list.icons[0]?.credit.line));
});

it('a list of two folders keeps both builds of Farm, which empties one of them, and names no file before it is there', async () => {
  const shown = (name: string): string =>
    `import icon from 'icon:tabler/${name}'; globalThis.shown = icon;`;
  const root = await makeProject({ 'client.js': shown('home'), 'server.js': shown('star') });
  const site = join(root, 'dist/client');
  const listed = async (): Promise<string[]> => {
    const { icons } = parseManifest(await readFile(join(site, 'icon-attribution.json'), 'utf8'));
    return icons.flatMap(({ usedIn }) => usedIn.map(({ file }) => file)).toSorted();
  };
  const there: string[][] = [];
  const run = (name: string): Promise<void> =>
    buildEntry(root, {
      entry: name,
      outDir: `dist/${name}`,
      options: { attribution: { site } },
      plugins: [
        {
          name: 'another build',
          finalizeResources: {
            async executor() {
              there.push(Object.keys(await readOutput(join(root, 'dist'))));
              return null;
            },
          },
        },
      ],
    });
  await run('server');
  expect(there.at(-1)).toContain('server/server.js');
  await run('client');
  expect(await listed()).toEqual(['client.js', 'server.js']);
  await run('client');
  expect(await listed()).toEqual(['client.js', 'server.js']);
});

it('wrong options are an error where they are written', () => {
  expect(() => iconCatalog({ alias: {} } as object)).toThrow(/OPTIONS_INVALID[^]*aliases/);
});
