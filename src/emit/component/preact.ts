import type { ComponentRuntime } from './component-types.ts';
import { SHARED_CODE } from './shared-code.ts';

/** `preact/hooks` has effects of its own: it is imported by icons with ids only. */
export const preact: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { h } from 'preact';
${SHARED_CODE}
const element = (node, color, id) => {
  if (typeof node === 'string') return node;
  const attributes = {};
  for (const name in node[1]) attributes[name] = fill(node[1][name], color, id);
  return h(node[0], attributes, (node[2] || []).map((child) => element(child, color, id)));
};
export const draw = (icon, props, id) => {
  const [root, color, title] = settle(icon, props, id);
  const classes = [icon[3] && icon[3].class, props.class, props.className].filter(Boolean).join(' ');
  if (classes) root.class = classes;
  if (props.ref) root.ref = props.ref;
  return h(
    'svg',
    pass(root, props),
    title ? h('title', null, title) : null,
    icon[2].map((node) => element(node, color, id)),
    props.children,
  );
};
export const createIcon = (...icon) => (props) => draw(icon, props);
`,
  unique: String.raw`import { useId } from 'preact/hooks';
import { draw, nameIds } from "icon:@runtime";
export const createUniqueIcon = (...icon) => (props) =>
  draw(icon, props, nameIds(icon, useId()));
`,
};
