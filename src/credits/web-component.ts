import type { Credit } from '../types.ts';
import {
  type CreditsProps,
  parseProps,
  type CreditsNode,
  describeList,
  renderMarkup,
  renderTag,
} from './describe-list.ts';

/** The attributes of the element besides its own. */
export interface IconCreditsProps extends CreditsProps {
  class?: string | undefined;
  [attribute: string]: unknown;
}

export interface IconCreditsElement extends HTMLElement {
  /** The default export of `icon:credits`. Nothing is shown before it is set. */
  credits: readonly Credit[] | undefined;
}

export interface IconCreditsElementClass {
  new (): IconCreditsElement;
  prototype: IconCreditsElement;
  /**
   * Registers the element, once.
   * @param name a name with a hyphen. Default: `icon-credits`
   * @returns the name under which it is registered
   */
  define(name?: string): string;
  /** The element with its list as HTML, for a server. `tag`: the name that the page will register it under. */
  toHTML(props: IconCreditsProps & { tag?: string }): string;
}

let registered: string | undefined;
const DEFAULT_TAG = 'icon-credits';

// A server has no elements and needs only `toHTML`.
const Base = globalThis.HTMLElement ?? Object;

/**
 * The credits of the icons that this build ships, by licence, as a custom element. The list stands in the page itself,
 * so that its styles, searches and `#icon-ID` reach it. Attributes: `heading="3"`, `grouped="false"`.
 *
 * @example
 * import credits from 'icon:credits';
 * import IconCredits from 'unplugin-icon-catalog/credits/web-component';
 *
 * IconCredits.define();
 * document.querySelector('icon-credits').credits = credits;
 */
const IconCredits: IconCreditsElementClass = class List extends Base implements IconCreditsElement {
  static readonly observedAttributes = ['heading', 'grouped'];

  static define(name: string = registered ?? DEFAULT_TAG): string {
    const known = customElements.get(name);
    if (known === List || known?.prototype instanceof List) return name;
    // A class can be registered once.
    customElements.define(name, registered === undefined ? List : class extends List {});
    registered ??= name;
    return name;
  }

  static toHTML({
    credits,
    tag = registered ?? DEFAULT_TAG,
    ...rest
  }: IconCreditsProps & { tag?: string }): string {
    const { heading, grouped, ...attributes } = rest;
    const own = { heading, grouped: grouped === undefined ? undefined : String(grouped) };
    const list = describeList(parseProps({ credits, heading, grouped }));
    return renderTag(tag, { ...attributes, ...own }, renderMarkup(list));
  }

  #credits: readonly Credit[] | undefined;

  get credits(): readonly Credit[] | undefined {
    return this.#credits;
  }

  set credits(credits: readonly Credit[] | undefined) {
    this.#credits = credits;
    this.#draw();
  }

  connectedCallback(): void {
    // A property that was set before the element was registered hides the setter.
    const early = Object.getOwnPropertyDescriptor(this, 'credits');
    if (early === undefined) return;
    Reflect.deleteProperty(this, 'credits');
    this.credits = early.value as readonly Credit[];
  }

  attributeChangedCallback(): void {
    this.#draw();
  }

  #draw(): void {
    if (this.#credits === undefined) return;
    const list = buildNode(
      describeList(
        parseProps({
          credits: this.#credits,
          heading: (this.getAttribute('heading') ?? undefined) as `${number}` | undefined,
          grouped: this.getAttribute('grouped') !== 'false',
        }),
      ),
    );
    // The list that a server has drawn stays as it is.
    if (this.childNodes.length !== 1 || !list.isEqualNode(this.firstChild))
      this.replaceChildren(list);
  }
};

export default IconCredits;

/** The elements as nodes of a document. */
function buildNode(node: CreditsNode): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const element = document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  element.append(...node.children.map(buildNode));
  return element;
}
