import { join } from 'node:path';
import type { Compiler, Module } from 'webpack';
import { isOutdated, type Texts } from '../../build/outdated.ts';
import type { Session } from '../../build/session-interface.ts';
import { sha256Hex } from '../../store/hash.ts';
import { type IconLoaderContext, toBundlerError, type Watch } from './read-icon.ts';

const NAME = 'unplugin-icon-catalog';
/** The key of what a module was made from, where webpack keeps it with the module, also from one process to the next. */
const MADE_FROM = 'iconCatalog';
/** webpack's types have a boolean, its hook goes on to the next plugin only without one. */
const NONE = undefined as unknown as boolean;

interface MadeFrom {
  /** Of options and lock: while they stay the same, nothing need be compared. */
  edition: string;
  texts: Texts;
}

/**
 * Reads options and lock before each build, and has built again what was made from something else than they lead to now.
 * webpack asks module by module; Rspack is given the names of the modules.
 *
 * @param changed other options are in force
 */
export function watchFiles(
  compiler: Compiler,
  {
    session,
    bundler,
    changed,
  }: { session: Session; bundler: 'webpack' | 'rspack'; changed(): void },
): Watch {
  const { config, lock } = session;
  const watch =
    bundler === 'webpack' ? compareModules(compiler, session) : nameOutdated(compiler, session);
  let broken: unknown;

  compiler.hooks.beforeRun.tapPromise(NAME, async () => {
    await config.refresh();
  });
  // A watcher that fails here would watch no more: the error is one of the build.
  compiler.hooks.watchRun.tapPromise(NAME, async () => {
    broken = undefined;
    let isReconfigured = false;
    try {
      isReconfigured = await config.refresh();
      if (isReconfigured) changed();
    } catch (error) {
      broken = error;
    }
    await watch.before(isReconfigured);
  });
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    if (broken !== undefined) compilation.errors.push(toBundlerError(broken));
  });
  // The build waits until it is known whether they exist.
  compiler.hooks.make.tapPromise(NAME, async (compilation) => {
    for (const file of [...config.files, ...lock.files]) {
      const isThere = await exists(compiler, file);
      (isThere ? compilation.fileDependencies : compilation.missingDependencies).add(file);
    }
  });
  return watch;
}

interface BundlerWatch extends Watch {
  /** A build of a watcher is about to begin. */
  before(isReconfigured: boolean): Promise<void>;
}

function compareModules(compiler: Compiler, session: Session): BundlerWatch {
  let edition: Promise<string> | undefined;
  const editionNow = (): Promise<string> =>
    (edition ??= session.lock.hash().then((hash) => `${session.fingerprint} ${hash}`));
  const madeFrom = ({ buildInfo }: Module): MadeFrom | undefined =>
    (buildInfo as { [MADE_FROM]?: MadeFrom } | undefined)?.[MADE_FROM];

  compiler.hooks.compile.tap(NAME, () => {
    edition = undefined;
  });
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    hooks.needBuild.tapPromise(NAME, async (module) => {
      const from = madeFrom(module);
      if (from === undefined || from.edition === (await editionNow())) return NONE;
      return (await isOutdated(from.texts, session)) ? true : NONE;
    });
  });
  return {
    resolved() {},
    refused() {},
    async before() {},
    async made(part, text, context) {
      if (isRunInBuild(compiler, context)) await dependOnFiles(session, compiler, context);
      const { _module: module } = context;
      if (!module?.buildInfo) return;
      const edition = await editionNow();
      // Nothing may come between what is read here and what is written.
      const texts = { ...madeFrom(module)?.texts, [part]: text() };
      const from: MadeFrom = { edition, texts };
      Object.assign(module.buildInfo, { [MADE_FROM]: from });
    },
  };
}

function nameOutdated(compiler: Compiler, session: Session): BundlerWatch {
  const { lock } = session;
  const texts: Texts = {};
  /** By import, the id that it led to. */
  const ids = new Map<string, string>();
  /** Rspack does not look again by itself for what it did not find. */
  const refused = new Set<string>();

  function leadsTo(specifier: string, id: string): boolean {
    try {
      return session.resolve(specifier) === id;
    } catch {
      return false;
    }
  }

  return {
    resolved(specifier, id) {
      ids.set(specifier, id);
    },
    refused: (importer) => void refused.add(importer.split('?', 1)[0] ?? importer),
    async made(part, text, context) {
      if (!compiler.watchMode && !isPersistent(compiler)) return;
      texts[part] = text();
      context.addMissingDependency(ownFile(compiler, part));
      if (isPersistent(compiler) || isRunInBuild(compiler, context))
        await dependOnFiles(session, compiler, context);
    },
    async before(isReconfigured) {
      const modified = new Set(compiler.modifiedFiles);
      const changed = [...modified, ...(compiler.removedFiles ?? [])];
      if (!isReconfigured && !lock.files.some((file) => changed.includes(file))) return;
      lock.refresh();
      for (const [part, text] of Object.entries(texts))
        if (await isOutdated({ [part]: text }, session)) modified.add(ownFile(compiler, part));
      for (const [specifier, id] of ids)
        if (!leadsTo(specifier, id)) modified.add(ownFile(compiler, `module ${id}`));
      if (isReconfigured) {
        for (const file of refused) modified.add(file);
        refused.clear();
      }
      // Modules that come from an earlier process are not known here: they depend on the whole lock.
      if (!isPersistent(compiler)) for (const file of lock.files) modified.delete(file);
      compiler.modifiedFiles = modified;
    },
  };
}

/** Has the module that is being built made again when a file of lock or options changes or is created. */
async function dependOnFiles(
  { config, lock }: Session,
  compiler: Compiler,
  context: IconLoaderContext,
): Promise<void> {
  for (const file of [...config.files, ...lock.files]) {
    if (await exists(compiler, file)) context.addDependency(file);
    else context.addMissingDependency(file);
  }
}

/** True for what runs during the build: what takes its outcome is not asked, and has the files that it depends on. */
function isRunInBuild(compiler: Compiler, { _compilation, _module }: IconLoaderContext): boolean {
  const request = _module && 'rawRequest' in _module ? _module.rawRequest : '';
  return _compilation?.compiler !== compiler || /^!!|!=!/.test(request);
}

/** Never rejects: a file system of a plugin may throw instead of calling back, which would end a dev server. */
function exists({ inputFileSystem }: Compiler, file: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    if (inputFileSystem === null) resolve(false);
    else inputFileSystem.stat(file, (error) => resolve(error === null));
  }).catch(() => false);
}

/**
 * Rspack does not ask whether a module is still right, but is given the files that have changed: what may become wrong
 * depends on a file of its own that never exists, and that is named as changed.
 */
function ownFile({ context }: Compiler, part: string): string {
  return join(context, '.icon-catalog', sha256Hex(part));
}

/** True if modules may come from an earlier process, which knows nothing of what is remembered in this one. */
function isPersistent({ options: { cache } }: Compiler): boolean {
  return typeof cache === 'object' && (cache.type as string) === 'persistent';
}
