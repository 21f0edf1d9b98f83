import { isIconCatalogError } from '../errors.ts';
import type { Output } from './host.ts';
import { createPaint } from './paint.ts';
import { toPlainLines } from './plain-text.ts';
import { UsageError } from './usage-error.ts';

/** 0: done; 1: failed; 2: written wrongly, nothing was sent. */
export type ExitCode = 0 | 1 | 2;

/** Tells an error and what to do, on standard error. @param command its words, the program first */
export function tellError(
  error: unknown,
  { stderr, command }: { stderr: Output; command: string },
): ExitCode {
  const [first = '', ...rest] = toPlainLines(describe(error, command)).split('\n');
  stderr.write(`${[`${createPaint(stderr)('red', 'error')} ${first}`, ...rest].join('\n')}\n`);
  return codeOf(error);
}

function describe(error: unknown, command: string): string {
  if (error instanceof UsageError) {
    return `${error.message}\n  See ${error.command ?? command} --help.`;
  }
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2;
  // Refused before anything was sent: the words of the command were wrong, not the catalog.
  const unsent = isIconCatalogError(error) && error.status === undefined;
  return unsent && error.code === 'CATALOG_BAD_REQUEST' ? 2 : 1;
}
