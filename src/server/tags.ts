import type { Icon } from './library.ts';
import { fold, words } from './words.ts';

/**
 * Words with the same meaning, one meaning a line. Sets use one of them; search, tags and
 * suggestions know them all.
 */
const MEANINGS: readonly (readonly string[])[] = [
  ['home', 'house'],
  ['trash', 'bin', 'garbage', 'delete'],
  ['cog', 'gear', 'settings', 'preferences'],
  ['magnifier', 'search', 'find', 'loupe'],
  ['mail', 'email', 'envelope'],
  ['user', 'person', 'account'],
  ['users', 'people', 'group'],
  ['photo', 'picture', 'image'],
  ['car', 'automobile'],
  ['bike', 'bicycle'],
  ['plane', 'airplane', 'aircraft'],
  ['phone', 'telephone'],
  ['mobile', 'smartphone'],
  ['pencil', 'edit', 'pen'],
  ['lock', 'padlock'],
  ['cart', 'basket', 'shopping'],
  ['warning', 'alert', 'caution'],
  ['help', 'question'],
  ['heart', 'love', 'like'],
  ['bookmark', 'favorite', 'favourite'],
  ['clock', 'time', 'watch'],
  ['calendar', 'date'],
  ['chat', 'message', 'conversation'],
  ['close', 'cross', 'x'],
  ['check', 'tick', 'done'],
  ['add', 'plus'],
  ['remove', 'minus', 'subtract'],
  ['menu', 'hamburger'],
  ['location', 'pin', 'place'],
  ['money', 'cash'],
  ['doctor', 'physician'],
  ['restaurant', 'food', 'dining'],
  ['cafe', 'coffee'],
  ['rubbish', 'waste'],
  ['film', 'movie', 'cinema'],
  ['tv', 'television'],
  ['sword', 'blade'],
  ['ship', 'boat', 'vessel'],
  ['storm', 'thunderstorm'],
  ['dustbin', 'trashcan'],
];

const othersByWord = new Map<string, string[]>();
for (const meaning of MEANINGS) {
  for (const word of meaning) {
    othersByWord.set(word, [
      ...(othersByWord.get(word) ?? []),
      ...meaning.filter((other) => other !== word),
    ]);
  }
}

/** Other words with the meaning of a word. */
export function sameMeaning(word: string): readonly string[] {
  return othersByWord.get(word) ?? [];
}

/** Tags of an icon: words of its name, its other names and categories, and words of the same meaning; each once. */
export function tagsOf({ name, collection }: Icon): string[] {
  const own = words(name);
  const tags = new Set(own.filter((word) => word.length > 1));
  for (const synonym of collection.synonyms(name))
    if (synonym !== name) tags.add(fold(synonym).replaceAll('-', ' '));
  for (const word of own) for (const other of sameMeaning(word)) tags.add(other);
  return [...tags];
}
