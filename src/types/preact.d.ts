import type { FunctionComponent, JSX, Ref } from 'preact';

export interface IconProps extends Omit<
  JSX.IntrinsicElements['svg'],
  'color' | 'ref' | 'size' | 'title'
> {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
  ref?: Ref<SVGSVGElement> | undefined;
}

declare const icon: FunctionComponent<IconProps>;
export default icon;
