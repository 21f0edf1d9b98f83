import type { SvgTemplate } from '../../types.ts';

/** Text with open slots: `0` is the colour, `1` the id namespace, and so is a lone `0`. */
export type Slotted = string | 0 | SvgTemplate;

/** One element of a drawing; a string is text. */
export interface DrawnElement {
  name: string;
  attributes: Record<string, Slotted>;
  children: (DrawnElement | string)[];
}

/** An icon whose colour, size, title, class and id namespace are still open. */
export interface Drawing {
  /** `min-x min-y width height`. */
  viewBox: string;
  ratio: number;
  /** Attributes of the root that are part of the drawing. */
  attributes: Record<string, Slotted>;
  children: (DrawnElement | string)[];
}

export interface ComponentRuntime {
  /** What the body of an icon is handed over as: elements, or markup. */
  body: 'tree' | 'markup';
  /** The framework's name of an SVG attribute. @default the name itself */
  attributeName?(name: string): string;
  /** Module that exports `createIcon(viewBox, attributes, body, usual)`. */
  base: string;
  /** Module that exports `createUniqueIcon`, of the same parameters, for drawings with ids. It may import `base`. */
  unique: string;
}

/** Specifier of `base`. No alias can be written like it, and a user has no reason to. */
export const RUNTIME_SPECIFIER = 'icon:@runtime';
export const UNIQUE_SPECIFIER = 'icon:@unique';

/**
 * What every runtime begins with. Parameters that are `undefined` count as not given.
 *
 * - `fill` closes the slots of a value: `0` is the colour, `1` the id namespace, a list is joined.
 * - `nameIds` makes ids that two icons never share, even if two roots of one page count alike.
 * - `settle` gives the root's attributes, the colour and the title, of what is usual and what a component is given.
 */
export const SHARED_CODE: string = String.raw`
export const fill = (value, color, id) =>
  value === 0 ? color
  : value === 1 ? id
  : Array.isArray(value) ? value.map((part) => fill(part, color, id)).join('')
  : value;
const widthOf = (height, ratio) => {
  const amount = ratio ? parseFloat(height) : NaN;
  return amount >= 0 ? Math.round(amount * ratio * 1e4) / 1e4 + (height + '').replace(/^[\d.]+/, '') : height;
};
export const nameIds = (icon, id) => 'i' + icon[3].id + '_' + (id + '').replace(/\W/g, '_');
const settle = ([box, attributes, , usual = {}], props, id) => {
  const color = props.color ?? usual.color ?? 'currentColor';
  const title = props.title ?? usual.title;
  const height = props.size ?? usual.size ?? '1em';
  const root = {
    viewBox: typeof box === 'number' ? '0 0 ' + box + ' ' + box : box,
    width: widthOf(height, usual.ratio),
    height,
  };
  if (title || props['aria-label'] || props['aria-labelledby']) root.role = 'img';
  else if (!props.role) root['aria-hidden'] = 'true';
  for (const name in attributes) root[name] = fill(attributes[name], color, id);
  return [root, color, title];
};
`;

/** Names of properties that are read or placed here, for runtimes that hand on all others. */
export const OWN_CODE: string = String.raw`
const own = { size: 1, color: 1, title: 1, class: 1, className: 1, children: 1, ref: 1 };
`;

/** `pass` hands on all others. */
export const PASS_CODE: string = String.raw`${OWN_CODE}const pass = (root, props) => {
  for (const name in props) if (!own[name] && props[name] !== undefined) root[name] = props[name];
  return root;
};
`;

/**
 * Where nothing says which page a drawing is for: ids that no other copy of this process has, whichever bundle drew it,
 * and a server's are no browser's.
 */
export const COUNTED_IDS: string = String.raw`const countIds = () =>
  'i' + (globalThis.document ? 'c' : 's') + (globalThis.__iconIds = (globalThis.__iconIds || 0) + 1);
`;

/** For frameworks that take the body as markup: everything that is not from the build is escaped. */
export const MARKUP_CODE: string = String.raw`
const escape = (text) => (text + '').replace(/[&<>"']/g, (unit) => '&#' + unit.charCodeAt(0) + ';');
const bodyOf = (icon, color, title, id) =>
  (title ? '<title>' + escape(title) + '</title>' : '') + fill(icon[2], escape(color), id);
`;

/** The attributes of an element as markup, after `MARKUP_CODE`. */
export const ATTRIBUTES_CODE: string = String.raw`const writeAttributes = (attributes) =>
  Object.entries(attributes)
    .filter(([name, value]) =>
      value != null && (value !== false || /^(aria|data)-/.test(name)) &&
      typeof value !== 'function' && /^[^\s"'<>/=\x00-\x1f]+$/.test(name))
    .map(([name, value]) => ' ' + name + '="' + (value === true && !/^(aria|data)-/.test(name) ? '' : escape(value)) + '"')
    .join('');
`;
