import type { IconRequest } from '../types.ts';
import { nameOfId } from './icon-name.ts';
import { ICON_PREFIX } from './specifier.ts';

/** An icon as the project calls it: by its alias, its name or its id. */
export function nameIcon(id: number, aliases: Readonly<Record<string, number>>): string {
  return Object.keys(aliases).find((name) => aliases[name] === id) ?? nameOfId(id) ?? String(id);
}

/** A request as it would be written in an import, for messages: defaults left out, an id by its alias. */
export function nameRequest(
  { id, as, filetype, color, size, title, class: classes }: IconRequest,
  aliases: Readonly<Record<string, number>>,
): string {
  const png = filetype === 'png';
  const parameters = {
    filetype: png ? 'png' : undefined,
    as: as === (png ? 'url' : 'svg') ? undefined : as,
    color: color === 'currentColor' ? undefined : color,
    size: size === '1em' ? undefined : size,
    title,
    class: classes,
  };
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${value}`);
  return `${ICON_PREFIX}${nameIcon(id, aliases)}${query.length > 0 ? '?' : ''}${query.join('&')}`;
}
