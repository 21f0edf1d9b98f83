import type { TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { RefOrCallback } from 'lit/directives/ref.js';

/** Names as a template has them: `class`, `'@click'`, `'?hidden'`, `'.id'`. */
export interface IconProps {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
  ref?: RefOrCallback | undefined;
  [attribute: string]: unknown;
}

declare const icon: (props?: IconProps) => TemplateResult | DirectiveResult;
export default icon;
