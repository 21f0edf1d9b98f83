import { type Call, blacklistOf } from './call.ts';
import type { Collection, Icon } from './library.ts';
import { isPublicDomain, stylesOf } from './records.ts';
import { fold, words } from './words.ts';

/** Icons of a v2 list, best match first. Cheap filters go first: styles are measured only for what is left. */
export function selectIcons(call: Call): readonly Icon[] {
  const { query, search } = call;
  let icons = search.find(query.text('query') ?? '');
  if (query.flag('limit_to_public_domain')) icons = icons.filter(isPublicDomain);
  const blacklist = blacklistOf(call);
  if (blacklist) icons = icons.filter((icon) => !blacklist.icon(icon));
  const styles = query.list('styles');
  if (styles)
    icons = icons.filter((icon) => stylesOf(icon).some(({ style }) => styles.includes(style)));
  const weight = query.range('line_weight');
  return weight ? icons.filter((icon) => hasLineWeight(icon, weight)) : icons;
}

function hasLineWeight(icon: Icon, [low, high]: readonly [number, number]): boolean {
  return stylesOf(icon).some(
    ({ line_weight }) => line_weight !== undefined && line_weight >= low && line_weight <= high,
  );
}

/** Collections whose name, author or tags hold all words of the query; all of them without one. */
export function selectCollections(call: Call): readonly Collection[] {
  const blacklist = blacklistOf(call);
  const text = call.query.text('query') ?? '';
  const wanted = words(text);
  if (wanted.length === 0 && text.trim() !== '') return [];
  return call.library.collections.filter((collection) => {
    if (blacklist?.collection(collection)) return false;
    const { name, prefix, author, tags } = collection;
    const known = fold([name, prefix, author.name, ...tags].join(' '));
    return wanted.every((word) => known.includes(word));
  });
}
