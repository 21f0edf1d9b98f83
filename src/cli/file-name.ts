import type { Icon } from '../client.ts';

const LONGEST = 60;

/** `red-house-123.svg`: letters and digits of a stranger's name, so that no path, option or hidden file comes of it. */
export function fileNameOf(
  { id, term = '' }: Pick<Icon, 'id' | 'term'>,
  extension: string,
): string {
  const words =
    term
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const slug = Array.from(words.join('-')).slice(0, LONGEST).join('').replace(/-+$/, '');
  return `${slug || 'icon'}-${/^\d+$/.test(id) ? id : '0'}.${extension}`;
}
