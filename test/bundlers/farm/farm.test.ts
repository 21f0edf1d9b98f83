import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, createCompiler, resolveConfig, type JsPlugin } from '@farmfe/core';
import { describe, expect, it } from 'vitest';
import { createFarmPlugin } from '../../../src/bundlers/farm/plugin.ts';
import { createFakeSession, type FakeSession } from '../../build/fake-session.ts';
import {
  creditedIn,
  drawn,
  expectAllShipped,
  expectAllShown,
  listed,
  makeProject,
  manifestIn,
  readOutput,
  TWENTY_ICONS,
  wrongPlaces,
} from '../esbuild/project.ts';
import { TestLogger } from './test-logger.ts';

type BuildConfig = NonNullable<Parameters<typeof build>[0]>;
type Compilation = NonNullable<BuildConfig['compilation']>;

function configOf(root: string, { output, ...more }: Compilation = {}): BuildConfig {
  return {
    root,
    compilation: {
      progress: false,
      input: { main: './src/main.js' },
      output: { path: 'dist', targetEnv: 'node', entryFilename: '[entryName].js', ...output },
      presetEnv: false,
      persistentCache: false,
      ...more,
    },
  };
}

async function farm(
  root: string,
  session: FakeSession,
  compilation?: Compilation,
  plugin: JsPlugin = createFarmPlugin(session),
): Promise<void> {
  await build({ ...configOf(root, compilation), logger: new TestLogger(), plugins: [plugin] });
}

describe('twenty icons', () => {
  for (const [name, more] of Object.entries<Compilation>({
    'for node': {},
    'for browsers, not minified': {
      output: { targetEnv: 'browser', publicPath: '/x/' },
      minify: false,
    },
  })) {
    it(`are shipped and credited, ${name}`, async () => {
      const root = await makeProject(TWENTY_ICONS);
      const session = createFakeSession();
      await farm(root, session, more);
      const consumer = name === 'for node' ? 'server' : 'client';
      await expectAllShipped(root, { bundler: 'farm', consumer });
      expect(session.summaries).toEqual([['dist/icon-attribution.json']]);
      expect(session.calls.filter((call) => call !== 'load')).toEqual([
        // The root, then the environment, whose files lie there.
        'configure',
        'configure',
        'begin',
        'end',
        'close',
      ]);
    });
  }

  it('run: markup, addresses, data, lazy parts and credits are what they should be', async () => {
    const root = await makeProject(TWENTY_ICONS);
    await farm(root, createFakeSession(), {
      output: {
        publicPath: 'https://cdn.test/x/',
        assetsFilename: 'icons/[resourceName].[contentHash].[ext]',
      },
    });
    await expectAllShown(
      root,
      /^https:\/\/cdn\.test\/x\/icons\/star-1\d\.[a-f\d]{8}\.(?:svg|png)$/,
      'https://cdn.test/x/',
    );
  });

  it('come out byte for byte the same twice', async () => {
    const root = await makeProject(TWENTY_ICONS);
    await farm(root, createFakeSession(), { sourcemap: true });
    const first = await readOutput(join(root, 'dist'));
    await farm(root, createFakeSession(), { sourcemap: true });
    expect(await readOutput(join(root, 'dist'))).toEqual(first);
  });
});

describe("Farm's persistent cache", () => {
  const cached: Compilation = {
    persistentCache: true,
    output: {
      entryFilename: '[entryName].[contentHash].js',
      filename: '[resourceName].[contentHash].js',
    },
  };
  const project = {
    'package.json': '{ "name": "cached", "private": true, "type": "module" }',
    'src/main.js':
      "import a from 'icon:1'; import u from 'icon:2?url'; import credits from 'icon:credits'; console.log(a, u, credits); import('./lazy.js').then((lazy) => console.log(lazy));",
    'src/lazy.js': "import a from 'icon:3'; export default a;",
  };

  it('changes nothing: files and credits of a warm build are those of a cold one', async () => {
    const root = await makeProject(project);
    await farm(root, createFakeSession(), cached);
    const cold = await readOutput(join(root, 'dist'));
    expect(creditedIn(cold)).toEqual([1, 2, 3]);
    await farm(root, createFakeSession(), cached);
    expect(await readOutput(join(root, 'dist'))).toEqual(cold);
  });

  it('keeps no credits of an earlier build, and no name of earlier content', async () => {
    const root = await makeProject(project);
    await farm(root, createFakeSession(), cached);
    const before = Object.keys(await readOutput(join(root, 'dist')));
    await writeFile(join(root, 'src/lazy.js'), "import a from 'icon:4'; export default a;");
    await farm(root, createFakeSession(), cached);
    const output = await readOutput(join(root, 'dist'));
    expect(creditedIn(output)).toEqual([1, 2, 4]);
    expect(listed(manifestIn(output))).toEqual([1, 2, 4]);
    expect(wrongPlaces(manifestIn(output), output)).toEqual([]);
    const main = Object.keys(output).find((name) => /^main\..*\.js$/.test(name));
    expect(before).not.toContain(main);
  });

  it('keeps no artwork of other options', async () => {
    const root = await makeProject(project);
    await farm(root, createFakeSession(), cached);
    await farm(root, createFakeSession({ revision: 2 }), cached);
    const text = Object.values(await readOutput(join(root, 'dist'))).join('\n');
    expect(text).toContain('r2');
    expect(text).not.toContain('END r1');
  });
});

describe('several builds with one plugin', () => {
  it('replace what the one before said', async () => {
    const root = await makeProject({
      'src/main.js': "import a from 'icon:1?url'; import b from 'icon:2'; console.log(a, b);",
    });
    const session = createFakeSession();
    const plugin = createFarmPlugin(session);
    await farm(root, session, {}, plugin);
    await writeFile(
      join(root, 'src/main.js'),
      "import b from 'icon:2'; import c from 'icon:3'; console.log(b, c);",
    );
    await rm(join(root, 'dist'), { recursive: true });
    await farm(root, session, {}, plugin);
    const output = await readOutput(join(root, 'dist'));
    expect(listed(manifestIn(output))).toEqual([2, 3]);
    expect(drawn(output)).toEqual([2, 3]);
  });
});

describe('errors', () => {
  it('of the credits fail the build too', async () => {
    const root = await makeProject({ 'src/main.js': "import a from 'icon:1'; console.log(a);" });
    const session: FakeSession = {
      ...createFakeSession(),
      attributionFiles: () => Promise.reject(new Error('no credit can be given')),
    };
    await expect(farm(root, session)).rejects.toThrow('no credit can be given');
  });

  it.for([
    ["import a from 'icon:404'; console.log(a);", 'CATALOG_NOT_FOUND', 'There is no icon 404'],
    ["import a from 'icon:1?colour=red'; console.log(a);", 'SPECIFIER_INVALID', 'colour'],
  ])(
    'fail the build with code, importer and what to do: %s',
    async ([code = '', expected = '', words = '']) => {
      const root = await makeProject({ 'src/main.js': code });
      const session = createFakeSession();
      const failure = await farm(root, session).then(
        () => 'the build passed',
        (error: unknown) => String(error),
      );
      expect(failure.split(`[${expected}]`)).toHaveLength(2);
      expect(failure).toContain(words);
      expect(failure).toContain('src/main.js');
      expect(session.summaries).toEqual([]);
    },
  );
});

describe('watching', () => {
  it('replaces what the build before it said, and keeps its session', async () => {
    const root = await makeProject({
      'package.json': '{ "name": "watched", "private": true, "type": "module" }',
      'src/main.js': "import a from 'icon:1'; import b from 'icon:2'; console.log(a, b);",
    });
    const session = createFakeSession();
    const logger = new TestLogger();
    const config = await resolveConfig(
      {
        ...configOf(root, { watch: true }),
        logger,
        plugins: [createFarmPlugin(session)],
      },
      'production',
      logger,
      false,
    );
    const compiler = await createCompiler(config, logger);
    await compiler.compile();
    compiler.writeResourcesToDisk();
    const manifest = async (): Promise<number[]> =>
      listed(manifestIn(await readOutput(join(root, 'dist'))));
    await expect.poll(manifest).toEqual([1, 2]);

    await writeFile(
      join(root, 'src/main.js'),
      "import b from 'icon:2'; import c from 'icon:3'; console.log(b, c);",
    );
    await compiler.update([join(root, 'src/main.js')], true);
    compiler.writeResourcesToDisk();
    await expect.poll(manifest).toContain(3);
    expect(await manifest()).toEqual([2, 3]);
    expect(session.calls).not.toContain('close');

    // What `/__lazy_compile?paths=icon:9` of a web page comes to: it neither loads an icon nor aborts the process.
    await expect(compiler.update(['icon:9'], true)).rejects.toThrow('Can not resolve');
    expect(await manifest()).toEqual([2, 3]);
  });
});
