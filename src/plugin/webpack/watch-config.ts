import type { Compiler, Module } from 'webpack';
import type { Session } from '../session-types.ts';
import { toBundlerError } from './bundler-error.ts';
import { toIconResource } from './icon-resource.ts';
import { isPersistent, ownFile, sayChanged } from './own-files.ts';
import type { IconLoaderContext } from './read-icon.ts';
import { addToWatched, dependOn, isRunInBuild } from './watched-files.ts';

const NAME = 'unplugin-icon-catalog';
/** Where webpack keeps what the references of a style sheet stood for, with the module that holds them. */
const MARKS = 'iconCatalogImages';
/** webpack's types have a boolean, its hook goes on to the next plugin only without one. */
const NONE = undefined as unknown as boolean;

/** Told what was made by options that may change while the bundler watches. */
export interface ConfigWatch {
  /** An import led to this module. */
  resolved(specifier: string, id: string): void;
  /** An import of this file led nowhere. */
  refused(importer: string): void;
  /** The module was made. */
  made(id: string, context: IconLoaderContext): Promise<void>;
  /** A style sheet holds the icon of this reference. */
  styled(specifier: string, context: IconLoaderContext): Promise<void>;
}

const NO_WATCH: ConfigWatch = {
  resolved() {},
  refused() {},
  made: () => Promise.resolve(),
  styled: () => Promise.resolve(),
};

/**
 * Follows the project's file of options, where the plugin was given none: reads it before each build, and has built
 * again what depends on what was changed in it. A module of webpack and Rspack is known by its resource, which holds the
 * icon and its shape. webpack looks for the resource of each import in each build; Rspack does so for imports of modules
 * that are said to have changed.
 *
 * @param changed other options are in force
 */
export function watchConfig(
  compiler: Compiler,
  {
    session,
    bundler,
    changed,
  }: { session: Session; bundler: 'webpack' | 'rspack'; changed(): void },
): ConfigWatch {
  const { config } = session;
  if (config.files.length === 0) return NO_WATCH;
  const watch =
    bundler === 'webpack' ? askEachStyle(compiler, session) : nameChanged(compiler, session);
  let broken: unknown;

  compiler.hooks.beforeRun.tapPromise(NAME, async () => {
    await config.refresh();
  });
  // A watcher that fails here would watch no more: what it says is an error of the build.
  compiler.hooks.watchRun.tapPromise(NAME, async () => {
    broken = undefined;
    try {
      if (!(await config.refresh())) return;
      changed();
      watch.reconfigured();
    } catch (error) {
      broken = error;
    }
  });
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    if (broken !== undefined) compilation.errors.push(toBundlerError(broken));
    for (const file of config.files) void addToWatched(compiler, compilation, file);
  });
  return watch;
}

function askEachStyle(
  compiler: Compiler,
  { config, shapes }: Session,
): ConfigWatch & { reconfigured(): void } {
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    hooks.needBuild.tap(NAME, (module) =>
      Object.entries(marksOf(module)).some(([name, mark]) => shapes.ofImage(name) !== mark)
        ? true
        : NONE,
    );
  });
  return {
    resolved() {},
    refused() {},
    reconfigured() {},
    async made(_, context) {
      if (isRunInBuild(compiler, context)) await dependOn(config.files, compiler, context);
    },
    async styled(specifier, context) {
      if (isRunInBuild(compiler, context)) await dependOn(config.files, compiler, context);
      const { _module: module } = context;
      if (!module?.buildInfo) return;
      const marks = { ...marksOf(module), [specifier]: shapes.ofImage(specifier) };
      Object.assign(module.buildInfo, { [MARKS]: marks });
    },
  };
}

function marksOf({ buildInfo }: Module): Record<string, string> {
  return (buildInfo as { [MARKS]?: Record<string, string> } | undefined)?.[MARKS] ?? {};
}

function nameChanged(compiler: Compiler, session: Session): ConfigWatch & { reconfigured(): void } {
  const { config, shapes } = session;
  const idBySpecifier = new Map<string, { id: string; resource: string }>();
  const shapeBySpecifier = new Map<string, string>();
  /** Rspack does not look again by itself for what it did not find. */
  const refused = new Set<string>();
  const ofStyle = (specifier: string): string => `style ${specifier}`;
  const resourceOf = (id: string): string => toIconResource(id, shapes.of(id));

  function resourceNow(specifier: string): string {
    try {
      return resourceOf(session.resolve(specifier));
    } catch {
      return '';
    }
  }

  async function depend(context: IconLoaderContext): Promise<void> {
    if (isPersistent(compiler) || isRunInBuild(compiler, context))
      await dependOn(config.files, compiler, context);
  }

  return {
    resolved(specifier, id) {
      idBySpecifier.set(specifier, { id, resource: resourceOf(id) });
    },
    refused: (importer) => void refused.add(importer.split('?', 1)[0] ?? importer),
    async made(id, context) {
      context.addMissingDependency(ownFile(compiler, id));
      await depend(context);
    },
    async styled(specifier, context) {
      shapeBySpecifier.set(specifier, shapes.ofImage(specifier));
      context.addMissingDependency(ownFile(compiler, ofStyle(specifier)));
      await depend(context);
    },
    reconfigured() {
      const modules = [...idBySpecifier].filter(
        ([specifier, { resource }]) => resourceNow(specifier) !== resource,
      );
      const styles = [...shapeBySpecifier.keys()].filter(
        (specifier) => shapes.ofImage(specifier) !== shapeBySpecifier.get(specifier),
      );
      sayChanged(compiler, [...modules.map(([, { id }]) => id), ...styles.map(ofStyle)]);
      compiler.modifiedFiles = new Set([...(compiler.modifiedFiles ?? []), ...refused]);
      refused.clear();
    },
  };
}
