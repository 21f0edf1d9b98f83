import type { SvgTemplate } from '../../types.ts';
import type { DrawnElement, Slotted } from './component-types.ts';

/** Elements as markup for an HTML parser, with the slots still open; one string where there are none. */
export function writeTemplate(children: readonly (DrawnElement | string)[]): string | SvgTemplate {
  const parts: SvgTemplate = [''];
  const put = (part: SvgTemplate[number]): void => {
    const last = parts.length - 1;
    const before = parts[last];
    if (typeof part === 'string' && typeof before === 'string') parts[last] = before + part;
    else parts.push(part);
  };
  const write = (node: DrawnElement | string): void => {
    if (typeof node === 'string') return put(escape(node));
    put(`<${node.name}`);
    for (const [name, value] of Object.entries(node.attributes)) {
      put(` ${name}="`);
      for (const part of toParts(value)) put(typeof part === 'string' ? escape(part) : part);
      put('"');
    }
    if (node.children.length === 0) return put('/>');
    put('>');
    node.children.forEach(write);
    put(`</${node.name}>`);
  };
  children.forEach(write);
  const [only = ''] = parts;
  return parts.length === 1 && typeof only === 'string' ? only : parts;
}

export function toParts(value: Slotted): SvgTemplate {
  return Array.isArray(value) ? value : [value];
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
