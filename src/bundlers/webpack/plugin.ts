import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RspackPluginInstance } from '@rspack/core';
import type { Compilation, Compiler } from 'webpack';
import { warningsOfAddresses } from '../../build/importers.ts';
import type { Session } from '../../build/session-interface.ts';
import type { PublishedSite } from '../../build/session-types.ts';
import { createTypeDeclarations } from '../../build/session.ts';
import {
  createPickerHandler,
  editorOf,
  isCi,
  isOpenTo,
  pickerAddress,
  pickerState,
  projectOfSession,
} from '../../picker/shell.ts';
import { createLog } from '../../pipeline/build-state.ts';
import type { Log } from '../../types.ts';
import { addIconModules } from './icon-modules.ts';
import { guardLazyCompilation } from './lazy-compilation.ts';
import { guardNextRequests } from './next-requests.ts';
import { finishOutput } from './output.ts';
import { addStyleFiles, addStyleLoader } from './styles.ts';
import { watchFiles } from './watch.ts';

const NAME = 'unplugin-icon-catalog';

interface WebpackPluginOptions {
  /** One session a compiler: the compilers of a multi-compiler run side by side. */
  createSession(bundler: 'webpack' | 'rspack'): Session;
  /** Path of icon-loader.cjs; for Rspack, which has no hook that reads a resource. */
  loader: string;
  /** Path of style-loader.cjs. */
  styleLoader: string;
}

/**
 * The plugin of webpack 5, and of Rspack, whose plugin interface is webpack's. The compiler decides which of the two it is:
 * generators that have both, such as Docusaurus, hand one configuration to either.
 * @throws IconCatalogError OPTIONS_INVALID, when applied; Error if Rspack is too old
 */
export function createWebpackPlugin(options: WebpackPluginOptions): {
  apply(compiler: Compiler): void;
} {
  return {
    apply(compiler) {
      checkVersion(compiler);
      const bundler = 'rspack' in compiler ? ('rspack' as const) : ('webpack' as const);
      const session = options.createSession(bundler);
      const log = createBundlerLog(compiler);
      session.configure({ root: compiler.context, log, ...guardNextRequests(compiler) });
      invalidateByFingerprint(compiler, { session, bundler });
      guardLazyCompilation(compiler, bundler);
      addPicker(compiler, { session, log });
      const declarations = createTypeDeclarations(session);
      const watch = watchFiles(compiler, { session, bundler, changed: declarations.forget });
      const build = { session, bundler, compiler, watch, declarations, missing: new Set<string>() };
      addIconModules(build, bundler === 'rspack' ? options.loader : undefined);
      addStyleFiles(compiler);
      // Other plugins have already added their rules.
      compiler.hooks.environment.tap(NAME, () =>
        addStyleLoader(compiler, `${options.styleLoader}?${session.fingerprint}`),
      );

      // Thrown where webpack expects it: what `compile` throws would end the process.
      const check = async (): Promise<void> => void session.resolvedOptions();
      compiler.hooks.run.tapPromise(NAME, check);
      compiler.hooks.watchRun.tapPromise(NAME, check);

      /** Attribution files of the running build, relative to the output folder. */
      let written: readonly string[] = [];
      // `compile` and `thisCompilation` are not inherited by child compilers: their builds are part of this one.
      compiler.hooks.compile.tap(NAME, () => {
        written = [];
        session.begin({ isDev: compiler.watchMode });
      });
      compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
        log.attach(compilation);
        if (bundler === 'webpack') warnOfAddresses(compilation, log);
        finishOutput(build, compilation, (files) => {
          written = files;
        });
      });
      compiler.hooks.done.tapPromise(NAME, async ({ compilation }) => {
        log.detach();
        const files = isEmitted(compilation) ? written : [];
        await Promise.all([
          session.settle({ isWritten: isEmitted(compilation) }),
          declarations.settle(),
        ]);
        await session.end(
          files.map((file) => join(compiler.outputPath, file)),
          { quiet: compilation.errors.length > 0, site: publishedBy(compiler) },
        );
      });
      compiler.hooks.shutdown.tapPromise(NAME, () => session.close());
    },
  };
}

/**
 * webpack before 5.60 cannot read a resource by its scheme. Rspack 1.0 and most versions of 1.1 write no credits and no
 * address of the sprite into scripts.
 */
function checkVersion({ webpack }: Compiler): void {
  // Compilers of webpack 4 name no version.
  const { version = '4', rspackVersion = '' } = Object(webpack) as {
    version?: string;
    rspackVersion?: string;
  };
  if (rspackVersion === '' && /^(?:4|5\.[0-5]?\d\.)/.test(version))
    throw new Error(
      `unplugin-icon-catalog needs webpack 5.90 or newer, and this is ${version}. Update webpack.`,
    );
  if (/^1\.[01]\./.test(rspackVersion))
    throw new Error(
      `unplugin-icon-catalog needs Rspack 1.2 or newer, and this is ${rspackVersion}. Update @rspack/core.`,
    );
}

/** A warm Rspack build resolves nothing and would not see another fingerprint: there the whole cache goes by it. */
function invalidateByFingerprint(
  { options }: Compiler,
  { session, bundler }: { session: Session; bundler: string },
): void {
  if (bundler !== 'rspack') return;
  const { cache } = options;
  const experiments: Record<string, unknown> = { ...options.experiments };
  // Rspack 1 has it among the experiments.
  for (const each of [cache, experiments['cache']] as unknown[]) {
    if (typeof each !== 'object' || each === null) continue;
    const version = 'version' in each ? each.version : undefined;
    Object.assign(each, {
      version: [version, `${NAME}@${session.fingerprint}`].filter(Boolean).join(' '),
    });
  }
}

/** Rspack would copy the code of each module to JavaScript for this. */
function warnOfAddresses({ hooks }: Compilation, log: Pick<Log, 'warn'>): void {
  hooks.succeedModule.tap(NAME, (module) => {
    const path = module.nameForCondition() ?? '';
    if (!/\.(?:[cm]?[jt]sx?|svelte|vue)$/.test(path) || /[\\/]node_modules[\\/]/.test(path)) return;
    const code = module.originalSource()?.source();
    if (typeof code !== 'string' || !code.includes('icon:')) return;
    for (const warning of warningsOfAddresses(code, path, false)) log.warn(warning);
  });
}

function publishedBy({ watchMode, outputPath, options }: Compiler): PublishedSite | undefined {
  if (watchMode) return undefined;
  const { publicPath } = options.output;
  const isAddress = typeof publicPath === 'string' && /^(?:https?:\/)?\//.test(publicPath);
  // Next.js serves a folder of its own there, which is not its output folder.
  const base = isAddress && !publicPath.endsWith('/_next/') ? publicPath : undefined;
  return { folder: outputPath, base };
}

function isEmitted({ errors, options }: Compilation): boolean {
  return errors.length === 0 || options.optimization.emitOnErrors;
}

/** The same plugin for Rspack, whose compiler has webpack's interface and types of its own; the tests run both. */
export function createRspackPlugin(options: WebpackPluginOptions): RspackPluginInstance {
  const plugin = createWebpackPlugin(options);
  return { apply: (compiler) => plugin.apply(compiler as unknown as Compiler) };
}

/** Messages where users of the bundler look for them: warnings among the build's own, each once; the rest in its log. */
function createBundlerLog(compiler: Compiler) {
  const logger = compiler.getInfrastructureLogger(NAME);
  const info = isMutedByRsbuild(compiler) ? createLog('info').info : undefined;
  let current: { compilation: Compilation; reported: Set<string> } | undefined;
  return {
    /** From now on warnings belong to this build. */
    attach(compilation: Compilation) {
      current = { compilation, reported: new Set() };
    },
    /** The build's list of warnings is closed: what follows is logged. */
    detach() {
      current = undefined;
    },
    info: info ?? ((message: string) => logger.info(message)),
    warn(message: string) {
      if (current === undefined) return logger.warn(message);
      if (current.reported.has(message)) return;
      current.reported.add(message);
      const warning = new compiler.webpack.WebpackError(message);
      warning.name = 'IconCatalogWarning';
      // Frames of this package say nothing to the reader; Rspack prints them where there are any.
      warning.stack = message;
      current.compilation.warnings.push(warning);
    },
    error: (message: string) => logger.error(message),
  };
}

/** Rsbuild lets only errors of this log through, and shows the level that its user asked for on the command line alone. */
function isMutedByRsbuild({ options }: Compiler): boolean {
  const isRsbuild = options.plugins.some(
    (plugin) => plugin && (plugin as { name?: unknown }).name === 'RsbuildCorePlugin',
  );
  if (!isRsbuild || options.infrastructureLogging.level !== 'error') return false;
  const asked = process.argv.findIndex((each) => /^--log-?level$/i.test(each));
  return asked === -1 || process.argv[asked + 1] === 'info';
}

/** What is used of the options of webpack-dev-server, and of that of Rspack. */
interface DevServerOptions {
  host?: string;
  allowedHosts?: unknown;
  server?: string | { type?: string };
  setupMiddlewares?: (middlewares: unknown[], server: unknown) => unknown[];
  onListening?: (server: { server?: { address(): AddressInfo | string | null } }) => void;
}

/** The icon browser in the dev server, whose command reads these options once plugins are applied. */
function addPicker(
  compiler: Compiler,
  { session, log }: { session: Pick<Session, 'config' | 'resolvedOptions'>; log: Log },
): void {
  const { picker = true } = session.config.options;
  const options = compiler.options as { devServer?: DevServerOptions | false };
  const given = options.devServer ?? (process.env['WEBPACK_SERVE'] ? {} : false);
  if (given === false || picker === false || isCi(process.env)) return;
  const { host } = given;
  const isOpen = host !== undefined && isOpenTo(host);
  const state = pickerState(compiler.context, picker === true ? undefined : picker.budget);
  const { handle, close } = createPickerHandler({
    project: projectOfSession(session, process.env, () => configOf(compiler)),
    access: { hosts: namesOf(given), isOpen },
    state,
    log,
    openEditor: editorOf(compiler.context, process.env),
  });
  compiler.hooks.shutdown.tapPromise('unplugin-icon-catalog', close);
  options.devServer = {
    ...given,
    setupMiddlewares(middlewares, server) {
      const all = given.setupMiddlewares?.(middlewares, server) ?? middlewares;
      all.unshift({ name: 'unplugin-icon-catalog', middleware: handle });
      return all;
    },
    onListening(server) {
      given.onListening?.(server);
      const address = server.server?.address();
      if (typeof address !== 'object' || address === null) return;
      const { type } = typeof given.server === 'object' ? given.server : { type: given.server };
      const scheme = type === undefined || type === 'http' ? 'http' : 'https';
      log.info(`Icons: ${pickerAddress(`${scheme}://localhost:${address.port}`, '/', state)}`);
      if (isOpen)
        log.warn('Everyone who reaches this server and knows that address can add icons.');
    },
  };
}

function namesOf({ host, allowedHosts }: DevServerOptions): string[] {
  const names: unknown[] = Array.isArray(allowedHosts) ? allowedHosts : [allowedHosts];
  return [host, ...names].filter(
    (name) => typeof name === 'string' && !['all', 'auto'].includes(name),
  ) as string[];
}

/** The configuration where the commands of both bundlers look for it. */
function configOf({ context }: Compiler): string | undefined {
  const names = ['webpack', 'rspack'].flatMap((bundler) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((type) => `${bundler}.config.${type}`),
  );
  return names.map((name) => join(context, name)).find((path) => existsSync(path));
}
