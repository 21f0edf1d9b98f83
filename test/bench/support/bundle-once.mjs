// One warm build by one bundler in a process of its own, so that peak memory, caches and compiled code are those of a
// user's run. Arguments: project, bundler, variant. Result: JSON of { milliseconds, cpu, megabytes, icons }.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [, , root, bundler, variant] = process.argv;
const entry = join(root, `${variant}.js`);
const outDir = join(root, 'out', `${bundler} ${variant}`.replaceAll(' ', '-'));
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const [name, isCached] = bundler.split(' ');

/** The floor: the same ids, each module a constant that was there before. Reading them is part of its time, as in ours. */
let codes;
const filter = { id: /^icon:/ };
const constants = {
  rollup: () => ({
    name: 'constants',
    enforce: 'pre',
    resolveId: {
      filter,
      handler: (id) => (id.startsWith('icon:') ? { id, moduleSideEffects: false } : null),
    },
    load: {
      filter,
      handler: (id) =>
        id.startsWith('icon:') ? { code: codes.get(id), moduleSideEffects: false } : null,
    },
  }),
  esbuild: () => ({
    name: 'constants',
    setup(build) {
      build.onResolve({ filter: /^icon:/ }, ({ path }) => ({
        path,
        namespace: 'constants',
        sideEffects: false,
      }));
      build.onLoad({ filter: /./, namespace: 'constants' }, ({ path }) => ({
        contents: codes.get(path.startsWith('icon:') ? path : `icon:${path}`),
        loader: 'js',
      }));
    },
  }),
  farm: () => ({
    name: 'constants',
    priority: 102,
    resolve: {
      filters: { sources: ['^icon:'], importers: ['.*'] },
      executor: async ({ source }) => ({
        resolvedPath: source.replace('icon:', 'constants~'),
        query: [],
        sideEffects: false,
        external: false,
        meta: {},
      }),
    },
    load: {
      filters: { resolvedPaths: ['constants~'] },
      executor: async ({ resolvedPath }) => ({
        content: codes.get(resolvedPath.replace('constants~', 'icon:')),
        moduleType: 'js',
      }),
    },
  }),
  webpack: () => ({
    apply(compiler) {
      const { NormalModule } = compiler.webpack;
      compiler.hooks.compilation.tap('constants', (compilation, { normalModuleFactory }) => {
        normalModuleFactory.hooks.resolveForScheme.for('icon').tap('constants', (data) => {
          Object.assign(data, { context: root, path: data.resource, query: '', fragment: '' });
          data.data.type = 'javascript/auto';
          return true;
        });
        NormalModule.getCompilationHooks(compilation)
          .readResource.for('icon')
          .tap('constants', ({ resource }) => codes.get(resource));
      });
    },
  }),
};

async function plugin(kind, floor = kind) {
  if (variant === 'constants') {
    codes = new Map(read('constants.json'));
    return [constants[floor]()];
  }
  if (variant === 'ours')
    return [
      (await import(`unplugin-icon-catalog/${kind}`)).default({
        ...read('options.json'),
        logLevel: 'warn',
      }),
    ];
  if (variant === 'unplugin-icons')
    return [(await import(`unplugin-icons/${kind}`)).default({ compiler: 'raw' })];
  return [];
}

const viteBuild = async () => {
  const { build } = await import('vite');
  return async () =>
    build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: await plugin('vite', 'rollup'),
      build: { outDir, emptyOutDir: true, rollupOptions: { input: entry } },
    });
};

const rollupBuild = (kind) => async () => {
  const bundle = (await import(kind))[kind];
  return async () => {
    const built = await bundle({ input: entry, plugins: await plugin(kind, 'rollup') });
    await built.write({ dir: outDir });
    await built.close();
  };
};

const webpackBuild = (kind) => async () => {
  const { default: bundle } = await import(kind === 'webpack' ? 'webpack' : '@rspack/core');
  const folder = `${outDir}-cache`;
  const cache =
    kind === 'webpack'
      ? { type: 'filesystem', cacheDirectory: folder }
      : { type: 'persistent', storage: { type: 'filesystem', directory: folder } };
  return async () => {
    const compiler = bundle({
      mode: 'production',
      context: root,
      entry,
      output: { path: outDir },
      cache: isCached ? cache : false,
      optimization: { minimize: false },
      performance: false,
      plugins: await plugin(kind),
    });
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    );
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
    await new Promise((resolve) => compiler.close(resolve));
  };
};

const builds = {
  vite: viteBuild,
  rollup: rollupBuild('rollup'),
  rolldown: rollupBuild('rolldown'),
  webpack: webpackBuild('webpack'),
  rspack: webpackBuild('rspack'),
  esbuild: async () => {
    const { build } = await import('esbuild');
    return async () =>
      build({
        entryPoints: [entry],
        bundle: true,
        outdir: outDir,
        logLevel: 'error',
        plugins: await plugin('esbuild'),
      });
  },
  farm: async () => {
    const { build } = await import('@farmfe/core');
    return async () =>
      build({
        root,
        configFile: false,
        compilation: {
          input: { main: entry },
          output: { path: outDir },
          persistentCache: false,
          minify: false,
          presetEnv: false,
          progress: false,
        },
        plugins: await plugin('farm'),
      });
  },
  bun: async () => async () => {
    const { success, logs } = await globalThis.Bun.build({
      entrypoints: [entry],
      outdir: outDir,
      plugins: await plugin('bun', 'esbuild'),
    });
    if (!success) throw new AggregateError(logs);
  },
};

// The clock runs from where builds begin to differ: the bundler is loaded, no plugin is.
const run = await builds[name]();
// What bundlers print is no part of the result.
for (const print of ['log', 'info', 'warn', 'error']) console[print] = () => {};
const startedAt = performance.now();
const before = process.cpuUsage();
await run();
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
const code = readdirSync(outDir, { recursive: true })
  .filter((file) => /\.m?js$/.test(file))
  .map((file) => readFileSync(join(outDir, file), 'utf8'))
  .join('');
const result = {
  milliseconds,
  cpu: (user + system) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
  icons: code.split(/(?:<|\\u003c|\\x3c)svg/i).length - 1,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
