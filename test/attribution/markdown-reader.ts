/** What CommonMark makes of a text without markup characters: escapes undone. Fails on anything that stayed active. */
export function readMarkdownText(line: string): string {
  return line.replace(/<(https?:[^<>\s]*)>|\\([!-/:-@[-`{-~])/gi, '$1$2');
}

/** The characters of a line that are neither escaped nor part of an `<address>`. */
export function activeCharacters(line: string): string {
  return line.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/<https?:\/\/[^<>\s]*>/gi, '');
}
