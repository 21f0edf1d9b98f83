import { IconCatalogError } from '../errors.ts';
import type { PageReference } from './find-page-references.ts';
import { applyEdits, type Edit, inOrder, prepareStyle, type Put } from './style-references.ts';
import { readAttributes, readTokens } from './tokens.ts';

/**
 * What a page needs of the pipeline: it is asked for all icons of the page at once, and puts one after the other in
 * place. `at` is the place of the reference: `12:7`.
 */
export interface PagePort {
  /** The address of an image. */
  image(specifier: string, at: string): Promise<Put<string>>;
  /** The address of a separate file, and what a browser can know before it loads that file. */
  favicon(
    specifier: string,
    at: string,
  ): Promise<Put<{ address: string; type: string; sizes: string | undefined }>>;
  /** Markup for the page itself. `name` is the same for equal drawings, and can be used as an id. */
  drawing(
    specifier: string,
    options: { at: string; title?: string; class?: string },
  ): Promise<Put<{ svg: string; name: string }>>;
  /** Address of an image of a style; `undefined` leaves the page's styles alone. */
  style:
    | ((reference: { specifier: string; property: string }, at: string) => Promise<Put<string>>)
    | undefined;
}

/**
 * A page with its `icon:` references replaced. What is no reference stays byte for byte, and a page without any comes
 * back as it is.
 * @returns puts the icons in place, once all of them are there
 * @throws IconCatalogError SPECIFIER_INVALID for an `icon:` where no picture can be, and what the port throws
 */
export async function preparePage(
  html: string,
  file: string,
  port: PagePort,
): Promise<Put<string>> {
  if (!html.includes('icon:')) return () => html;
  // Most builds have no page with icons, and do not load an HTML parser.
  const { findPageReferences } = await import('./find-page-references.ts');
  const { references, styles, bodyEnd } = findPageReferences(html);
  const page: Page = { file, port, symbols: new Map() };
  const finding = references.map(async (reference) =>
    editOf(page, reference, placeInText(html, reference.start)),
  );
  const { style } = port;
  if (style !== undefined)
    for (const { start, end } of styles)
      finding.push(
        withEdit(
          { start, end },
          prepareStyle(html.slice(start, end), async (found, offset) =>
            style(found, placeInText(html, start + offset)),
          ),
        ),
      );
  const put = await inOrder(finding);
  return async () => {
    const edits = await put();
    if (page.symbols.size > 0) {
      const sheet = toSymbolSheet([...page.symbols].map(([id, svg]) => toSymbol(svg, id)));
      edits.push({ start: bodyEnd, end: bodyEnd, text: sheet });
    }
    return applyEdits(html, edits);
  };
}

/** `preparePage`, with the icons put in place. */
export async function rewritePage(...given: Parameters<typeof preparePage>): Promise<string> {
  const put = await preparePage(...given);
  return put();
}

/** A page while it is rewritten. */
interface Page {
  file: string;
  port: PagePort;
  /** Drawings that `<use>` refers to, by their ids in the page. */
  symbols: Map<string, string>;
}

/** The edit that puts this text into that part of the page. */
async function withEdit(
  range: { start: number; end: number },
  finding: Promise<Put<string>>,
): Promise<Put<Edit>> {
  const put = await finding;
  return async () => ({ ...range, text: await put() });
}

async function editOf(page: Page, reference: PageReference, at: string): Promise<Put<Edit>> {
  const { name: tag, place, attribute, values, start, end } = reference;
  const { port } = page;
  const specifier = (values[attribute] ?? '').trim();
  if (place === 'inline') {
    const { alt = '', class: classes = '' } = values;
    const put = await port.drawing(specifier, { at, title: alt, class: classes });
    return async () => ({ start, end, text: toInlineDrawing((await put()).svg, values) });
  }
  if (place === 'elsewhere')
    throw new IconCatalogError('SPECIFIER_INVALID', {
      message: `\`${specifier}\` is in \`<${tag} ${attribute}>\`, which shows no picture.`,
      remedy:
        'Icons can be used in <img src>, srcset, <link rel="icon" href>, <use href>, <image href>, <input type="image" src>, <video poster> and styles.',
      importer: `${page.file}:${at}`,
    });
  const written = reference.attributes.find(({ name }) => name.toLowerCase() === attribute);
  const range = { start: written?.start ?? start, end: written?.end ?? start };
  if (place === 'favicon') {
    const put = await port.favicon(specifier, at);
    return async () => ({ ...range, text: toFavicon(attribute, await put(), values) });
  }
  const put = await newValue(page, reference, at);
  return async () => ({ ...range, text: toAttribute(attribute, await put()) });
}

function toFavicon(
  attribute: string,
  { address, type, sizes }: { address: string; type: string; sizes: string | undefined },
  values: PageReference['values'],
): string {
  const more = Object.entries({ type, sizes }).filter(([name]) => !(name in values));
  const all: [string, string | undefined][] = [[attribute, address], ...more];
  return all
    .flatMap(([name, value]) => (value === undefined ? [] : toAttribute(name, value)))
    .join(' ');
}

/** The new value of the attribute. */
async function newValue(
  { port, symbols }: Page,
  { place, attribute, values }: PageReference,
  at: string,
): Promise<Put<string>> {
  const value = values[attribute] ?? '';
  const specifier = value.trim();
  if (place === 'srcset') return rewriteSrcset(value, async (address) => port.image(address, at));
  if (place === 'use') {
    const put = await port.drawing(specifier, { at });
    return async () => {
      const { svg, name } = await put();
      if (!symbols.has(name)) symbols.set(name, svg);
      return `#${name}`;
    };
  }
  if (place === 'style') {
    const { style } = port;
    return style === undefined
      ? () => value
      : prepareStyle(value, async (found) => style(found, at));
  }
  return port.image(specifier, at);
}

async function rewriteSrcset(
  value: string,
  find: (specifier: string) => Promise<Put<string>>,
): Promise<Put<string>> {
  const candidates = parseSrcset(value);
  const put = await inOrder(
    candidates.map(async ({ address }) =>
      address.startsWith('icon:') ? find(address) : () => address,
    ),
  );
  return async () => {
    const addresses = await put();
    return candidates.map(({ descriptor }, at) => `${addresses[at]}${descriptor}`).join(', ');
  };
}

/** One candidate of a `srcset`; the text between candidates is kept by the code that rewrites it. */
interface SrcsetCandidate {
  address: string;
  /** ` 2x`, with the white space before it. */
  descriptor: string;
}

/**
 * The candidates of a `srcset`, as HTML's own algorithm splits them: an address ends at white space, commas at its end
 * separate, and a comma within it belongs to it.
 */
function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let rest = value;
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') return candidates;
    const [written = ''] = /^\S+/.exec(rest) ?? [];
    rest = rest.slice(written.length);
    const address = written.replace(/,+$/, '');
    if (address !== written) {
      candidates.push({ address, descriptor: '' });
      continue;
    }
    const [descriptor = ''] = /^(?:\([^)]*\)|[^,(])*/.exec(rest) ?? [];
    rest = rest.slice(descriptor.length);
    candidates.push({ address, descriptor: descriptor.trimEnd() });
  }
}

/** `12:7`: line and column of an offset, both from 1, as editors count them. */
function placeInText(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}

/** The two parts of rendered markup: the attributes of the root as written, and the content between its tags. */
interface Drawing {
  attributes: { name: string; source: string }[];
  body: string;
}

/** Attributes of an `<img>` that an `<svg>` has no use for. Title and class are already part of the drawing. */
const OF_IMAGES = new Set(
  (
    'src alt inline srcset sizes loading decoding fetchpriority crossorigin referrerpolicy ismap usemap ' +
    'title class width height longdesc align border hspace vspace'
  ).split(' '),
);

/** The attributes that a `<symbol>` takes over from the root: those of its painting, not of its place in a page. */
const OF_ROOTS = new Set(['xmlns', 'width', 'height', 'aria-hidden', 'focusable', 'role', 'class']);

/** The drawing with the attributes of the `<img>` that it replaces, which override its own. */
function toInlineDrawing(svg: string, values: Readonly<Record<string, string>>): string {
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
function toSymbol(svg: string, id: string): string {
  const { attributes, body } = readDrawing(svg);
  const kept = attributes.filter(({ name }) => !OF_ROOTS.has(name)).map(({ source }) => source);
  return `<symbol ${[toAttribute('id', id), ...kept].join(' ')}>${body}</symbol>`;
}

/**
 * The symbols of one page. They are not hidden by `display:none`, with which some browsers ignore gradients and clip
 * paths.
 */
function toSymbolSheet(symbols: readonly string[]): string {
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
