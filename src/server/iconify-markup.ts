import type { IconifyJSON } from '@iconify/types';
import { getIconData } from '@iconify/utils/lib/icon-set/get-icon';
import { iconToSVG } from '@iconify/utils/lib/svg/build';

/** One icon of a set as a whole SVG document, with transformations of aliases applied. Ids are left as they are: the same bytes each time. */
export function iconifyMarkup(set: IconifyJSON, name: string): string {
  const data = getIconData(set, name);
  if (!data) throw new Error(`No icon ${name} in ${set.prefix}.`);
  const { body, viewBox } = iconToSVG(data);
  const [left, top, width, height] = viewBox;
  const xlink = body.includes('xlink:') ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg"${xlink} width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">${body}</svg>`;
}
