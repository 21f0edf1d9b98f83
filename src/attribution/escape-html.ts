// Characters that an HTML document may not hold, lone surrogates and the carriage return (which parsers rewrite) included.
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]|\p{Surrogate}/gu;
const SPECIAL = /[&<>"'`]/g;
const HARMLESS = /^[\w .,:;/()‘’“”–—…\u00c0-\u024f-]*$/;

/** A stranger's text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  if (HARMLESS.test(text)) return text;
  return toHtmlText(text).replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}

/** A stranger's text as a document can hold it, for whoever escapes it. */
export function toHtmlText(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(FORBIDDEN, '\ufffd');
}
