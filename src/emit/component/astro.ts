import type { ComponentRuntime } from './component-types.ts';
import { MARKUP_CODE, SHARED_CODE } from './shared-code.ts';

/** What a compiled `.astro` file is, of the functions that such a file imports. Ids are counted page by page. */
export const astro: ComponentRuntime = {
  body: 'markup',
  base: String.raw`import { createComponent, render, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime';
${SHARED_CODE}${MARKUP_CODE}
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
