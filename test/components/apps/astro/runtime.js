/**
 * What Astro's own runtime does for a component, as far as a component can tell: Astro itself brings a Vite of its own
 * and is not installed here.
 */
const TEXT = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const escape = (value) => String(value).replace(/[&<>"']/g, (unit) => TEXT[unit]);

class HtmlString extends String {}
export const unescapeHTML = (html) => new HtmlString(html);
export const createComponent = (factory) =>
  Object.assign(factory.bind(null), { isAstroComponentFactory: true });
export const render = (strings, ...values) =>
  strings.reduce((html, text, at) => {
    const value = values[at - 1];
    return html + (value instanceof HtmlString ? value : escape(value)) + text;
  });

export function spreadAttributes(attributes) {
  const written = Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === null || value === false) return '';
    if (name === 'class:list') return ` class="${escape(value.flat(2).join(' '))}"`;
    if (name === 'style' && typeof value === 'object')
      return ` style="${Object.entries(value)
        .map(([key, set]) => `${key}:${set}`)
        .join(';')}"`;
    return ` ${name}="${escape(value)}"`;
  });
  return new HtmlString(written.join(''));
}

export function renderPage(cells) {
  const result = { scripts: new Set() };
  return cells
    .map(([attributes, component, props]) => {
      if (component.isAstroComponentFactory !== true)
        throw new TypeError('not a component of Astro');
      return `<div${String(spreadAttributes(attributes))}>${component(result, props, {})}</div>`;
    })
    .join('');
}
