import type { ComponentRuntime } from './component-types.ts';
import { COUNTED_IDS, MARKUP_CODE, SHARED_CODE } from './shared-code.ts';

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
${SHARED_CODE}${MARKUP_CODE}
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
