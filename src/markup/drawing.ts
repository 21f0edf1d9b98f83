import { readAttributes, readTokens } from './tokens.ts';

/** The two parts of rendered markup: the attributes of the root as written, and the content between its tags. */
interface Drawing {
  attributes: { name: string; source: string }[];
  body: string;
}

/** Attributes of an `<img>` that an `<svg>` has no use for. */
const OF_IMAGES = new Set(
  (
    'src alt inline srcset sizes loading decoding fetchpriority crossorigin referrerpolicy ismap usemap ' +
    'title class width height longdesc align border hspace vspace'
  ).split(' '),
);

/** The attributes that a `<symbol>` takes over from the root: those of its painting, not of its place in a page. */
const OF_ROOTS = new Set(['xmlns', 'width', 'height', 'aria-hidden', 'focusable', 'role', 'class']);

/** The drawing with the attributes of the `<img>` that it replaces, which override its own. */
export function toInlineDrawing(svg: string, values: Readonly<Record<string, string>>): string {
  const { attributes, body } = readDrawing(svg);
  const given = Object.entries(values).filter(([name]) => !OF_IMAGES.has(name));
  const { width, height } = values;
  // If one of them is set, the other follows from the viewBox, as with an image.
  const lengths = Object.entries({ width, height }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1].trim() !== '',
  );
  const isNamed = 'aria-label' in values || 'aria-labelledby' in values;
  const dropped = new Set(given.map(([name]) => name));
  if (lengths.length > 0) for (const name of ['width', 'height']) dropped.add(name);
  if (isNamed) dropped.add('aria-hidden');
  const kept = attributes.filter(({ name }) => !dropped.has(name)).map(({ source }) => source);
  const added = [...lengths, ...given].map(([name, value]) => toAttribute(name, value));
  if (isNamed && !attributes.some(({ name }) => name === 'role') && !('role' in values))
    added.push('role="img"');
  return `<svg ${[...kept, ...added].join(' ')}>${body}</svg>`;
}

/** The drawing as a `<symbol>` for `<use href="#…">`. */
export function toSymbol(svg: string, id: string): string {
  const { attributes, body } = readDrawing(svg);
  const kept = attributes.filter(({ name }) => !OF_ROOTS.has(name)).map(({ source }) => source);
  return `<symbol ${[toAttribute('id', id), ...kept].join(' ')}>${body}</symbol>`;
}

/**
 * The symbols of one page. They are not hidden by `display:none`, with which some browsers ignore gradients and clip
 * paths.
 */
export function toSymbolSheet(symbols: readonly string[]): string {
  return `<svg width="0" height="0" style="position:absolute" aria-hidden="true">${symbols.join('')}</svg>`;
}

/**
 * For one page: gives every further copy of a drawing its own ids. Browsers use the first element with an id, and
 * ignore a gradient, mask or clip path inside something that is not displayed.
 *
 * @param page what the page already holds: an earlier build or step may have drawn copies into it
 */
export function createCopies(page = ''): (svg: string) => string {
  const counts = new Map<string, number>();
  const taken = new Set(Array.from(page.matchAll(/\sid=["']?([^\s"'>]+)/g), ([, id]) => id));
  return (svg) => {
    const ids = new Set(Array.from(svg.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id));
    const [first] = ids;
    if (first === undefined) return svg;
    let count = (counts.get(first) ?? 0) + 1;
    while (taken.has(count === 1 ? first : `${first}-${count}`)) count += 1;
    counts.set(first, count);
    if (count === 1) return svg;
    const rename = (all: string, before: string, id: string): string =>
      ids.has(id) ? `${before}${id}-${count}` : all;
    return svg
      .replaceAll(/(\sid="|["'(]#)([^"')]+)/g, rename)
      .replaceAll(/(["';]\s*)([\w-]+)(?=\.(?:begin|end|repeat)\b)/g, rename);
  };
}

function readDrawing(svg: string): Drawing {
  const [{ end } = { end: 0 }] = readTokens(svg);
  const attributes = readAttributes(svg, { start: 0, end }).map(({ name, start, end: last }) => ({
    name: name.toLowerCase(),
    source: svg.slice(start, last),
  }));
  return { attributes, body: svg.slice(end, svg.lastIndexOf('</svg>')) };
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
