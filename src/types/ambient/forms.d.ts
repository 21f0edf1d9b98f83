/// <reference path="../credits.d.ts" />

/** What is the same with every framework, and must be declared before `icon:*`: the first pattern that fits is taken. */

declare module 'icon:*as=meta' {
  import type { Credit, IconInfo, IconRecord } from 'unplugin-icon-catalog/client';

  /** What the catalog knows about the icon. Nothing is drawn and nothing is shipped. */
  const record: Readonly<IconRecord>;
  export default record;
  export const credit: Credit;
  export const icon: IconInfo;
}
