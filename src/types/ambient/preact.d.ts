/// <reference path="./forms.d.ts" />
/// <reference path="./texts.d.ts" />

declare module 'icon:set?*' {
  /** Components by the names in `ids`. `icon-catalog sync` and Vite's dev server write exact types. */
  const icons: Readonly<
    Record<string, typeof import('unplugin-icon-catalog/types/preact').default | undefined>
  >;
  export default icons;
}

declare module 'icon:*' {
  /** A component of the option `framework: 'preact'`. */
  const component: typeof import('unplugin-icon-catalog/types/preact').default;
  export default component;
  /** The icon's credit. Costs nothing where it is not used. */
  export const credit: import('unplugin-icon-catalog/client').Credit;
  /** Id, name, creator, licence and address of the icon. Costs nothing where it is not used. */
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}
