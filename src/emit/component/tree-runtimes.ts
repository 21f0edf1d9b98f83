import { type ComponentRuntime, PASS_CODE, SHARED_CODE } from './shared.ts';

/** Elements of libraries whose `h` takes a list of children. */
const ELEMENT_CODE = String.raw`const element = (node, color, id) => {
  if (typeof node === 'string') return node;
  const attributes = {};
  for (const name in node[1]) attributes[name] = fill(node[1][name], color, id);
  return h(node[0], attributes, (node[2] || []).map((child) => element(child, color, id)));
};
`;

/** Elements made by `createElement`; refs go through `forwardRef`, which React 18 needs and React 19 takes. */
export const react: ComponentRuntime = {
  body: 'tree',
  attributeName: (name) =>
    /^(?:aria|data)-/.test(name)
      ? name
      : name.replaceAll(/[-:]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  base: String.raw`import { createElement, forwardRef } from 'react';
${SHARED_CODE}${PASS_CODE}
const element = (node, color, id) => {
  if (typeof node === 'string') return node;
  const attributes = {};
  for (const name in node[1]) attributes[name] = fill(node[1][name], color, id);
  return createElement(node[0], attributes, ...(node[2] || []).map((child) => element(child, color, id)));
};
export const draw = (icon, props, ref, id) => {
  const [root, color, title] = settle(icon, props, id);
  const className = [icon[3] && icon[3].class, props.className].filter(Boolean).join(' ');
  if (className) root.className = className;
  if (ref) root.ref = ref;
  return createElement(
    'svg',
    pass(root, props),
    title ? createElement('title', null, title) : null,
    ...icon[2].map((node) => element(node, color, id)),
    props.children,
  );
};
export const createIcon = (...icon) => forwardRef(function Icon(props, ref) {
  return draw(icon, props, ref);
});
`,
  unique: String.raw`import { forwardRef, useId } from 'react';
import { draw, nameIds } from "icon:@runtime";
export const createUniqueIcon = (...icon) =>
  forwardRef(function Icon(props, ref) {
    return draw(icon, props, ref, nameIds(icon, useId()));
  });
`,
};

/** `preact/hooks` has effects of its own: it is imported by icons with ids only. */
export const preact: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { h } from 'preact';
${SHARED_CODE}${PASS_CODE}
${ELEMENT_CODE}export const draw = (icon, props, id) => {
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

/** Functional components: a template ref is then the `<svg>` itself. Their id is kept per instance, as `useId` counts on. */
export const vue: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { h, mergeProps } from 'vue';
${SHARED_CODE}${PASS_CODE}
${ELEMENT_CODE}export const draw = (icon, props, slots, id) => {
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

/**
 * Inline components: functions that are part of the component which draws them, so that they need none of Qwik's
 * optimiser, and nothing of them is sent to a browser that resumes the page. A server counts ids page by page.
 */
export const qwik: ComponentRuntime = {
  body: 'tree',
  base: String.raw`import { jsx } from '@builder.io/qwik';
${SHARED_CODE}${PASS_CODE}
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
