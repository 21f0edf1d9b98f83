import type { SvgTemplate } from '../../types.ts';

/** Text with open slots: `0` is the colour, `1` the id namespace, and so is a lone `0`. */
export type Slotted = string | 0 | SvgTemplate;

/** One element of a drawing; a string is text. */
export interface DrawnElement {
  name: string;
  attributes: Record<string, Slotted>;
  children: (DrawnElement | string)[];
}

/** An icon whose colour, size, title, class and id namespace are still open. */
export interface Drawing {
  /** `min-x min-y width height`. */
  viewBox: string;
  /** Width divided by height. */
  ratio: number;
  /** Attributes of the root that are part of the drawing. */
  attributes: Record<string, Slotted>;
  children: (DrawnElement | string)[];
}

/** How a framework's components are written. */
export interface ComponentRuntime {
  /** What the body of an icon is handed over as: elements, or markup. */
  body: 'tree' | 'markup';
  /** The framework's name of an SVG attribute. @default the name itself */
  attributeName?(name: string): string;
  /** Module that exports `createIcon(viewBox, attributes, body, usual)`. */
  base: string;
  /** Module that exports `createUniqueIcon`, of the same parameters, for drawings with ids. It may import `base`. */
  unique: string;
}

/** Specifier of `base`. No alias can be written like it, and a user has no reason to. */
export const RUNTIME_SPECIFIER = 'icon:@runtime';
/** Specifier of `unique`. */
export const UNIQUE_SPECIFIER = 'icon:@unique';
