/** An attribute where it stands; offsets count from the beginning of the document. */
export interface TagAttribute {
  /** Lower-case. */
  name: string;
  /** As written, without quotes, character references not undone; empty where there is no value. */
  written: string;
  /** The whole of it: `src="a"`. */
  start: number;
  end: number;
}

const ATTRIBUTE = /([^\s"'<>/=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`][^\s>]*))?/y;

/** The attributes of a start tag, in order. `text` is the document, the tag is `text.slice(start, end)`. */
export function readStartTag(
  text: string,
  { start, end }: { start: number; end: number },
): TagAttribute[] {
  const attributes: TagAttribute[] = [];
  const name = /^<[^\s/>]+/.exec(text.slice(start, end))?.[0] ?? '<';
  let at = start + name.length;
  while (at < end) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null || found.index + found[0].length > end) {
      at += 1;
      continue;
    }
    const [whole, attribute = '', value = ''] = found;
    const isQuoted = value.startsWith('"') || value.startsWith("'");
    attributes.push({
      name: attribute.toLowerCase(),
      written: isQuoted ? value.slice(1, -1) : value,
      start: at,
      end: at + whole.length,
    });
    at += whole.length;
  }
  return attributes;
}

/** Text as the value of an attribute in double quotes, which HTML and XML read alike. */
export function toAttribute(name: string, value: string): string {
  return `${name}="${value.replace(/[&"<>]/g, (character) => REFERENCES[character] ?? '')}"`;
}

const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
};
