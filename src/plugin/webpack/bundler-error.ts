import { isIconCatalogError } from '../../errors.ts';

/**
 * An error as webpack and Rspack should print it. Ours say all there is to say in their message: frames of this
 * package's code would bury it, and both print the stack where there is one. A plain `Error`, since webpack's persistent cache keeps errors with their modules and
 * has no serializer for others.
 */
export function toBundlerError(error: unknown, importer?: string): Error {
  if (!isIconCatalogError(error)) return error instanceof Error ? error : new Error(String(error));
  const { code, message, name } = error.withImporter(importer);
  return Object.assign(new Error(message), { name, code, stack: message });
}
