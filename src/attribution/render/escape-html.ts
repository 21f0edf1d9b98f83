import { toPlainLine } from '../plain-text.ts';

// Characters that an HTML document may not hold, lone surrogates and the carriage return (which parsers rewrite) included.
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]|\p{Surrogate}/gu;
const SPECIAL = /[&<>"'`]/g;
const HARMLESS = /^[\w .,:;/()‘’“”–—…\u00c0-\u024f-]*$/;

/** An untrusted text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  if (HARMLESS.test(text)) return text;
  return toHtmlText(text).replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}

/** An untrusted text as a document can hold it. The caller must escape it. */
export function toHtmlText(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(FORBIDDEN, '\ufffd');
}

/** RDFa prefixes of the credits; needed on an element around them. */
export const RDFA_PREFIX = 'cc: http://creativecommons.org/ns# dct: http://purl.org/dc/terms/';

/** Fragment under which the page holds an icon's credit, safe in an attribute and in an address. */
export function creditFragment(id: string): string {
  return `icon-${encodeURIComponent(toPlainLine(id)).replaceAll("'", '%27')}`;
}
