/** CSS Syntax 3, "consume an escaped code point"; a line break behind a backslash in a string is nothing. */
const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\f\r])?|(\r\n|[\n\f\r])|([^]))/gi;

/** What a string or an unquoted `url()` of CSS means. */
export function decodeCssText(written: string): string {
  if (!written.includes('\\')) return written;
  return written.replace(ESCAPE, (_, hex?: string, lineBreak?: string, character?: string) => {
    if (lineBreak !== undefined) return '';
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** `url("…")` for any address: what could end the string or the line is escaped. */
export function toCssUrl(address: string): string {
  return `url("${address.replace(/["\\\n\r\f]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(16)} `,
  )}")`;
}
