import type { ComponentNode, ComponentWriter, Framework } from '../../component.ts';
import { IconCatalogError } from '../../errors.ts';
import { escapeMarkup } from '../../markup/tokens.ts';
import type { Credit, IconInfo, IconRequest, SvgMaster, SvgTemplate } from '../../types.ts';
import { runtimeByFramework, toJsLiteral } from '../module-code.ts';
import type { Drawing, DrawnElement, Slotted } from './shared.ts';
import { drawingOfMarkup, drawingOfMaster } from './read-drawing.ts';

interface ComponentInput {
  request: IconRequest;
  /** Rendered markup, the project's transform included. */
  svg: string;
  /** What the markup was rendered from; `undefined` where a transform changed it since. */
  master?: SvgMaster | undefined;
  /** What the catalog calls the icon. */
  term: string;
}

/** What stands in place of parameters that a component is not given. */
interface Usual {
  size?: string;
  ratio?: number;
  color?: string;
  title?: string;
  class?: string;
  tag?: string;
  /** Part of the ids of a drawing that has any. */
  id?: number;
}

/**
 * The component of one icon as a JSON array: whether its drawing has ids, and the parameters of `createIcon`: the
 * viewBox (a number `n` is `0 0 n n`), the root's attributes, the body, and what is usual. See `componentCode`.
 *
 * @throws IconCatalogError OPTIONS_INVALID if a transform made something that is no drawing
 */
export function emitComponent(input: ComponentInput, framework: Framework): string {
  const { request } = input;
  const { body, attributeName = (name) => name } = runtimeByFramework[framework];
  const drawing = drawingOf(input);
  const { attributes, children, viewBox, ratio } = drawing;
  const usual = usualOf(request, ratio);
  if (drawing.class !== null) usual.class = drawing.class;
  const isUnique = hasIds(attributes, children);
  if (framework === 'web-component') usual.tag = tagOf(input);
  // Lit counts ids over the whole process, and in a shadow root they are of that tree alone.
  else if (isUnique && framework !== 'lit') usual.id = request.id;
  const box = /^0 0 (\d+(?:\.\d+)?) \1$/.exec(viewBox)?.[1];
  const values = [
    isUnique ? 1 : 0,
    box === undefined ? viewBox : Number(box),
    renamed(attributes, attributeName),
    body === 'markup'
      ? writeTemplate(children)
      : children.map((child) => toTree(child, attributeName)),
    ...(Object.keys(usual).length > 0 ? [usual] : []),
  ];
  return toJsLiteral(values);
}

/** The drawing of an icon with its classes: those of the request, or what a transform has made of them. */
function drawingOf({ request, svg, master }: ComponentInput): Drawing & { class: string | null } {
  if (master !== undefined) return { ...drawingOfMaster(master), class: request.class };
  const { color, id, size, title } = request;
  const height = size ?? '1em';
  const [, width = height] = /^<svg[^>]*\swidth="([^"]*)"/.exec(svg) ?? [];
  const paint = cssColor(color) ?? 'currentColor';
  const drawing = drawingOfMarkup(svg, { paint, width, height, title });
  if (drawing !== undefined) return drawing;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message:
      'A component can only be made of one well-formed `<svg>` element with a `viewBox`, and `svg.transform` returned something else.',
    remedy: 'Correct `svg.transform`, or import this icon with `as=svg`.',
    icon: id,
    path: 'svg.transform',
  });
}

/** The colour that the icon was asked for; `undefined`: that of the text around it, or those of the drawing. */
function cssColor(color: IconRequest['color']): string | undefined {
  return color === null || color === 'currentColor' || color === 'original'
    ? undefined
    : `#${color}`;
}

function usualOf({ color, size, title, class: className }: IconRequest, ratio: number): Usual {
  const usual: Usual = {};
  if (size !== null && size !== '1em') usual.size = size;
  if (ratio !== 1) usual.ratio = ratio;
  const fixed = cssColor(color);
  if (fixed !== undefined) usual.color = fixed;
  if (title !== null) usual.title = title;
  if (className !== null) usual.class = className;
  return usual;
}

/** `icon-star-123`: names of custom elements are ASCII here, which every parser takes. */
function tagOf({ term, request }: ComponentInput): string {
  const slug = term
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return ['icon', slug, request.id].filter((part) => part !== '').join('-');
}

type Tree = string | [string, Record<string, Slotted>, Tree[]?];

function toTree(node: DrawnElement | string, attributeName: (name: string) => string): Tree {
  if (typeof node === 'string') return node;
  const children = node.children.map((child) => toTree(child, attributeName));
  const attributes = renamed(node.attributes, attributeName);
  return children.length > 0 ? [node.name, attributes, children] : [node.name, attributes];
}

function renamed(
  attributes: Record<string, Slotted>,
  attributeName: (name: string) => string,
): Record<string, Slotted> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [attributeName(name), value]),
  );
}

function hasIds(
  attributes: Record<string, Slotted>,
  children: readonly (DrawnElement | string)[],
): boolean {
  return (
    Object.values(attributes).some((value) => Array.isArray(value) && value.includes(1)) ||
    children.some((child) => typeof child === 'object' && hasIds(child.attributes, child.children))
  );
}

/**
 * The module as the project's own function writes it.
 * @throws IconCatalogError OPTIONS_INVALID
 */
export async function writeComponent(
  { credit, icon, ...input }: ComponentInput & { credit: Credit; icon: IconInfo },
  writer: ComponentWriter,
): Promise<string> {
  const { id, size, title } = input.request;
  const color = cssColor(input.request.color) ?? 'currentColor';
  const { viewBox, ratio, attributes, children, class: className } = drawingOf(input);
  const fill = (value: Slotted): string =>
    toParts(value)
      .map((part) => (part === 0 ? color : part === 1 ? `i${id}` : part))
      .join('');
  const filled = (given: Record<string, Slotted>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fill(value)]));
  const toNode = (node: DrawnElement | string): ComponentNode =>
    typeof node === 'string'
      ? node
      : {
          name: node.name,
          attributes: filled(node.attributes),
          children: node.children.map(toNode),
        };
  return called(writer, {
    id,
    markup: input.svg,
    viewBox,
    ratio,
    attributes: filled(attributes),
    children: children.map(toNode),
    color,
    size: size ?? '1em',
    title,
    class: className,
    credit,
    icon,
  });
}

async function called(
  writer: ComponentWriter,
  icon: Parameters<ComponentWriter>[0],
): Promise<string> {
  const about = { icon: icon.id, path: 'framework', remedy: 'Correct the function `framework`.' };
  let code: unknown;
  try {
    code = await writer(icon);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new IconCatalogError('OPTIONS_INVALID', {
      ...about,
      message: `The function \`framework\` failed: ${said}`,
      cause,
    });
  }
  if (typeof code === 'string' && /\bexport\b/.test(code)) return `${code}\n`;
  throw new IconCatalogError('OPTIONS_INVALID', {
    ...about,
    message: `The function \`framework\` must return a module with a default export, as a string${typeof code === 'string' ? ', and this one exports nothing' : `, not ${code === null ? 'null' : typeof code}`}.`,
  });
}

/** Elements as markup for an HTML parser, with the slots still open; one string where there are none. */
function writeTemplate(children: readonly (DrawnElement | string)[]): string | SvgTemplate {
  const parts: SvgTemplate = [''];
  const put = (part: SvgTemplate[number]): void => {
    const last = parts.length - 1;
    const before = parts[last];
    if (typeof part === 'string' && typeof before === 'string') parts[last] = before + part;
    else parts.push(part);
  };
  const write = (node: DrawnElement | string): void => {
    if (typeof node === 'string') return put(escapeMarkup(node));
    put(`<${node.name}`);
    for (const [name, value] of Object.entries(node.attributes)) {
      put(` ${name}="`);
      for (const part of toParts(value)) put(typeof part === 'string' ? escapeMarkup(part) : part);
      put('"');
    }
    if (node.children.length === 0) return put('/>');
    put('>');
    node.children.forEach(write);
    put(`</${node.name}>`);
  };
  children.forEach(write);
  const [only = ''] = parts;
  return parts.length === 1 && typeof only === 'string' ? only : parts;
}

function toParts(value: Slotted): SvgTemplate {
  return Array.isArray(value) ? value : [value];
}
