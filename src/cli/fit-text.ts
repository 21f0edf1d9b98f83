import measure from 'fast-string-truncated-width';

/** Columns of a terminal that a text takes: two for CJK and emoji, none for combining marks. */
export function widthOf(text: string): number {
  return measure(text, {}, {}).width;
}

/** The text, cut with an ellipsis where it is wider than `width`. */
export function fitText(text: string, width: number): string {
  const { index, truncated, ellipsed } = measure(text, { limit: width, ellipsis: '…' }, {});
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text;
}

/** The text with spaces up to `width`. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? `${text}${space}` : `${space}${text}`;
}

/** Lines of at most `width` columns, broken at spaces; longer words stand alone. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
