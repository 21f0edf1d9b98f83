import type { ForwardRefExoticComponent, RefAttributes, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'ref'> {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
}

declare const icon: ForwardRefExoticComponent<IconProps & RefAttributes<SVGSVGElement>>;
export default icon;
