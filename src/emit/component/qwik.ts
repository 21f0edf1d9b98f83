import type { ComponentRuntime } from './component-types.ts';
import { SHARED_CODE } from './shared-code.ts';

/**
 * Inline components: functions that are part of the component which draws them, so that they need none of Qwik's
 * optimiser, and nothing of them is sent to a browser that resumes the page. A server counts ids page by page.
 */
export const qwik: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { jsx } from '@builder.io/qwik';
${SHARED_CODE}
const element = (node, color, id) => {
  if (typeof node === 'string') return node;
  const attributes = {};
  for (const name in node[1]) attributes[name] = fill(node[1][name], color, id);
  if (node[2]) attributes.children = node[2].map((child) => element(child, color, id));
  return jsx(node[0], attributes);
};
export const draw = (icon, props, key, id) => {
  const [root, color, title] = settle(icon, props, id);
  const classes = [icon[3] && icon[3].class, props.class].filter(Boolean);
  if (classes.length) root.class = classes.length > 1 ? classes : classes[0];
  if (props.ref) root.ref = props.ref;
  root.children = [
    ...(title ? [jsx('title', { children: title })] : []),
    ...icon[2].map((node) => element(node, color, id)),
    ...(props.children ? [props.children] : []),
  ];
  return jsx('svg', pass(root, props), key);
};
export const createIcon = (...icon) => (props, key) => draw(icon, props, key);
`,
  unique: String.raw`import { useServerData } from '@builder.io/qwik';
import { draw, nameIds } from "icon:@runtime";
const browser = {};
const counts = new WeakMap();
const idOf = () => {
  // The only object of a page on a server that is public; a browser has none.
  const page = useServerData('containerAttributes') || browser;
  const count = (counts.get(page) || 0) + 1;
  counts.set(page, count);
  return (page === browser ? 'c' : 's') + count;
};
export const createUniqueIcon = (...icon) => (props, key) => draw(icon, props, key, nameIds(icon, idOf()));
`,
};
