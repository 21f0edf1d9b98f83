import type { ComponentRuntime } from './component-types.ts';
import { SHARED_CODE } from './shared-code.ts';

/** Functional components: a template ref is then the `<svg>` itself. Their id is kept per instance, as `useId` counts on. */
export const vue: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { h, mergeProps } from 'vue';
${SHARED_CODE}
const element = (node, color, id) => {
  if (typeof node === 'string') return node;
  const attributes = {};
  for (const name in node[1]) attributes[name] = fill(node[1][name], color, id);
  return h(node[0], attributes, (node[2] || []).map((child) => element(child, color, id)));
};
export const draw = (icon, props, slots, id) => {
  const [root, color, title] = settle(icon, props, id);
  const usual = icon[3] && icon[3].class;
  return h('svg', mergeProps(root, usual ? { class: usual } : {}, pass({}, props), props.class ? { class: props.class } : {}), [
    ...(title ? [h('title', null, title)] : []),
    ...icon[2].map((node) => element(node, color, id)),
    ...(slots.default ? slots.default() : []),
  ]);
};
export const component = (render) => Object.assign(render, { inheritAttrs: false });
export const createIcon = (...icon) => component((props, { slots }) => draw(icon, props, slots));
`,
  unique: String.raw`import { getCurrentInstance, useId } from 'vue';
import { component, draw, nameIds } from "icon:@runtime";
const ids = new WeakMap();
const idOf = (instance) => {
  if (!ids.has(instance)) ids.set(instance, useId());
  return ids.get(instance);
};
export const createUniqueIcon = (...icon) =>
  component((props, { slots }) => draw(icon, props, slots, nameIds(icon, idOf(getCurrentInstance()))));
`,
};
