/** An element of a drawing, as far as its geometry asks. */
export interface DrawingNode {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: DrawingNode[];
}

export interface DrawingTree {
  /** The first `<svg>` or `<symbol>`. */
  root: DrawingNode | undefined;
  byId: ReadonlyMap<string, DrawingNode>;
  /** Declarations by class name. */
  styles: ReadonlyMap<string, string>;
}

export const SHAPES: ReadonlySet<string> = new Set(
  'path rect circle ellipse line polyline polygon use'.split(' '),
);
/** Elements inside of elements, and links of `use`, are followed this far. */
export const DEEPEST = 64;

const NAMES = `svg|symbol|g|defs|${[...SHAPES].join('|')}`;
const TOKEN = new RegExp(
  [
    '<!--[^]*?(?:-->|$)',
    String.raw`<style\b[^>]*>(?<style>[^]*?)</style`,
    `<(?<slash>/?)(?<tag>[a-z][\\w:-]*)(?<inTag>(?:[^"'\`<>]|"[^"]*"|'[^']*'|\`[^\`]*\`)*)>?`,
    // A call that makes an element: `h("path", { d: "…" })`.
    `["'\`](?<called>${NAMES})["'\`](?=\\s*[,)\\]])(?<inCall>[^<]*?)(?=["'\`](?:${NAMES})["'\`]|<|$)`,
  ].join('|'),
  'gi',
);
const ATTRIBUTE =
  /(?<![\w-])["']?([a-z][\w:-]*)["']?\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`|(-?[\w.#][\w.#%-]*))/gi;

/** Reads markup, or code that makes the elements. Lenient: neither has to be whole. */
export function readDrawing(markup: string): DrawingTree {
  const stack: DrawingNode[] = [{ name: '', attributes: new Map(), children: [] }];
  const styles = new Map<string, string>();
  const byId = new Map<string, DrawingNode>();
  let root: DrawingNode | undefined;
  for (const { groups = {} } of markup.matchAll(TOKEN)) {
    const { style, slash, tag, inTag = '', called, inCall = '' } = groups;
    if (style !== undefined) readStyles(style, styles);
    const name = tag ?? called;
    if (name === undefined) continue;
    if (slash === '/') {
      const open = stack.findLastIndex((each) => each.name === name);
      if (open > 0) stack.length = open;
      continue;
    }
    const isRoot = name === 'svg' || name === 'symbol';
    // Calls do not show where a group ends: it does so where the next one begins.
    if (called === 'g') stack.length = Math.min(stack.length, 2);
    const attributes = attributesOf(tag === undefined ? inCall : inTag);
    const node: DrawingNode = { name, attributes, children: [] };
    stack.at(-1)?.children.push(node);
    const id = attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, node);
    if (isRoot) root ??= node;
    const isOpen =
      tag === undefined ? isRoot || name === 'g' : !SHAPES.has(name) && !inTag.endsWith('/');
    if (isOpen && stack.length < DEEPEST) stack.push(node);
  }
  return { root, byId, styles };
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', a, b, c, d] of text.matchAll(ATTRIBUTE))
    if (!attributes.has(name)) attributes.set(name, a ?? b ?? c ?? d ?? '');
  return attributes;
}

/** `.a,.b{fill:none}` */
function readStyles(css: string, styles: Map<string, string>): void {
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const [, name = ''] of selectors.matchAll(/(?:^|,)\s*\.([\w-]+)\s*(?=,|$)/g))
      styles.set(name, `${styles.get(name) ?? ''};${body}`);
}

/** The value of an attribute, or of the declaration that overrules it. */
export function propertyOf(
  { attributes }: DrawingNode,
  name: string,
  styles: ReadonlyMap<string, string>,
): string | undefined {
  const classes = styles.size === 0 ? [] : (attributes.get('class')?.split(/\s+/) ?? []);
  const css = [...classes.map((each) => styles.get(each) ?? ''), attributes.get('style') ?? ''];
  const declared = css
    .join(';')
    .split(';')
    .findLast((each) => each.slice(0, each.indexOf(':')).trim() === name);
  return declared === undefined
    ? attributes.get(name)?.trim()
    : declared.slice(declared.indexOf(':') + 1).trim();
}
