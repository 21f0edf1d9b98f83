import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, context, type BuildFailure, type BuildOptions, type Plugin } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEsbuildPlugin } from '../../../src/bundlers/esbuild/plugin.ts';
import { createFakeSession, type FakeSession } from '../../build/fake-session.ts';
import {
  creditedIn,
  expectAllShipped,
  expectAllShown,
  listed,
  makeProject,
  manifestIn,
  readOutput,
  TWENTY_ICONS,
} from './project.ts';

function optionsOf(root: string, session: FakeSession, more: BuildOptions = {}): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: ['src/main.js'],
    bundle: true,
    format: 'esm',
    outdir: 'dist',
    logLevel: 'silent',
    plugins: [createEsbuildPlugin(() => session)],
    ...more,
  };
}

async function failureOf(promise: Promise<unknown>): Promise<BuildFailure> {
  try {
    await promise;
  } catch (error) {
    return error as BuildFailure;
  }
  throw new Error('the build passed');
}

describe('twenty icons', () => {
  for (const [name, more] of Object.entries<BuildOptions>({
    plain: {},
    'split and minified': { splitting: true, minify: true, entryNames: '[name]-[hash]' },
    'for node': { platform: 'node', splitting: true, sourcemap: true },
  })) {
    it(`are shipped and credited, ${name}`, async () => {
      const root = await makeProject(TWENTY_ICONS);
      const session = createFakeSession();
      const result = await build(optionsOf(root, session, more));
      const consumer = more.platform === 'node' ? 'server' : 'client';
      await expectAllShipped(root, { bundler: 'esbuild', consumer });
      expect(result.warnings).toEqual([]);
      expect(result.metafile).toBeUndefined();
      expect(session.summaries).toEqual([['dist/icon-attribution.json']]);
    });
  }

  it('run: markup, addresses, data, lazy parts and credits are what they should be', async () => {
    const root = await makeProject(TWENTY_ICONS);
    await build(
      optionsOf(root, createFakeSession(), { splitting: true, assetNames: 'icons/[name].[hash]' }),
    );
    await expectAllShown(root, /^\.\/icons\/star-1\d\.[A-Z\d]{8}\.(?:svg|png)$/, './');
  });

  it('have addresses under `publicPath`', async () => {
    const root = await makeProject(TWENTY_ICONS);
    await build(optionsOf(root, createFakeSession(), { publicPath: 'https://cdn.test/x/' }));
    const { 'main.js': main = '' } = await readOutput(join(root, 'dist'));
    expect(
      main.match(/"https:\/\/cdn\.test\/x\/star-1[125]-[A-Z\d]{8}\.(?:svg|png)"/g),
    ).toHaveLength(4);
  });

  it('come out byte for byte the same twice', async () => {
    const outputs = await Promise.all(
      [1, 2].map(async () => {
        const root = await makeProject(TWENTY_ICONS);
        await build(optionsOf(root, createFakeSession(), { splitting: true, minify: true }));
        return readOutput(join(root, 'dist'));
      }),
    );
    expect(outputs[0]).toEqual(outputs[1]);
  });
});

describe('where attribution goes', () => {
  const files = { 'src/main.js': "import a from 'icon:1'; console.log(a);" };

  it('`write: false`: among the output files, nothing on disk', async () => {
    const root = await makeProject(files);
    const { outputFiles = [] } = await build(
      optionsOf(root, createFakeSession(), { write: false }),
    );
    const [, attribution] = outputFiles;
    expect(attribution?.path).toBe(join(root, 'dist/icon-attribution.json'));
    expect(new TextDecoder().decode(attribution?.contents)).toBe(attribution?.text);
    expect(listed(JSON.parse(attribution?.text ?? '') as never)).toEqual([1]);
    expect(Object.keys(await readOutput(root))).toEqual(['src/main.js']);
  });

  it('`outfile`: beside it', async () => {
    const root = await makeProject(files);
    await build(
      optionsOf(root, createFakeSession(), { outdir: undefined, outfile: 'out/js/app.js' }),
    );
    const output = await readOutput(join(root, 'out/js'));
    expect(manifestIn(output).icons).toMatchObject([{ file: 'app.js', kind: 'inline-js' }]);
  });

  it('a metafile that somebody asked for stays', async () => {
    const root = await makeProject(files);
    const asks: Plugin = {
      name: 'asks-later',
      setup(building) {
        building.initialOptions.metafile = true;
        building.onEnd(({ metafile }) => void asked.push(Object.keys(metafile?.outputs ?? {})));
      },
    };
    const asked: string[][] = [];
    const plugin = createEsbuildPlugin(() => createFakeSession());
    const { metafile } = await build(
      optionsOf(root, createFakeSession(), { plugins: [plugin, asks] }),
    );
    expect(asked).toEqual([['dist/main.js']]);
    expect(Object.keys(metafile?.inputs ?? {})).toContain(
      'icon:1?as=svg&color=currentColor&filetype=svg&size=1em',
    );
    const own = await build(optionsOf(root, createFakeSession(), { metafile: true }));
    expect(own.metafile).toBeDefined();
  });

  it('without `bundle: true` it says that icons stay unresolved', async () => {
    const root = await makeProject(files);
    const { warnings } = await build(optionsOf(root, createFakeSession(), { bundle: false }));
    expect(warnings).toMatchObject([{ text: expect.stringContaining('bundle: true') as string }]);
    expect(Object.keys(await readOutput(join(root, 'dist')))).toEqual(['main.js']);
  });
});

describe('icon:credits', () => {
  it('gives a file a new name when only the icons of another file change', async () => {
    const project = {
      'src/main.js': "import credits from 'icon:credits'; console.log(credits);",
      'src/other.js': "import a from 'icon:1'; console.log(a);",
    };
    const root = await makeProject(project);
    const named: BuildOptions = {
      entryPoints: ['src/main.js', 'src/other.js'],
      entryNames: '[name]-[hash]',
      outdir: 'dist',
    };
    await build(optionsOf(root, createFakeSession(), named));
    await writeFile(join(root, 'src/other.js'), "import a from 'icon:2'; console.log(a);");
    await build(optionsOf(root, createFakeSession(), named));
    const mains = Object.keys(await readOutput(join(root, 'dist'))).filter((name) =>
      name.startsWith('main-'),
    );
    expect(mains).toHaveLength(2);
  });

  it('lets other plugins see one build only', async () => {
    const ended: string[] = [];
    const root = await makeProject({
      'src/main.js':
        "import credits from 'icon:credits'; import x from 'virtual:x'; console.log(credits, x);",
    });
    const other: Plugin = {
      name: 'other',
      setup(building) {
        building.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
        building.onLoad({ filter: /./, namespace: 'virtual' }, () => ({
          contents: "export { default } from 'icon:7'",
          resolveDir: root,
        }));
        building.onEnd(() => void ended.push('end'));
      },
    };
    const session = createFakeSession();
    await build(optionsOf(root, session, { plugins: [other, createEsbuildPlugin(() => session)] }));
    const output = await readOutput(join(root, 'dist'));
    expect(creditedIn(output)).toEqual([7]);
    expect(ended).toEqual(['end']);
    expect(session.calls.filter((call) => call === 'begin')).toHaveLength(1);
  });
});

describe('errors', () => {
  it('fail the build with code, importer and what to do, each once', async () => {
    const root = await makeProject({
      'src/main.js':
        "import a from 'icon:404'; import credits from 'icon:credits'; import './b.js'; console.log(a, credits);",
      'src/b.js': "import b from 'icon:1?colour=red'; console.log(b);",
    });
    const session = createFakeSession();
    const { errors } = await failureOf(build(optionsOf(root, session)));
    expect(errors).toHaveLength(2);
    const wrong = errors.find(({ text }) => text.includes('SPECIFIER_INVALID'));
    expect(wrong?.text).toContain('colour');
    expect(wrong?.text).toContain(join(root, 'src/b.js'));
    expect(wrong?.location).toMatchObject({ file: 'src/b.js', line: 1 });
    const missing = errors.find(({ text }) => text.includes('CATALOG_NOT_FOUND'));
    expect(missing?.text).toContain(join(root, 'src/main.js'));
    expect(missing?.detail).toMatchObject({ code: 'CATALOG_NOT_FOUND' });
    expect(session.summaries).toEqual([]);
    expect(session.calls.filter((call) => call === 'end')).toHaveLength(1);
  });
});

describe('a context', () => {
  it('replaces what the build before it said, and recovers from errors', async () => {
    const root = await makeProject({
      'src/main.js': "import a from 'icon:1'; import b from 'icon:2'; console.log(a, b);",
    });
    const session = createFakeSession();
    const building = await context(optionsOf(root, session));
    onTestFinished(() => building.dispose());
    const main = join(root, 'src/main.js');
    const manifest = async (): Promise<number[]> =>
      listed(manifestIn(await readOutput(join(root, 'dist'))));

    await building.rebuild();
    expect(await manifest()).toEqual([1, 2]);

    await writeFile(
      main,
      "import b from 'icon:2'; import c from 'icon:3'; import credits from 'icon:credits'; console.log(b, c, credits);",
    );
    await building.rebuild();
    expect(await manifest()).toEqual([2, 3]);
    expect(creditedIn(await readOutput(join(root, 'dist')))).toEqual([2, 3]);

    await writeFile(main, "import b from 'icon:404'; console.log(b);");
    await failureOf(building.rebuild());
    await writeFile(main, "import d from 'icon:4'; console.log(d);");
    await building.rebuild();
    expect(await manifest()).toEqual([4]);

    expect(session.calls.filter((call) => call === 'begin')).toHaveLength(4);
    expect(session.calls.filter((call) => call === 'end')).toHaveLength(4);
    expect(session.calls).not.toContain('close');
  });

  it('has a session of its own, closed with it', async () => {
    const root = await makeProject({ 'src/main.js': "import a from 'icon:1'; console.log(a);" });
    const sessions: FakeSession[] = [];
    const plugin = createEsbuildPlugin(() => {
      const session = createFakeSession();
      sessions.push(session);
      return session;
    });
    const common = { ...optionsOf(root, createFakeSession()), plugins: [plugin] };
    await Promise.all([build({ ...common, outdir: 'one' }), build({ ...common, outdir: 'two' })]);
    expect(sessions).toHaveLength(2);
    for (const { calls } of sessions) {
      await expect.poll(() => calls.at(-1)).toBe('close');
      expect(calls.filter((call) => call !== 'load')).toEqual([
        'configure',
        'begin',
        'end',
        'close',
      ]);
    }
    expect(await readFile(join(root, 'one/icon-attribution.json'), 'utf8')).toBe(
      await readFile(join(root, 'two/icon-attribution.json'), 'utf8'),
    );
  });
});

describe('types of imports', () => {
  it('are written by a build that may be followed by others, and not by a single one', async () => {
    const root = await makeProject({ 'src/main.js': "import a from 'icon:1'; console.log(a);" });
    const session = createFakeSession();
    const declare = vi.spyOn(session, 'declare');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await build(optionsOf(root, session));
    vi.advanceTimersByTime(1000);
    expect(declare).not.toHaveBeenCalled();

    const watching = await context(optionsOf(root, session));
    await watching.rebuild();
    vi.advanceTimersByTime(1000);
    // Writing begins in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(declare).toHaveBeenCalledExactlyOnceWith(['icon:1']);
    await watching.dispose();
  });
});
