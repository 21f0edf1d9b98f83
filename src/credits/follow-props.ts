import { toStore } from 'svelte/store';
import { toAttribute } from './render-markup.ts';

export interface ListLook {
  /** Attributes, listeners (`onclick`) and attachments (symbols). */
  attributes: Record<string | symbol, unknown>;
  /** Markup inside. */
  content: string;
}

/** Keeps an element as its props say, from what a server or `render` has drawn on. Returns the end of it. */
export function followProps(element: Element, look: () => ListLook): () => void {
  let seen: ListLook['attributes'] = {};
  let shown: string | undefined;
  const endByName = new Map<symbol, () => void>();
  const end = (name: symbol): void => {
    endByName.get(name)?.();
    endByName.delete(name);
  };
  const stop = toStore(look).subscribe(({ attributes, content }) => {
    // The server may have known other icons than the browser.
    const isSame = shown === undefined ? holds(element, content) : content === shown;
    if (!isSame) element.innerHTML = content;
    for (const name of new Set([...Reflect.ownKeys(seen), ...Reflect.ownKeys(attributes)])) {
      const [before, after] = [seen[name], attributes[name]];
      if (before === after) continue;
      if (typeof name === 'string') changeAttribute(element, { name, before, after });
      else {
        end(name);
        const left: unknown = typeof after === 'function' ? after(element) : undefined;
        if (typeof left === 'function') endByName.set(name, () => void left());
      }
    }
    seen = attributes;
    shown = content;
  });
  return () => {
    stop();
    for (const name of endByName.keys()) end(name);
  };
}

function holds(element: Element, content: string): boolean {
  const copy = element.cloneNode(false) as Element;
  copy.innerHTML = content;
  return copy.isEqualNode(element);
}

function changeAttribute(
  element: Element,
  { name, before, after }: { name: string; before: unknown; after: unknown },
): void {
  if (name.startsWith('on') && (isListener(before) || isListener(after))) {
    const event = name.slice(2);
    if (isListener(before)) element.removeEventListener(event, before);
    if (isListener(after)) element.addEventListener(event, after);
    return;
  }
  const text = toAttribute(name, after);
  if (text === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

function isListener(value: unknown): value is (event: Event) => void {
  return typeof value === 'function';
}
