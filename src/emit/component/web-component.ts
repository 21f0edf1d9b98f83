import type { ComponentRuntime } from './component-types.ts';
import { COUNTED_IDS, MARKUP_CODE, SHARED_CODE } from './shared-code.ts';

const BASE = String.raw`
export const create = (icon, idOf) => {
  let tag;
  const draw = (props) => {
    const id = idOf && idOf(props.id);
    const [root, color, title] = settle(icon, props, id);
    return '<svg' + writeAttributes(root) + '>' + bodyOf(icon, color, title, id) + '</svg>';
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
      return '<' + name + writeAttributes(attributes) + '>' + draw(props) + '</' + name + '>';
    }
    #drawn = false;
    constructor() {
      new.target.define();
      super();
    }
    connectedCallback() {
      if (icon[3].class) this.classList.add(...icon[3].class.split(' '));
      if (!this.firstElementChild || this.firstElementChild.localName !== 'svg') this.#draw();
      this.#drawn = true;
    }
    attributeChangedCallback() {
      if (this.#drawn) this.#draw();
    }
    #draw() {
      const props = { id: this.id };
      for (const name of Icon.observedAttributes) if (this.hasAttribute(name)) props[name] = this.getAttribute(name);
      this.innerHTML = draw(props);
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
 */
export const webComponent: ComponentRuntime = {
  body: 'markup',
  base: `${SHARED_CODE.trimStart()}${MARKUP_CODE}${BASE}`,
  unique: String.raw`import { create } from "icon:?runtime";
${COUNTED_IDS}export const createUniqueIcon = (...icon) => create(icon, (id) => nameIds(id) || countIds());
`,
};
