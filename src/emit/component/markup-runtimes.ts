import {
  ATTRIBUTES_CODE,
  type ComponentRuntime,
  COUNTED_IDS,
  MARKUP_CODE,
  OWN_CODE,
  PASS_CODE,
  SHARED_CODE,
} from './shared.ts';

/** `Dynamic` draws on the server, hydrates and spreads without Solid's compiler. */
export const solid: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { createComponent, mergeProps, splitProps } from 'solid-js';
import { Dynamic } from 'solid-js/web';
${SHARED_CODE}${MARKUP_CODE}
export const draw = (icon, props, id) => {
  const [, rest] = splitProps(props, ['size', 'color', 'title', 'class', 'className', 'children']);
  const settled = () => {
    const [root] = settle(icon, props, id);
    const classes = [icon[3] && icon[3].class, props.class, props.className].filter(Boolean).join(' ');
    return classes ? { ...root, class: classes } : root;
  };
  return createComponent(
    Dynamic,
    mergeProps({ component: 'svg' }, settled, rest, {
      get innerHTML() {
        const [, color, title] = settle(icon, props, id);
        return bodyOf(icon, color, title, id);
      },
    }),
  );
};
export const createIcon = (...icon) => (props) => draw(icon, props);
`,
  unique: String.raw`import { createUniqueId } from 'solid-js';
import { draw, nameIds } from "icon:@runtime";
export const createUniqueIcon = (...icon) => (props) =>
  draw(icon, props, nameIds(icon, createUniqueId()));
`,
};

/**
 * A component is a function of where it stands and its props; `createRawSnippet` does the rest on both sides, hydration
 * included, and `toStore` follows the props. Both are public, where compiled code imports `svelte/internal`, which
 * changes with every minor version and differs between server and browser.
 *
 * Ids of a server are unique within its page, and what a browser hydrates keeps them.
 */
export const svelte: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { createRawSnippet } from 'svelte';
import { toStore } from 'svelte/store';
${SHARED_CODE}${OWN_CODE}${MARKUP_CODE}${ATTRIBUTES_CODE}
const hidden = { $$slots: 1, $$events: 1, $$legacy: 1, $$props: 1 };
const classesOf = (value) =>
  !value ? ''
  : Array.isArray(value) ? value.map(classesOf).filter(Boolean).join(' ')
  : typeof value === 'object' ? Object.keys(value).filter((name) => value[name]).join(' ')
  : value + '';
const look = (icon, props, id) => {
  const [root, color, title] = settle(icon, props, id);
  const classes = [icon[3] && icon[3].class, classesOf(props.class)].filter(Boolean).join(' ');
  if (classes) root.class = classes;
  for (const name of Reflect.ownKeys(props))
    if (!own[name] && !hidden[name] && props[name] !== undefined) root[name] = props[name];
  return [root, bodyOf(icon, color, title, id)];
};
const isEvent = (name, value) => name.startsWith('on') && typeof value === 'function';
const change = (svg, name, before, after) => {
  if (isEvent(name, before) || isEvent(name, after)) {
    const isCapture = name.endsWith('capture') && !name.endsWith('pointercapture');
    const event = name.slice(2, isCapture ? -7 : undefined);
    if (before) svg.removeEventListener(event, before, isCapture);
    if (after) svg.addEventListener(event, after, isCapture);
  } else if (after == null || after === false) svg.removeAttribute(name);
  else svg.setAttribute(name, after === true ? '' : after);
};
const follow = (svg, icon, props, ids) => {
  const written = ids && ids.of(svg, icon);
  const id = ids && (written || ids.next());
  let seen = {};
  let shown = look(icon, props, id)[1];
  const leave = new Map();
  const end = (name) => {
    if (typeof leave.get(name) === 'function') leave.get(name)();
    leave.delete(name);
  };
  if (id && !written) svg.innerHTML = shown;
  const stop = toStore(() => look(icon, props, id)).subscribe(([next, body]) => {
    for (const name of Reflect.ownKeys({ ...seen, ...next })) {
      if (seen[name] === next[name]) continue;
      if (typeof name === 'symbol') {
        end(name);
        if (next[name]) leave.set(name, next[name](svg));
      } else change(svg, name, seen[name], next[name]);
    }
    if (body !== shown) svg.innerHTML = body;
    seen = next;
    shown = body;
  });
  return () => {
    stop();
    for (const name of [...leave.keys()]) end(name);
  };
};
export const draw = (anchor, icon, props, ids) => {
  createRawSnippet(() => ({
    render: () => {
      const [root, body] = look(icon, props, ids && ids.next());
      for (const name in root) if (isEvent(name, root[name])) delete root[name];
      return '<svg' + writeAttributes(root) + '>' + body + '</svg>';
    },
    setup: (svg) => follow(svg, icon, props, ids),
  }))(anchor);
};
export const createIcon = (...icon) => (anchor, props) => draw(anchor, icon, props);
`,
  unique: String.raw`import { draw, nameIds } from "icon:@runtime";
${COUNTED_IDS}const of = (svg, [, , parts]) => {
  const at = parts.findIndex((part, at) => part === 1 && (parts[at - 1] + '').endsWith(' id="'));
  const [rest] = (parts[at + 1] + '').split('"');
  const first = svg.querySelector('[id]');
  return at > 0 && first && first.id.endsWith(rest) ? first.id.slice(0, -rest.length) : undefined;
};
export const createUniqueIcon = (...icon) => (anchor, props) => {
  const page = anchor.global || anchor;
  const next = () => (page.uid ? nameIds(icon, page.uid()) : countIds());
  draw(anchor, icon, props, { next, of });
};
`,
};

/**
 * Functions that give a template; names of properties are those that a Lit template would have (`class`, `@click`).
 * Lit identifies templates by their strings, so the same names give the same strings.
 *
 * Lit knows nothing of the page that a template is for, so ids are counted over the life of the process unless `id` says.
 */
export const lit: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { html } from 'lit/html.js';
import { ref } from 'lit/directives/ref.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
${SHARED_CODE}${PASS_CODE}
const escape = (text) => (text + '').replace(/[&<>"']/g, (unit) => '&#' + unit.charCodeAt(0) + ';');
const known = new Map();
export const draw = (icon, props, id) => {
  const [root, color, title] = settle(icon, props, id);
  const classes = [icon[3] && icon[3].class, props.class].filter(Boolean).join(' ');
  if (classes) root.class = classes;
  pass(root, props);
  const strings = ['<svg'];
  const values = [];
  const write = (text) => { strings[strings.length - 1] += text; };
  const put = (before, value) => {
    write(before);
    values.push(value);
    strings.push('');
  };
  if (props.ref) put(' ', ref(props.ref));
  for (const name in root) {
    if (!/^[@?.]?[a-z_][\w:.-]*$/i.test(name) || root[name] == null) continue;
    if (/^[@?.]/.test(name)) put(' ' + name + '=', root[name]);
    else {
      put(' ' + name + '="', root[name]);
      write('"');
    }
  }
  write('>');
  if (title) put('', unsafeSVG('<title>' + escape(title) + '</title>'));
  for (const part of [].concat(icon[2])) {
    if (typeof part === 'string') write(part);
    else put('', part === 0 ? color : id);
  }
  write('</svg>');
  const key = strings.join('\0');
  if (!known.has(key)) known.set(key, Object.assign(strings, { raw: strings }));
  return html(known.get(key), ...values);
};
export const createIcon = (...icon) => (props = {}) => draw(icon, props);
`,
  unique: String.raw`import { directive, Directive } from 'lit/directive.js';
import { draw } from "icon:@runtime";
${COUNTED_IDS}// No counted id has the hyphen of these.
const givenIds = (id) => id && 'i-' + (id + '').replace(/[^\w-]/g, (unit) => '_' + unit.charCodeAt(0).toString(16));
export const createUniqueIcon = (...icon) =>
  directive(
    class extends Directive {
      render(props = {}) {
        return draw(icon, props, givenIds(props.id) || (this.id ??= countIds()));
      }
    },
  );
`,
};

const BASE = String.raw`
export const create = (icon, hasIds) => {
  let tag;
  const draw = (props) => {
    // The role is that of the element.
    const [root, color, title] = settle(icon, { ...props, role: '' }, 'i');
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
      const attributes = { ...props };
      delete attributes.tag;
      delete attributes.children;
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
  base: `${SHARED_CODE.trimStart()}${MARKUP_CODE}${ATTRIBUTES_CODE}${BASE}`,
  unique: String.raw`import { create } from "icon:@runtime";
export const createUniqueIcon = (...icon) => create(icon, true);
`,
};

/** What a compiled `.astro` file is, of the functions that such a file imports. Ids are counted page by page. */
export const astro: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { createComponent, render, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime';
${SHARED_CODE}${PASS_CODE}${MARKUP_CODE}
export const draw = (icon, props, id) => {
  const [root, color, title] = settle(icon, props, id);
  const { 'class:list': list, ...rest } = props;
  const classes = [icon[3] && icon[3].class, props.class, list].filter(Boolean);
  if (classes.length) root['class:list'] = classes;
  return render${'`'}<svg${'$'}{spreadAttributes(pass(root, rest))}>${'$'}{unescapeHTML(bodyOf(icon, color, title, id))}</svg>${'`'};
};
export const createIcon = (...icon) => createComponent((result, props) => draw(icon, props));
`,
  unique: String.raw`import { createComponent } from 'astro/compiler-runtime';
import { draw, nameIds } from "icon:@runtime";
const counts = new WeakMap();
const idOf = (result) => {
  // The page's own object: components within components get copies of the result.
  const page = result.scripts || result;
  const count = (counts.get(page) || 0) + 1;
  counts.set(page, count);
  return count;
};
export const createUniqueIcon = (...icon) =>
  createComponent((result, props) => draw(icon, props, nameIds(icon, idOf(result))));
`,
};
