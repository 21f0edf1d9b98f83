/// <reference path="./ambient/forms.d.ts" />

/**
 * Ambient types of `icon:` imports. In tsconfig.json:
 *
 *     { "compilerOptions": { "types": ["unplugin-icon-catalog/types"] } }
 *
 * A module name pattern of TypeScript has one `*`, and of several that fit the one declared first is taken.
 * So a form is recognised where it ends the specifier: write `as=meta` last.
 */

declare module 'icon:set?*' {
  /** Icons by the names in `ids`. `icon-catalog sync` and Vite's dev server write exact types into `icon-catalog.d.ts`. */
  const icons: Readonly<Record<string, string | undefined>>;
  export default icons;
}

declare module 'icon:*' {
  import type { Credit, IconInfo } from 'unplugin-icon-catalog/client';

  /** Markup for a page, without `xmlns` (`as=svg`), an address (`as=url`) or a data URI (`as=data`). */
  const content: string;
  export default content;
  /** The icon's credit. Costs nothing where it is not used. */
  export const credit: Credit;
  /** Id, name, creator, licence and address of the icon. Costs nothing where it is not used. */
  export const icon: IconInfo;
}
