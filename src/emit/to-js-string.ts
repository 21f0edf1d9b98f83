/**
 * A JavaScript string literal that is also safe inside an HTML `<script>` and in every version of
 * the language: `<` cannot end or open markup, U+2028/2029 end no line, halves of surrogate pairs
 * stay escapes (which `JSON.stringify` sees to).
 */
export function toJsString(value: string): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
