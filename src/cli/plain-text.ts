/**
 * Controls of C0 and C1, marks that turn the direction of text, separators, invisible characters, tags, and halves of
 * surrogate pairs. A terminal obeys some of them, the others make a name look like another one.
 */
const UNSAFE =
  /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Strangers' text in one line that no terminal obeys: white space becomes a space, what is unsafe a replacement character. */
export function toPlainText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSAFE, '\ufffd').trim();
}

/** The same for text of several lines, which stay lines. */
export function toPlainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[\t\r]/g, ' ').replace(UNSAFE, '\ufffd'))
    .join('\n');
}

/** JSON that parses to the same value and that a terminal can be shown. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(UNSAFE, (character) =>
    character === '\n' ? character : escapeUnits(character),
  );
}

/** A query that lets everybody who has it fetch a file, in the words of the usual services. */
const SIGNED =
  /(\bhttps?:\/\/[^\s"'<>?\\]+\?)[^\s"'<>]*?\b(?:(?:X-(?:Amz|Goog)-)?(?:Signature|Credential|Security-Token)|Policy|Key-Pair-Id|Expires|sig|token|hmac|hdnts)=[^\s"'<>]*/gi;

/** Signed addresses without what makes them open a file: `https://…/1.svg?…`. */
export function withoutSignatures(text: string): string {
  return text.replace(SIGNED, '$1…');
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
