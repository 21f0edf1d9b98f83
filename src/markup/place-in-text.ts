/** `12:7`: line and column of an offset, both from 1, as editors count them. */
export function placeInText(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}
