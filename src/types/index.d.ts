/**
 * Ambient types of `icon:` imports. In tsconfig.json:
 *
 *     { "compilerOptions": { "types": ["unplugin-icon-catalog/types"] } }
 *
 * A module name pattern of TypeScript has one `*`, and of several that fit the one declared first is taken.
 * So a form is recognised where it ends the specifier: write `as=meta` last.
 */

declare module 'icon:credits' {
  import type { Credit } from 'unplugin-icon-catalog';

  /** One credit for every icon that this build ships, in the order of `icon-attribution.json`. */
  const credits: readonly Credit[];
  export default credits;
  /** False while icons may still be missing from the list, as in the dev server. */
  export const complete: boolean;
}

declare module 'icon:*as=meta' {
  import type { Credit, IconInfo, IconRecord } from 'unplugin-icon-catalog';

  /** What the catalog knows about the icon. Nothing is drawn and nothing is shipped. */
  const record: Readonly<IconRecord>;
  export default record;
  export const credit: Credit;
  export const icon: IconInfo;
}

declare module 'icon:*' {
  import type { Credit, IconInfo } from 'unplugin-icon-catalog';

  /** Markup (`as=svg`), an address (`as=url`) or a data URI (`as=data`). */
  const content: string;
  export default content;
  /** The icon's credit. Costs nothing where it is not used. */
  export const credit: Credit;
  /** Id, name, creator, licence and address of the icon. Costs nothing where it is not used. */
  export const icon: IconInfo;
}
