/** What CommonMark makes of a text without markup characters: escapes undone. Fails on anything that stayed active. */
export function readMarkdownText(line: string): string {
  return line.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('\u2060', '');
}

/** The characters of a line that are neither escaped nor inside of `<address>`. */
export function activeCharacters(line: string): string {
  return line
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/<https:\/\/catalog\.example\/[^<>\s]*>/g, '');
}
