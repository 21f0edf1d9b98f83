import type { PartialMessage } from 'esbuild';
import { isIconCatalogError } from '../../errors.ts';

/** Our errors as esbuild's messages, without the stack of this file; `detail` holds the error itself. Others pass through. */
export function toFailure(error: unknown): { errors: PartialMessage[] } {
  if (!isIconCatalogError(error)) throw error;
  return { errors: [{ text: error.message, detail: error }] };
}
