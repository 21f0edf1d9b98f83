import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rspack } from '@rspack/core';
import { rspack as rspack1 } from 'rspack1';
import { onTestFinished } from 'vitest';
import webpack from 'webpack';
import { createWebpackPlugin } from '../../../src/bundlers/webpack/plugin.ts';
import { createFakeSession, type FakeCatalog, type FakeSession } from './fake-session.ts';

export type Bundler = 'webpack' | 'rspack' | 'rspack1';
export const BUNDLERS: readonly Bundler[] = ['webpack', 'rspack'];
/** With Rspack 1, whose plugin interface lacks what Rspack 2 and webpack share. */
export const EVERY_BUNDLER: readonly Bundler[] = [...BUNDLERS, 'rspack1'];

export const LOADER: string = fileURLToPath(
  new URL('../../../src/bundlers/webpack/icon-loader.cjs', import.meta.url),
);

export const STYLE_LOADER: string = fileURLToPath(
  new URL('../../../src/bundlers/webpack/style-loader.cjs', import.meta.url),
);

export interface BundleOptions {
  root: string;
  catalog?: FakeCatalog;
  /** Written below the root before the build. */
  files?: Record<string, string>;
  config?: webpack.Configuration;
  /** Keeps modules in `<root>/.cache` from one build to the next. */
  persistent?: boolean;
}

export interface Bundle {
  session: FakeSession;
  /** Emitted files, sorted, with what is in them. */
  output: Record<string, string>;
  errors: string[];
  warnings: string[];
  /** What a terminal shows. */
  report: string;
  /** What the bundler says outside of its report. */
  log: string;
}

type Compiler = webpack.Compiler;
type Stats = webpack.Stats;

export async function bundle(bundler: Bundler, options: BundleOptions): Promise<Bundle> {
  await writeFiles(options.root, options.files ?? {});
  const session = createFakeSession(options.catalog);
  let log = '';
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      log += String(chunk);
      callback();
    },
  });
  const config = { infrastructureLogging: { level: 'warn' as const, stream }, ...options.config };
  const compiler = createCompiler(bundler, { ...options, config }, () => session);
  const stats = await new Promise<Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      error || !result ? reject(error ?? new Error('no stats')) : resolve(result),
    );
  });
  const reported = report(stats);
  await closeCompiler(compiler);
  return { session, ...reported, log, output: await readOutput(options.root) };
}

type CreateCompiler = typeof webpack;

/** Both take the same configurations here; the types of Rspack are its own. */
export const compilerOf = (bundler: Bundler): CreateCompiler =>
  bundler === 'webpack'
    ? webpack
    : ((bundler === 'rspack' ? rspack : rspack1) as unknown as CreateCompiler);

export function createConfig(
  bundler: Bundler,
  { root, config = {}, persistent = false }: BundleOptions,
  createSession: () => FakeSession,
): webpack.Configuration {
  const directory = join(root, '.cache');
  const persistentCache =
    bundler === 'webpack'
      ? { type: 'filesystem', cacheDirectory: directory }
      : { type: 'persistent', storage: { type: 'filesystem', directory } };
  const plugin = createWebpackPlugin({ createSession, loader: LOADER, styleLoader: STYLE_LOADER });
  return {
    mode: 'production',
    context: root,
    entry: './src/index.js',
    devtool: false,
    infrastructureLogging: { level: 'none' },
    ...config,
    output: { path: join(root, 'dist'), clean: true, ...config.output },
    cache: persistent
      ? (persistentCache as Exclude<webpack.Configuration['cache'], boolean | undefined>)
      : true,
    ...(bundler === 'rspack1' && {
      cache: true,
      experiments: { css: true, ...(persistent && { cache: persistentCache }) },
    }),
    plugins: [plugin, ...(config.plugins ?? [])],
  };
}

export function createCompiler(
  bundler: Bundler,
  options: BundleOptions,
  createSession: () => FakeSession,
): Compiler {
  const compiler = compilerOf(bundler)(createConfig(bundler, options, createSession));
  if (compiler === null) throw new Error('no compiler');
  return compiler;
}

export interface Watched {
  session: FakeSession;
  /** Resolves with the next finished build, also one that has finished since the last call. */
  next(): Promise<Omit<Bundle, 'session' | 'log'>>;
  close(): Promise<void>;
}

export async function watch(bundler: Bundler, options: BundleOptions): Promise<Watched> {
  const files = options.files ?? {};
  await writeFiles(options.root, files);
  // Files as young as the watcher count as changed since it began: it would build them twice.
  const past = new Date(Date.now() - 60_000);
  for (const name of Object.keys(files)) await utimes(join(options.root, name), past, past);
  const session = createFakeSession(options.catalog);
  const compiler = createCompiler(bundler, options, () => session);
  const { next, close } = watchCompiler(compiler);
  return {
    session,
    close,
    async next() {
      const stats = await next();
      return { ...report(stats), output: await readOutput(options.root) };
    },
  };
}

export async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    // At once: a watcher must not see the file empty.
    const draft = join(root, `.draft-${process.pid}`);
    await writeFile(draft, content);
    await rename(draft, path);
  }
}

/** Watches until the test ends. */
export function watchCompiler(compiler: Pick<webpack.Compiler, 'watch' | 'close'>): {
  /** The next build that has finished, also one that has finished since the last call. */
  next(): Promise<webpack.Stats>;
  close(): Promise<void>;
} {
  const finished: (webpack.Stats | Error)[] = [];
  let wake = (): void => undefined;
  compiler.watch({ aggregateTimeout: 50 }, (error, stats) => {
    finished.push(error ?? stats ?? new Error('no stats'));
    wake();
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeCompiler(compiler));
  onTestFinished(close);
  return {
    close,
    async next() {
      while (finished.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const stats = finished.shift();
      if (stats === undefined || stats instanceof Error) throw stats ?? new Error('no stats');
      return stats;
    },
  };
}

export function closeCompiler(compiler: Pick<Compiler, 'close'>): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.close((error) => (error ? reject(error) : resolve()));
  });
}

export async function readOutput(root: string): Promise<Record<string, string>> {
  const folder = join(root, 'dist');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
    ),
  ) as Record<string, string>;
}

function report(stats: Stats): Pick<Bundle, 'errors' | 'warnings' | 'report'> {
  const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
  return {
    errors: errors.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    report: stats.toString({ colors: false }),
  };
}
