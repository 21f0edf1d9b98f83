/** Attributes of the `<svg>`. */
export interface IconProps {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
  class?: string | undefined;
  'class:list'?: unknown;
  style?: string | Record<string, string | number> | undefined;
  [attribute: string]: unknown;
}

declare const icon: (props: IconProps) => unknown;
export default icon;

declare global {
  namespace astroHTML.JSX {
    interface ImgHTMLAttributes {
      /** Draws the icon of `src` into the page. */
      inline?: boolean | undefined | null;
    }
  }
}
