import type { FunctionComponent, QwikIntrinsicElements } from '@builder.io/qwik';

export type IconProps = Omit<QwikIntrinsicElements['svg'], 'color' | 'size' | 'title'> & {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
};

declare const icon: FunctionComponent<IconProps>;
export default icon;
