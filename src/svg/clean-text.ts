// C0/C1 controls, zero-width and bidirectional controls, noncharacters: invisible, but able to reorder or hide words.
const INVISIBLE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ufdd0-\ufdef]/g;

const LONE_SURROGATE = /\p{Cs}/gu;

// Template languages read these in markup that somebody pastes into a component.
const TEMPLATE = /[{}`\\]/g;

/** Text as a person reads it: no controls, no broken surrogate. */
export function cleanText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LONE_SURROGATE, '');
}

/** Text that may stand in markup, and how many characters had to go. */
export function cleanDrawnText(text: string): { text: string; removed: number } {
  const cleaned = cleanText(text).replace(TEMPLATE, '');
  return { text: cleaned, removed: text.length - cleaned.length };
}
