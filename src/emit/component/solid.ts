import type { ComponentRuntime } from './component-types.ts';
import { MARKUP_CODE, SHARED_CODE } from './shared-code.ts';

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
