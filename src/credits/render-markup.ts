import { escapeHtml } from '../attribution/render/escape-html.ts';
import type { CreditsElement, CreditsNode } from './describe-list.ts';

/** Elements as HTML, for frameworks that take markup. Everything is escaped. */
export function renderMarkup(node: CreditsNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  return renderTag(node.tag, node.attributes, renderChildren(node));
}

export function renderChildren({ children }: CreditsElement): string {
  return children.map(renderMarkup).join('');
}

/**
 * Attributes that are not set, or that HTML cannot hold, are left out. So are functions, which only a browser can use.
 */
export function renderTag(
  tag: string,
  attributes: Readonly<Record<string, unknown>>,
  content: string,
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    const text = toAttribute(name, value);
    return text === null || !/^[^\s"'<>/=\u0000-\u001f]+$/.test(name)
      ? []
      : [` ${name}="${escapeHtml(text)}"`];
  });
  const start = `<${tag}${written.join('')}>`;
  return tag === 'wbr' ? start : `${start}${content}</${tag}>`;
}

/** The text of an attribute; `null` if it is not set. */
export function toAttribute(name: string, value: unknown): string | null {
  const isWord = /^(?:aria|data)-/.test(name);
  if (typeof value === 'boolean') return isWord ? String(value) : value ? '' : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
