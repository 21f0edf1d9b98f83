import type { ComponentRuntime } from './component-types.ts';
import { MARKUP_CODE, SHARED_CODE } from './shared-code.ts';

const BASE = String.raw`
export const create = (icon, hasIds) => {
  let tag;
  const draw = (props) => {
    const [root, color, title] = settle(icon, props, 'i');
    if (hasIds) root.part = 'svg';
    return '<svg' + writeAttributes(root) + '>' + bodyOf(icon, color, title, 'i') + '</svg>';
  };
  return class Icon extends (globalThis.HTMLElement || Object) {
    static observedAttributes = ['color', 'size', 'title'];
    static define(name) {
      if (tag && (!name || name === tag)) return tag;
      let wanted = name || icon[3].tag;
      for (let next = 2; !name && customElements.get(wanted); next += 1) wanted = icon[3].tag + '-' + next;
      // Elements that are in the page already are made within the call.
      const first = !tag;
      if (first) tag = wanted;
      try {
        customElements.define(wanted, first ? this : class extends this {});
      } catch (error) {
        if (first) tag = undefined;
        throw error;
      }
      return wanted;
    }
    static toHTML(props = {}) {
      const name = props.tag || tag || icon[3].tag;
      const classes = [icon[3].class, props.class].filter(Boolean).join(' ');
      const { tag: _, children, ...attributes } = props;
      if (classes) attributes.class = classes;
      const drawing = hasIds ? '<template shadowrootmode="open">' + draw(props) + '</template>' : draw(props);
      return '<' + name + writeAttributes(attributes) + '>' + drawing + '</' + name + '>';
    }
    #place;
    constructor() {
      new.target.define();
      super();
    }
    connectedCallback() {
      if (icon[3].class) this.classList.add(...icon[3].class.split(' '));
      this.#place ??= hasIds ? this.shadowRoot || this.attachShadow({ mode: 'open' }) : this;
      const first = this.#place.firstElementChild;
      if (!first || first.localName !== 'svg') this.#draw();
    }
    attributeChangedCallback() {
      if (this.#place) this.#draw();
    }
    #draw() {
      const props = {};
      for (const name of Icon.observedAttributes) if (this.hasAttribute(name)) props[name] = this.getAttribute(name);
      this.#place.innerHTML = draw(props);
    }
    get size() {
      return this.getAttribute('size');
    }
    set size(value) {
      this.setAttribute('size', value);
    }
    get color() {
      return this.getAttribute('color');
    }
    set color(value) {
      this.setAttribute('color', value);
    }
  };
};
export const createIcon = (...icon) => create(icon);
`;

/**
 * Classes of custom elements that hold an `<svg>`. Nothing is registered before it is used: `define()` does it, and so
 * does `new`, so that a module that only imports an icon can be shaken.
 *
 * A drawing with ids lies in a shadow root, where ids are of that tree alone: nothing is counted, and a server, a browser
 * and the next page have the same markup. All others lie in the element itself, within reach of the page's styles.
 */
export const webComponent: ComponentRuntime = {
  body: 'markup',
  base: `${SHARED_CODE.trimStart()}${MARKUP_CODE}${BASE}`,
  unique: String.raw`import { create } from "icon:@runtime";
export const createUniqueIcon = (...icon) => create(icon, true);
`,
};
