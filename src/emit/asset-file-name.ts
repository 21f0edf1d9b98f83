import type { Filetype } from '../types.ts';

const LONGEST = 60;

/** `star-123.svg`: the term as lower-case ASCII, the id, at most 60 characters; `icon-123.svg` where the term has no such letters. */
export function assetFileName({
  term,
  id,
  filetype,
}: {
  term: string;
  id: number;
  filetype: Filetype;
}): string {
  const ending = `-${id}.${filetype}`;
  const slug = term
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, LONGEST - ending.length)
    .replace(/^-+|-+$/g, '');
  return `${slug === '' ? 'icon' : slug}${ending}`;
}
