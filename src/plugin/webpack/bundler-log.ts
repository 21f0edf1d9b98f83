import type { Compilation, Compiler } from 'webpack';
import { createLog } from '../../corridor/create-log.ts';
import type { Log } from '../../types.ts';

export interface BundlerLog extends Log {
  /** From now on warnings belong to this build. */
  attach(compilation: Compilation): void;
  /** The build's list of warnings is closed: what follows is logged. */
  detach(): void;
}

/** Messages where users of the bundler look for them: warnings among the build's own, each once; the rest in its log. */
export function createBundlerLog(compiler: Compiler, name: string): BundlerLog {
  const logger = compiler.getInfrastructureLogger(name);
  const info = isMutedByRsbuild(compiler) ? createLog('info').info : undefined;
  let current: { compilation: Compilation; told: Set<string> } | undefined;
  return {
    attach(compilation) {
      current = { compilation, told: new Set() };
    },
    detach() {
      current = undefined;
    },
    info: info ?? ((message) => logger.info(message)),
    warn(message) {
      if (current === undefined) return logger.warn(message);
      if (current.told.has(message)) return;
      current.told.add(message);
      const warning = new compiler.webpack.WebpackError(message);
      warning.name = 'IconCatalogWarning';
      // Frames of this package say nothing to the reader; Rspack prints them where there are any.
      warning.stack = message;
      current.compilation.warnings.push(warning);
    },
    error: (message) => logger.error(message),
  };
}

/**
 * Rsbuild lets only errors of this log through, whatever level its user asked for, and shows no plugin that level. On the
 * command line it can be seen.
 */
function isMutedByRsbuild({ options }: Compiler): boolean {
  const isRsbuild = options.plugins.some(
    (plugin) => plugin && (plugin as { name?: unknown }).name === 'RsbuildCorePlugin',
  );
  if (!isRsbuild || options.infrastructureLogging.level !== 'error') return false;
  const asked = process.argv.findIndex((each) => /^--log-?level$/i.test(each));
  return asked === -1 || process.argv[asked + 1] === 'info';
}
