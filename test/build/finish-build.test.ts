import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { build as farm } from '@farmfe/core';
import { rollup, type Plugin } from 'rollup';
import { describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { finishBuild } from '../../src/build/finish-build.ts';
import { createPlacedIcons } from '../../src/build/images.ts';
import { createEsbuildPlugin } from '../../src/bundlers/esbuild/plugin.ts';
import { createFarmPlugin } from '../../src/bundlers/farm/plugin.ts';
import { createRollupHooks } from '../../src/bundlers/rollup/plugin.ts';
import { createWebpackPlugin } from '../../src/bundlers/webpack/plugin.ts';
import type { BuildOutcome } from '../bundlers/bun/run-build.ts';
import {
  listed,
  makeProject,
  manifestIn,
  readOutput,
  wrongPlaces,
} from '../bundlers/esbuild/project.ts';
import { TestLogger } from '../bundlers/farm/test-logger.ts';
import { rewriteSite } from '../../src/integrations/html.ts';
import { createFakeSession, type FakeSession, type FakeSessionOptions } from './fake-session.ts';
import { BUN } from '../support/bun.ts';

const RUN_BUN = fileURLToPath(new URL('../bundlers/bun/run-build.ts', import.meta.url));
const STYLE_LOADER = fileURLToPath(
  new URL('../../src/bundlers/webpack/style-loader.cjs', import.meta.url),
);

/** Another plugin, or the bundler itself, puts this file into the output without showing it to us. */
const LEFTOVER = { name: 'left.css', text: '.a { mask: url(icon:1) }' };

interface Built {
  /** What the end of the build asked the session for. */
  events: readonly string[];
  /** What the bundler failed with; empty if it did not. */
  error: string;
}

interface Case extends FakeSessionOptions {
  root: string;
  hasLeftover?: boolean;
}

type Build = (of: Case) => Promise<Built>;

/** A build with one fake session. */
function inProcess(run: (session: FakeSession, of: Case) => Promise<unknown>): Build {
  return async (of) => {
    const session = createFakeSession(of);
    const error = await run(session, of).then(
      () => '',
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    );
    return { events: session.events, error };
  };
}

const ADAPTERS: Record<string, Build> = {
  esbuild: inProcess((session, { root, hasLeftover = false }) =>
    esbuild({
      absWorkingDir: root,
      entryPoints: ['src/main.js', ...(hasLeftover ? ['src/left.css'] : [])],
      bundle: true,
      format: 'esm',
      outdir: 'dist',
      logLevel: 'silent',
      loader: { '.css': 'copy' },
      plugins: [createEsbuildPlugin(() => session)],
    }),
  ),
  async bun({ root, hasLeftover = false, ...fake }) {
    const config = {
      entrypoints: [hasLeftover ? './src/with-left.js' : './src/main.js'],
      outdir: 'dist',
      loader: { '.txt': 'file' },
      ...(hasLeftover && { naming: { asset: '[name].css' } }),
    };
    const args = [RUN_BUN, JSON.stringify([config]), JSON.stringify(fake)];
    const { stdout } = await promisify(execFile)(BUN, args, { cwd: root, timeout: 110_000 });
    const [outcome] = JSON.parse(stdout) as [BuildOutcome];
    return { events: outcome.events, error: outcome.errors.join('\n') };
  },
  farm: inProcess((session, { root, hasLeftover = false }) =>
    farm({
      root,
      logger: new TestLogger(),
      compilation: {
        progress: false,
        input: { main: './src/main.js' },
        output: { path: 'dist', targetEnv: 'node', entryFilename: '[entryName].js' },
        presetEnv: false,
        persistentCache: false,
      },
      plugins: [
        createFarmPlugin(session),
        {
          name: 'leftover',
          transform: {
            filters: { resolvedPaths: ['main\\.js$'] },
            async executor({ resolvedPath }, context) {
              const { name, text } = LEFTOVER;
              const content = [...Buffer.from(text)];
              if (hasLeftover)
                context?.emitFile({ resolvedPath, name, content, resourceType: 'asset' });
              return null;
            },
          },
        },
      ],
    }),
  ),
  webpack: inProcess(async (session, { root, hasLeftover = false }) => {
    const compiler = webpack({
      mode: 'production',
      context: root,
      entry: './src/main.js',
      output: { path: join(root, 'dist') },
      plugins: [
        createWebpackPlugin({
          createSession: () => session,
          // Only Rspack reads icons by it.
          loader: '',
          styleLoader: STYLE_LOADER,
        }),
        {
          apply: ({ hooks, webpack: { sources } }) =>
            hooks.thisCompilation.tap('leftover', (compilation) =>
              compilation.hooks.processAssets.tap('leftover', () => {
                if (hasLeftover)
                  compilation.emitAsset(LEFTOVER.name, new sources.RawSource(LEFTOVER.text));
              }),
            ),
        },
      ],
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors = [] } = stats?.toJson({ all: false, errors: true }) ?? {};
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  }),
  rollup: inProcess(async (session, { root, hasLeftover = false }) => {
    const { hooks } = createRollupHooks(
      {
        ...session,
        // The real session writes them when it settles.
        async attributionFiles(...of) {
          const files = await session.attributionFiles(...of);
          for (const { fileName, source } of files) emitted.set(fileName, source.toString());
          return files;
        },
      },
      {
        key: () => session,
        build: () => ({ id: 'rollup', bundler: 'rollup', consumer: 'client' }),
        fileUrl: (reference) => `import.meta.ROLLUP_FILE_URL_${reference}`,
        hasMaps: () => true,
        dev: () => undefined,
        isNested: () => false,
      },
      createPlacedIcons(),
    );
    const emitted = new Map<string, string>();
    const leftover: Plugin = {
      name: 'leftover',
      generateBundle() {
        const { name: fileName, text: source } = LEFTOVER;
        if (hasLeftover) this.emitFile({ type: 'asset', fileName, source });
      },
    };
    const bundle = await rollup({
      input: join(root, 'src/main.js'),
      plugins: [{ name: 'icons', ...hooks }, leftover],
    });
    try {
      await bundle.write({ dir: join(root, 'dist') });
    } finally {
      await bundle.close();
    }
    for (const [name, text] of emitted) await writeFile(join(root, 'dist', name), text);
  }),
};

const project = (): Promise<string> =>
  makeProject({
    'package.json': '{ "name": "end", "private": true, "type": "module" }',
    'src/main.js': `import one from 'icon:1'; import two from 'icon:2?as=sprite'; console.log(one, two);`,
    'src/with-left.js': `import left from './left.txt'; import './main.js'; console.log(left);`,
    'src/left.css': LEFTOVER.text,
    'src/left.txt': LEFTOVER.text,
  });

describe.each(Object.entries(ADAPTERS))('the end of a build with %s', (name, build) => {
  it('writes the attribution files once, with symbols in the sprite file, and ends once', async () => {
    const root = await project();
    const { events, error } = await build({ root });
    expect(error).toBe('');
    const output = await readOutput(join(root, 'dist'));
    const list = Object.keys(output).find((file) => file.endsWith('icon-attribution.json')) ?? '';
    expect(events).toEqual(['credit', 'settle', expect.stringMatching(`^end .*${list}$`)]);
    const manifest = manifestIn(output);
    expect(listed(manifest)).toEqual([1, 2]);
    expect(wrongPlaces(manifest, output)).toEqual([]);
    expect(manifest.icons.map(({ kind }) => kind).toSorted()).toContain('sprite-symbol');
  });

  it('leaves no file of a build that lacks an icon, reports it once, and keeps what was fetched', async () => {
    const root = await project();
    const { events, error } = await build({ root, missing: 'Four icons are not in the lock.' });
    expect(error.split('Four icons are not in the lock.')).toHaveLength(2);
    expect(events).toEqual(['end quietly']);
    const folder = join(root, 'dist');
    expect(existsSync(folder) ? await readOutput(folder) : {}).toEqual({});
  });

  it('fails if a finished style sheet still refers to an icon', async () => {
    const root = await project();
    const { events, error } = await build({ root, hasLeftover: true });
    expect(error).toMatch(/`icon:1` is still in the finished style sheet [^ ]*left[^ ]*\.css/);
    // Rollup's family closes the session after an error of its last hooks, which keeps what was fetched.
    expect(events).toEqual(name === 'rollup' ? [] : ['end quietly']);
  });
});

describe('the end of a run over finished pages', () => {
  const PAGE =
    '<!doctype html><title>x</title><img src="icon:1" alt=""><img src="icon:2?url" alt="">';

  async function run(
    fake: FakeSessionOptions,
  ): Promise<{ root: string; events: readonly string[]; error: string }> {
    const root = await makeProject({ 'dist/index.html': PAGE });
    const site = join(root, 'dist');
    const { events, error } = await inProcess((session) =>
      rewriteSite([join(site, 'index.html')], {
        session: {
          ...session,
          // The real session writes them when it settles.
          async attributionFiles(...of) {
            const files = await session.attributionFiles(...of);
            for (const { fileName, source } of files) await writeFile(join(site, fileName), source);
            return files;
          },
        },
        site,
        assets: 'icons',
        base: undefined,
        dry: false,
        isPart: true,
      }),
    )({ root, ...fake });
    return { root, events, error };
  }

  it('credits the icons in them, settles and ends once', async () => {
    const { root, events, error } = await run({});
    expect(error).toBe('');
    expect(events).toEqual(['credit', 'settle', 'end ']);
    const output = await readOutput(join(root, 'dist'));
    expect(listed(manifestIn(output))).toEqual([1, 2]);
    expect(wrongPlaces(manifestIn(output), output)).toEqual([]);
    expect(Object.keys(output).some((file) => /^icons\/star-2-[\da-f]{8}\.svg$/.test(file))).toBe(
      true,
    );
  });

  it('leaves the pages as they are if an icon is missing, and keeps what was fetched', async () => {
    const { root, events, error } = await run({ missing: 'An icon is not in the lock.' });
    expect(error).toContain('An icon is not in the lock.');
    expect(events).toEqual(['end quietly']);
    const output = await readOutput(join(root, 'dist'));
    expect(Object.keys(output)).toEqual(['index.html']);
    expect(String(output['index.html'])).toBe(PAGE);
  });
});

describe('finishBuild', () => {
  const build = { id: 'fake', bundler: 'fake', consumer: 'client', precision: 'emitted' } as const;

  it('asks for the usages first, then writes, then settles, and ends with the names that were written', async () => {
    const session = createFakeSession();
    const { events } = session;
    await finishBuild(session, {
      build,
      usages: () => (events.push('usages'), []),
      files: () => (events.push('files'), []),
      write: (files) => (events.push('write'), files.map(({ fileName }) => `out/${fileName}`)),
      remove: async () => void events.push('remove'),
    });
    const end = 'end out/icon-attribution.json';
    expect(events).toEqual(['usages', 'files', 'credit', 'write', 'settle', end]);
  });

  it('removes the output before it ends quietly with the error for missing icons', async () => {
    const session = createFakeSession({ missing: 'An icon is missing.' });
    const { events } = session;
    const ended = finishBuild(session, {
      build,
      usages: () => (events.push('usages'), []),
      write: () => (events.push('write'), []),
      remove: async () => void events.push('remove'),
    });
    await expect(ended).rejects.toThrow('An icon is missing.');
    expect(events).toEqual(['remove', 'end quietly']);
  });

  it.each(['usages', 'write', 'settle'])('ends once and quietly if `%s` fails', async (step) => {
    const session = createFakeSession();
    const fail = (at: string): void => {
      if (at === step) throw new Error(`${step} failed`);
    };
    const settle = session.settle.bind(session);
    session.settle = async (options) => (fail('settle'), settle(options));
    const ended = finishBuild(session, {
      build,
      usages: () => (fail('usages'), []),
      write: () => (fail('write'), []),
    });
    await expect(ended).rejects.toThrow(`${step} failed`);
    expect(session.events.filter((event) => event.startsWith('end'))).toEqual(['end quietly']);
  });
});
