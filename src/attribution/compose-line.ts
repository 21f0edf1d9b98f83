import type { Credit } from '../types.ts';
import { describeChanges } from './compute-changes.ts';
import { toIsolatedLine } from './plain-text.ts';

export type CreditParts = Pick<
  Credit,
  'id' | 'title' | 'creator' | 'source' | 'license' | 'changes'
>;

/** `“Whale” by Aya. Source: …. Licence: …. Changes: ….`: title, author, source, licence and changes in one line of plain text. */
export function composeLine({ id, title, creator, source, license, changes }: CreditParts): string {
  const url = license.url === null ? '' : ` (${license.url})`;
  return [
    `${composeTitle({ id, title }, toIsolatedLine)}${composeAuthor(creator, toIsolatedLine)}.`,
    `Source: ${source.url ?? 'not stated'}.`,
    `Licence: ${toIsolatedLine(license.name)}${url}.`,
    `Changes: ${describeChanges(changes)}.`,
  ].join(' ');
}

/** `escape` is the output's own. */
export function composeTitle(
  { id, title }: Pick<Credit, 'id' | 'title'>,
  escape: (text: string) => string,
): string {
  const words = title === null ? '' : escape(title);
  return words === '' ? `Untitled icon ${escape(id)}` : `“${words}”`;
}

export function composeAuthor(
  { name, username }: Credit['creator'],
  escape: (text: string) => string,
): string {
  const words = escape(name ?? '') || escape(username ?? '');
  return words === '' ? ', creator not stated' : ` by ${words}`;
}
