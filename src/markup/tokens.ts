/** A piece of XML, such as SVG, from its `<` on. What lies between two pieces is text. */
export interface MarkupToken {
  kind: 'open' | 'close' | 'comment' | 'cdata' | 'instruction' | 'declaration' | 'broken';
  /** The name of a tag, as written; what a `broken` piece is the beginning of: `comment`, `tag`, `attribute` … or `''`. */
  name: string;
  start: number;
  end: number;
  /** True for `<path/>`. */
  empty: boolean;
  /** The number of quoted values, and the length of the longest in characters. */
  values: number;
  longestValue: number;
}

/** An attribute in its place; offsets count from the beginning of the text. */
export interface TagAttribute {
  /** As written. */
  name: string;
  /** As written, without quotes, with character references; empty without a value. */
  written: string;
  /** The whole attribute: `src="a"`. */
  start: number;
  end: number;
}

const SPECIAL = [
  ['comment', '<!--', '-->'],
  ['cdata', '<![CDATA[', ']]>'],
  ['instruction', '<?', '?>'],
  ['declaration', '<!', '>'],
] as const;
// Text that svgo's parser accepts as a tag after white space would be counted differently here.
const NAME = /<\/?([A-Za-z_:\u0080-\uffff][^\s<>/="']*)/y;
const ATTRIBUTE = /([^\s"'<>/=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`][^\s>]*))?/y;

/**
 * Every piece of markup, in order and in linear time. A piece that does not end, or that cannot begin a tag, is `broken`
 * and the last one.
 */
export function* readTokens(text: string): Generator<MarkupToken> {
  let at = text.indexOf('<');
  while (at !== -1) {
    const token = readSpecial(text, at) ?? readTag(text, at);
    yield token;
    if (token.kind === 'broken') return;
    at = text.indexOf('<', token.end);
  }
}

/** A piece with neither name nor attributes. */
function tokenAt(start: number, end: number): MarkupToken {
  return { kind: 'broken', name: '', start, end, empty: false, values: 0, longestValue: 0 };
}

function readSpecial(text: string, start: number): MarkupToken | undefined {
  const found = SPECIAL.find(([, opening]) => text.startsWith(opening, start));
  if (found === undefined) return undefined;
  const [kind, opening, closing] = found;
  const end = text.indexOf(closing, start + opening.length);
  return end === -1
    ? { ...tokenAt(start, text.length), name: kind }
    : { ...tokenAt(start, end + closing.length), kind };
}

function readTag(text: string, start: number): MarkupToken {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[1];
  if (name === undefined) return tokenAt(start, start);
  let values = 0;
  let longestValue = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3c) return tokenAt(start, at);
    if (code === 0x3e) {
      const kind = text.startsWith('</', start) ? 'close' : 'open';
      const empty = text.charAt(at - 1) === '/';
      return { kind, name, start, end: at + 1, empty, values, longestValue };
    }
    if (code !== 0x22 && code !== 0x27) continue;
    const close = text.indexOf(code === 0x22 ? '"' : "'", at + 1);
    if (close === -1) return { ...tokenAt(start, text.length), name: 'attribute' };
    values += 1;
    longestValue = Math.max(longestValue, close - at);
    at = close;
  }
  return { ...tokenAt(start, text.length), name: 'tag' };
}

/** The attributes of a start tag, in order: those of XML, and those of HTML that lack quotes or a value. */
export function readAttributes(
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
      name: attribute,
      written: isQuoted ? value.slice(1, -1) : value,
      start: at,
      end: at + whole.length,
    });
    at += whole.length;
  }
  return attributes;
}

/** Text that HTML and XML read as text, also within quotes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
