import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type webpack from 'webpack';
import type { Options } from '../../../src/options/options.ts';
import rspackPlugin from '../../../src/rspack.ts';
import { embeddedIconId } from '../../../src/server.ts';
import webpackPlugin from '../../../src/webpack.ts';
import { closeCompiler, compilerOf, watchCompiler, type Bundler } from './bundle.ts';

export const HOME: number = embeddedIconId('tabler', 'home');
export const STAR: number = embeddedIconId('tabler', 'star');

export interface Built {
  errors: string[];
  /** Modules that were made again, by the ids of icons and the names of files. */
  made: string[];
  output: string;
}

export interface RealProject {
  root: string;
  /** Of the plugin; without them it is called with nothing. */
  options?: Options | undefined;
  /** Keeps modules in `<root>/.cache` from one build to the next. */
  persistent?: boolean;
  plugins?: webpack.WebpackPluginInstance[];
  config?: webpack.Configuration;
}

function compile(
  bundler: Bundler,
  { root, options, persistent = false, plugins = [], config = {} }: RealProject,
): webpack.Compiler {
  const plugin = bundler === 'webpack' ? webpackPlugin : rspackPlugin;
  const directory = join(root, '.cache');
  const cache =
    bundler === 'webpack'
      ? { type: 'filesystem', cacheDirectory: directory }
      : { type: 'persistent', storage: { type: 'filesystem', directory } };
  const compiler = compilerOf(bundler)({
    mode: 'development',
    context: root,
    entry: './src/index.js',
    devtool: false,
    infrastructureLogging: { level: 'none' },
    output: { path: join(root, 'dist') },
    cache: (persistent && bundler !== 'rspack1' ? cache : true) as boolean,
    ...(bundler !== 'rspack' && {
      experiments: {
        css: true,
        ...(bundler === 'rspack1' && persistent && { cache }),
      },
    }),
    ...(bundler === 'rspack' && { module: { rules: [{ test: /\.css$/, type: 'css/auto' }] } }),
    ...config,
    plugins: [
      (options === undefined
        ? plugin()
        : plugin(options)) as unknown as webpack.WebpackPluginInstance,
      ...plugins,
    ],
  });
  if (compiler === null) throw new Error('no compiler');
  return compiler;
}

async function report(root: string, stats: webpack.Stats): Promise<Built> {
  const { errors = [], modules = [] } = stats.toJson({ all: false, errors: true, modules: true });
  const names = modules.filter(({ built }) => built).map(({ name = '' }) => nameOf(name));
  return {
    errors: errors.map(({ message }) => message),
    made: [...new Set(names)].filter((name) => name !== '').toSorted(),
    output: await readFile(join(root, 'dist/main.js'), 'utf8').catch(() => ''),
  };
}

/** Of the bundler's own modules nothing is left. */
function nameOf(module: string): string {
  if (module.includes(`icon:${HOME}`)) return 'icon of home';
  if (module.includes(`icon:${STAR}`)) return 'icon of star';
  if (module.includes('icon:')) return 'other icon';
  return /src\/(\w+\.(?:js|css))/.exec(module)?.[1] ?? '';
}

export async function watchProject(
  bundler: Bundler,
  project: RealProject,
): Promise<{ next(): Promise<Built>; close(): Promise<void> }> {
  const compiler = compile(bundler, project);
  const { next, close } = watchCompiler(compiler);
  return {
    close,
    async next() {
      const stats = await next();
      return report(project.root, stats);
    },
  };
}

export async function buildProject(bundler: Bundler, project: RealProject): Promise<Built> {
  const compiler = compile(bundler, project);
  try {
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      compiler.run((error, result) =>
        result ? resolve(result) : reject(error ?? new Error('no stats')),
      );
    });
    return await report(project.root, stats);
  } finally {
    await closeCompiler(compiler);
  }
}

/** Files as young as the watcher count as changed since it began. */
export async function age(root: string, names: Iterable<string>): Promise<void> {
  const past = new Date(Date.now() - 60_000);
  for (const name of names) await utimes(join(root, name), past, past);
}
