import type { Credit, IconInfo } from './types.ts';

/** The vocabulary of components. */

/** Frameworks that components are written for. */
export const FRAMEWORKS = [
  'react',
  'preact',
  'vue',
  'solid',
  'svelte',
  'lit',
  'web-component',
  'astro',
  'qwik',
] as const;

export type Framework = (typeof FRAMEWORKS)[number];

/** An element of a drawing, or its text. Names and values are SVG's own, not escaped. */
export type ComponentNode =
  | string
  | { name: string; attributes: Record<string, string>; children: ComponentNode[] };

/** The parameter of a function that is set as `framework`: one icon as it was requested. Its texts are untrusted. */
export interface ComponentIcon {
  /** Id in the catalog. */
  id: number;
  /** The whole icon, `<svg …>…</svg>`. */
  markup: string;
  /** `min-x min-y width height`. */
  viewBox: string;
  /** Width divided by height. */
  ratio: number;
  /** Attributes of the root that belong to the drawing, such as `fill`. */
  attributes: Record<string, string>;
  /** What stands in the root. Ids begin with `i<id>`. */
  children: ComponentNode[];
  /** `currentColor`, or `#` and six hex digits. */
  color: string;
  /** A CSS length, or a number of pixels. */
  size: string;
  /** Accessible name; `null`: decorative. */
  title: string | null;
  /** Class names of the root. */
  class: string | null;
  credit: Credit;
  icon: IconInfo;
}

/**
 * Writes the module of one icon: plain JavaScript with a default export and nothing called `credit` or `icon`, which
 * are added. What it imports is resolved as if the project's root did.
 */
export type ComponentWriter = (icon: ComponentIcon) => string | Promise<string>;

/** Entry point of the ambient types of `icon:*` that hold with this framework. */
export function typesEntry(framework: Framework | ComponentWriter | undefined): string {
  const entry = 'unplugin-icon-catalog/types';
  return typeof framework === 'string' ? `${entry}/${framework}` : entry;
}
