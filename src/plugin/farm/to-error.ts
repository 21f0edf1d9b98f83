import { isIconCatalogError } from '../../errors.ts';

/**
 * Farm shows an error as a quoted string, its message twice over: once alone and once in the stack, with `\n` for the
 * ends of lines. So ours goes there as one line without a stack. Others pass unchanged.
 */
export function toFarmError(error: unknown): unknown {
  if (!isIconCatalogError(error)) return error;
  const told = new Error(error.message.replace(/\s*\n\s*/g, ' | '), { cause: error });
  told.stack = '';
  return told;
}
