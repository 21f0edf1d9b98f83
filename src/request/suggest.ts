import leven from 'leven';

/**
 * The candidate that was most likely meant, or `undefined` if none is near. Case is ignored. Near: at most a third of
 * the longer word differs (always one letter, never more than three), or the word is the beginning of a candidate
 * (`file` of `filetype`).
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  let beginning: string | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const allowed = Math.max(1, Math.min(3, Math.floor(Math.max(wanted.length, other.length) / 3)));
    if (Math.abs(wanted.length - other.length) <= allowed) {
      const changed = leven(wanted, other, { maxDistance: allowed + 2 });
      const distance = changed > 1 && haveSameLetters(wanted, other) ? changed - 1 : changed;
      // A word of one letter is equally near to every other letter: only its case may differ.
      if (distance <= allowed && distance < Math.max(wanted.length, 1) && distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    if (wanted.length >= 3 && beginning === undefined && other.startsWith(wanted))
      beginning = candidate;
  }
  return nearest ?? beginning;
}

/** Two swapped letters count as one slip, not as two. */
function haveSameLetters(one: string, other: string): boolean {
  return one.length === other.length && sorted(one) === sorted(other);
}

function sorted(word: string): string {
  return Array.from(word).sort().join('');
}
