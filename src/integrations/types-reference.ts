import type { Options } from '../options/options.ts';

/** Entry point of the ambient types of `icon:*` that hold with these options. */
export function typesEntry({ framework }: Options): string {
  const entry = 'unplugin-icon-catalog/types';
  return typeof framework === 'string' ? `${entry}/${framework}` : entry;
}

/** A declaration file that makes them known. */
export function typesReference(options: Options): string {
  return `/// <reference types="${typesEntry(options)}" />\n`;
}
