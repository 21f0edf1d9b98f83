/** Attributes of the element; those that are not ours are its own. */
export interface IconProps {
  /** Height, as a number of pixels or a CSS length; the width follows. */
  size?: number | string | undefined;
  /** Takes the place of the icon's colour. */
  color?: string | undefined;
  /** Accessible name; without one the icon is hidden from screen readers. */
  title?: string | undefined;
  [attribute: string]: unknown;
}

export interface IconElement extends HTMLElement {
  size: number | string | null;
  color: string | null;
}

export interface IconElementClass {
  /** Registers the element under a name of its own if need be. */
  new (): IconElement;
  prototype: IconElement;
  /**
   * Registers the element, once.
   * @param name a name with a hyphen. Default: one that no other element has, such as `icon-star-123`
   * @returns the name it is registered under
   */
  define(name?: string): string;
  /** The element with its drawing as HTML, for a server. `tag`: the name that the page will register it under. */
  toHTML(props?: IconProps & { tag?: string }): string;
}

declare const icon: IconElementClass;
export default icon;
