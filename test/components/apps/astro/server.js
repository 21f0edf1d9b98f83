import {
  createComponent,
  render as template,
  renderComponent,
  spreadAttributes,
} from 'astro/compiler-runtime';
import { experimental_AstroContainer as Container } from 'astro/container';
import { attributesOf, cells } from '../shared/cells.js';

const RICH = {
  size: 30,
  'class:list': ['mine'],
  style: { opacity: 0.5 },
  'data-rich': 'yes',
  role: 'presentation',
};

/** What a compiled page is. */
const Page = createComponent(
  (result) =>
    template`${cells.map((cell) => {
      const props = cell.rich ? RICH : (cell.props ?? {});
      return template`<div${spreadAttributes(attributesOf(cell))}>${renderComponent(result, 'Icon', cell.icon, props)}</div>`;
    })}`,
);

export const render = async () => (await Container.create()).renderToString(Page);
