import type { Credit } from '../types.ts';

/**
 * The credit as a comment for an svg file that stands alone: `<!--! “Star” by Ana, CC BY 3.0, https://… -->`.
 * The `!` is what minifiers take for a comment that must stay.
 */
export function creditComment({ credit, license, source }: Credit): string {
  const parts = [credit.line, license.name, source.url].map((part) => toCommentText(part ?? ''));
  const said = parts.filter(
    (part, index) => part !== '' && !parts.slice(0, index).join(' ').includes(part),
  );
  return `<!--! ${said.join(', ')} -->`;
}

/** One line, without what XML forbids in a comment: `--`, control characters, halves of characters. */
function toCommentText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Surrogate}\ufffe\uffff]/gu, '')
    .replace(/-(?=-)/g, '- ')
    .trim();
}

/** The file with its credit, still one document: the comment stands last in the root. */
export function withCreditComment(svg: string, credit: Credit): string {
  const end = svg.lastIndexOf('</svg>');
  const comment = creditComment(credit);
  return end === -1 ? svg + comment : svg.slice(0, end) + comment + svg.slice(end);
}

/** Characters that no XML document may hold. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/**
 * The credit as RDF (ccREL and Dublin Core) in a `<metadata>` element, first in the root. It speaks of the file that
 * holds it (`rdf:about=""`).
 */
export function withCreditMetadata(svg: string, credit: Credit): string {
  const start = /<svg\b[^>]*?(\/?)>/.exec(svg);
  if (start === null) return svg;
  const end = start.index + start[0].length;
  const metadata = creditMetadata(credit);
  return start[1] === '/'
    ? `${svg.slice(0, end - 2)}>${metadata}</svg>${svg.slice(end)}`
    : svg.slice(0, end) + metadata + svg.slice(end);
}

function creditMetadata({ title, creator, credit, source, license, changes }: Credit): string {
  const author = creator.name ?? creator.username;
  const notes = changes.map(({ summary }) => summary).join('; ');
  return [
    '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dct="http://purl.org/dc/terms/"><cc:Work rdf:about="">',
    text('dct:title', title),
    text('cc:attributionName', author),
    resource('cc:attributionURL', creator.url),
    resource('dct:source', source.url),
    resource('cc:license', license.url),
    text('dct:rights', license.url === null ? license.name : null),
    text('dct:rights', credit.requested),
    text('dct:provenance', notes),
    '</cc:Work></rdf:RDF></metadata>',
  ].join('');
}

function text(name: string, value: string | null): string {
  return value === null || value === '' ? '' : `<${name}>${escapeXml(value)}</${name}>`;
}

function resource(name: string, address: string | null): string {
  return address === null ? '' : `<${name} rdf:resource="${escapeXml(address)}"/>`;
}

function escapeXml(value: string): string {
  return value
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Name of the file, which bundlers put a hash of its content into. */
export const SPRITE_FILE = 'sprite.svg';

export interface SpriteSymbol {
  id: string;
  /** `<symbol id="…">…</symbol>`. */
  symbol: string;
  credit: Credit;
}

/** The file that holds them, each once, in an order of its own; every drawing stands behind its credit. */
export function renderSpriteFile(symbols: Iterable<SpriteSymbol>): string {
  const lineById = new Map<string, string>();
  for (const { id, symbol, credit } of symbols) {
    lineById.set(id, `${creditComment(credit)}\n${symbol}`);
  }
  const lines = [...lineById]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, line]) => line);
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${lines.join('\n')}\n</svg>\n`;
}

/**
 * Markup as a `data:` address that may stand in quotes of either kind, in an attribute of HTML, and
 * without quotes in a CSS `url()`: no quote, parenthesis, white space, backslash, `<`, `>`, `&` or `#`
 * is left. Unlike base64 it compresses together with other icons.
 */
export function svgToDataUri(svg: string): string {
  return `data:image/svg+xml,${svg
    .replace(/<[^<>]+>/g, withCommas)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^\w!$*+,\-./:;=?@~]+/g, encode)}`;
}

/** A file of an icon as a `data:` address. */
export function dataUriOf({
  source,
  contentType,
}: {
  source: string | Uint8Array;
  contentType: string;
}): string {
  if (typeof source === 'string') return svgToDataUri(source);
  return `data:${contentType};base64,${Buffer.from(source).toString('base64')}`;
}

/** Commas between numbers: they are no longer in an address, where white space is three characters. */
function withCommas(tag: string): string {
  return tag.replace(/\s(?:d|points|viewBox)="[^"]*"/g, (attribute) =>
    attribute.replace(/(?<=\d) (?=[\d.-])/g, ','),
  );
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("'", '%27')
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}
