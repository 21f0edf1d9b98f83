import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Compiler } from 'webpack';

/**
 * Rspack does not ask whether a module is still right, but takes word of files that have changed: what may become wrong
 * depends on a file of its own that never exists, and is said to have changed.
 */
export function ownFile({ context }: Compiler, id: string): string {
  return join(context, '.icon-catalog', createHash('sha256').update(id).digest('hex'));
}

export function sayChanged(compiler: Compiler, ids: Iterable<string>): void {
  const modified = new Set(compiler.modifiedFiles);
  for (const id of ids) modified.add(ownFile(compiler, id));
  compiler.modifiedFiles = modified;
}

/** True where modules may come from an earlier process, which knows nothing of what is remembered in this one. */
export function isPersistent({ options: { cache } }: Compiler): boolean {
  return typeof cache === 'object' && (cache.type as string) === 'persistent';
}
