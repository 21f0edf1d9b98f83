import type { ComponentRuntime } from './component-types.ts';
import { SHARED_CODE } from './shared-code.ts';

/** Elements made by `createElement`; refs go through `forwardRef`, which React 18 needs and React 19 takes. */
export const react: ComponentRuntime = {
  body: 'tree',
  attributeName: (name) =>
    /^(?:aria|data)-/.test(name)
      ? name
      : name.replaceAll(/[-:]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  base: String.raw`import { createElement, forwardRef } from 'react';
${SHARED_CODE}
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
