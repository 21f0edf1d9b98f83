import { type Component, createRawSnippet } from 'svelte';
import type { ClassValue, HTMLAttributes } from 'svelte/elements';
import { toStore } from 'svelte/store';
import {
  type CreditsProps,
  parseProps,
  describeList,
  renderChildren,
  renderTag,
  toAttribute,
} from './describe-list.ts';

/** Props of `<IconCredits>`; all others go to its `<div>`. */
export interface IconCreditsProps
  extends CreditsProps, Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'class'> {
  class?: ClassValue | undefined;
}

/** Names that compiled code adds to props. */
const COMPILED = new Set(['$$slots', '$$events', '$$legacy', '$$props', 'children']);

/**
 * The credits of the icons that this build ships, by licence. On servers and in browsers.
 *
 * @example
 * <script>
 *   import credits from 'icon:credits';
 *   import IconCredits from 'unplugin-icon-catalog/credits/svelte';
 * </script>
 *
 * <IconCredits {credits} heading={3} class="credits" />
 */
const IconCredits: Component<IconCreditsProps> = ((anchor: never, props: IconCreditsProps) => {
  const snippet = createRawSnippet(() => ({
    render: () => {
      const { attributes, content } = look(props);
      const shown = Object.entries(attributes).filter(([name]) => !name.startsWith('on'));
      return renderTag('div', Object.fromEntries(shown), content);
    },
    setup: (element) => followProps(element, () => look(props)),
  })) as unknown as (anchor: never) => void;
  snippet(anchor);
}) as unknown as Component<IconCreditsProps>;

export default IconCredits;

function look(props: IconCreditsProps): ListLook {
  const { credits, heading, grouped, class: given, ...rest } = props;
  const root = describeList(parseProps({ credits, heading, grouped }));
  const attributes: Record<string | symbol, unknown> = { ...root.attributes };
  for (const name of Reflect.ownKeys(rest)) {
    if (!COMPILED.has(String(name))) attributes[name] = Reflect.get(rest, name);
  }
  attributes['class'] = joinClasses([root.attributes['class'], given]);
  return { attributes, content: renderChildren(root) };
}

interface ListLook {
  /** Attributes, listeners (`onclick`) and attachments (symbols). */
  attributes: Record<string | symbol, unknown>;
  /** The markup inside. */
  content: string;
}

/**
 * Keeps an element up to date with its props, from what a server or `render` has drawn. Returns the function that ends
 * it.
 */
function followProps(element: Element, look: () => ListLook): () => void {
  let seen: ListLook['attributes'] = {};
  let shown: string | undefined;
  const endByName = new Map<symbol, () => void>();
  const end = (name: symbol): void => {
    endByName.get(name)?.();
    endByName.delete(name);
  };
  const stop = toStore(look).subscribe(({ attributes, content }) => {
    // The server may have had other icons than the browser.
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

/** Class names as Svelte accepts them: texts, lists, and objects of names that are on. */
function joinClasses(value: unknown): string {
  if (Array.isArray(value)) return value.map(joinClasses).filter(Boolean).join(' ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .flatMap(([name, isOn]) => (isOn ? [name] : []))
      .join(' ');
  }
  return typeof value === 'string' ? value : '';
}
