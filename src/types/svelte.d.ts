import type { Component } from 'svelte';
import type { SVGAttributes } from 'svelte/elements';

export interface IconProps extends Omit<
  SVGAttributes<SVGSVGElement>,
  'children' | 'color' | 'size' | 'title'
> {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
}

declare const icon: Component<IconProps>;
export default icon;
