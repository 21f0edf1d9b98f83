import { IconCatalogError } from '../../errors.ts';
import type { ComponentNode, ComponentWriter } from '../../component.ts';
import type { Credit, IconInfo } from '../../types.ts';
import type { DrawnElement, Slotted } from './component-types.ts';
import { cssColor, drawingOf, type ComponentInput } from './emit-component.ts';
import { toParts } from './write-template.ts';

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
