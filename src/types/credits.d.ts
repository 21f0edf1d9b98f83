/**
 * The type of `icon:credits` alone, for projects whose other imports `icon-catalog.d.ts` declares one by one: without the
 * general types a misspelled alias is an error of the compiler. In a declaration file of the sources:
 *
 *     /// <reference types="unplugin-icon-catalog/types/credits" />
 */
declare module 'icon:credits' {
  import type { Credit } from 'unplugin-icon-catalog/client';

  /** One credit for every icon that this build ships, in the order of `icon-attribution.json`. */
  const credits: readonly Credit[];
  export default credits;
  /** False while icons may still be missing from the list, as in the dev server. */
  export const complete: boolean;
}
