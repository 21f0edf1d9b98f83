/** What is the same with every framework, and must be declared before `icon:*`: the first pattern that fits is taken. */

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
