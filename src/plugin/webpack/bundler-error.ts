import { isIconCatalogError } from '../../errors.ts';

/**
 * An error as webpack and Rspack should print it. Ours say all there is to say in their message: frames of this
 * package's code would bury it. webpack reads `hideStack`, Rspack prints the stack whatever it is.
 */
export function toBundlerError(error: unknown, importer?: string): Error {
  if (!isIconCatalogError(error)) return error instanceof Error ? error : new Error(String(error));
  const told = error.withImporter(importer);
  told.stack = `${told.name}: ${told.message}`;
  return Object.assign(told, { hideStack: true });
}
