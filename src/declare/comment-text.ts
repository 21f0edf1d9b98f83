/** Ends a comment, begins a tag of JSDoc, or means something in Markdown or HTML. */
const SPECIAL = /[*@{}<>[\]`\\_#|!&~]/g;
/** Line ends of JavaScript, controls, halves of characters, and marks that turn the direction of text. */
const UNSEEN = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]+/gu;

/**
 * Strangers' text as part of a doc comment: one line, in which nothing ends the comment, starts a tag or is Markdown.
 * Editors render comments as Markdown, where a character reference is the character.
 */
export function toCommentText(text: string): string {
  return text
    .replace(UNSEEN, ' ')
    .trim()
    .replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);
}
