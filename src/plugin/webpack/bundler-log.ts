import type { Compilation, Compiler } from 'webpack';
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
  let current: { compilation: Compilation; told: Set<string> } | undefined;
  return {
    attach(compilation) {
      current = { compilation, told: new Set() };
    },
    detach() {
      current = undefined;
    },
    info: (message) => logger.info(message),
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
