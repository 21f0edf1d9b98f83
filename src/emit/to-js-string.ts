/**
 * A JavaScript string literal of ASCII characters, which is valid JSON too, and safe inside an HTML
 * `<script>` and in every version of the language: `<` cannot end or open markup, U+2028/2029 end no
 * line, halves of surrogate pairs stay escapes. It reads the same in a file that is served without a
 * character encoding, and takes an engine half the memory.
 */
export function toJsString(value: string): string {
  return JSON.stringify(value).replace(/[<\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
