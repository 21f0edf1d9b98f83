/** Text that takes the place of `text.slice(start, end)`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The text with all edits made; everything outside of their ranges stays byte for byte. Ranges must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
