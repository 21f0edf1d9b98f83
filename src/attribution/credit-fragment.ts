import { toPlainLine } from './plain-text.ts';

/** Fragment under which the page holds an icon's credit, safe in an attribute and in an address. */
export function creditFragment(id: string): string {
  return `icon-${encodeURIComponent(toPlainLine(id)).replaceAll("'", '%27')}`;
}
