import { isIconCatalogError } from '../errors.ts';

/**
 * Bundlers print the stack of what a hook throws. For a mistake that its message explains, our own frames explain nothing
 * and push what to do off the screen.
 */
export function withoutFrames<Thrown>(error: Thrown): Thrown {
  if (isIconCatalogError(error)) {
    // Rollup takes the message out of the stack where a line break ends it, and would show it twice.
    error.stack = `${error.name}: ${error.message}\n`;
    // Where the cause was thrown is told by neither the message nor the reader's code.
    if (error.cause instanceof Error && isSystemError(error.cause)) delete error.cause.stack;
  }
  return error;
}

/** `ENOENT`, `ECONNREFUSED` …: of the machine, not of the project's own code. */
function isSystemError(cause: Error): boolean {
  return 'code' in cause && typeof cause.code === 'string';
}
