import { Buffer } from 'node:buffer';
import { IconCatalogError } from '../errors.ts';
import { invalidSvg, LIMITS, tooLargeSvg } from './refusals.ts';

// XML 1.0, production 2: the characters that a document must not contain, and the noncharacters that it discourages.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufdd0-\ufdef\ufffe\uffff]/;

const DECLARED_ENCODING =
  /^\s*<\?xml\s[^>?]{0,200}?\bencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/;

/** Encodings that contain ASCII unchanged, so that the declaration can be read at all. */
const ENCODINGS = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
]);

/**
 * Untrusted bytes → text that may be parsed: one declared encoding, no control characters, no document type.
 * @throws IconCatalogError SVG_TOO_LARGE, SVG_INVALID
 */
export function decodeSvg(
  bytes: Uint8Array,
  { id, maxBytes }: { id: number; maxBytes: number },
): string {
  if (bytes.byteLength > maxBytes) {
    throw new IconCatalogError('SVG_TOO_LARGE', {
      message: `icon ${id}: the file has ${bytes.byteLength} bytes; ${maxBytes} are allowed.`,
      icon: id,
    });
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw invalidSvg(id, 'the file is compressed (svgz)');
  const text = decodeText(bytes, id);
  if (FORBIDDEN.test(text)) throw invalidSvg(id, 'the file holds control characters');
  return expandDoctype(text, { id, maxLength: maxBytes });
}

function decodeText(bytes: Uint8Array, id: number): string {
  const mark = byteOrderMark(bytes);
  const head = mark === undefined ? Buffer.from(bytes.subarray(0, 400)).toString('latin1') : '';
  const declared = mark ?? DECLARED_ENCODING.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = mark ?? ENCODINGS.get(declared);
  if (encoding === undefined)
    throw invalidSvg(id, 'the file declares an encoding that is not supported');
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw invalidSvg(id, `the file is not valid ${encoding}`);
  }
  if (mark !== undefined) {
    const inner = DECLARED_ENCODING.exec(text.slice(0, 400))?.[1]?.toLowerCase();
    if (inner !== undefined && !inner.replace('utf8', 'utf-8').startsWith(mark.slice(0, 6)))
      throw invalidSvg(id, 'the byte order mark contradicts the declared encoding');
  }
  return text;
}

function byteOrderMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

const ENTITY = /<!ENTITY\s+(%\s+)?([^\s"'<>]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')/g;
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;
// Names that XML fixes; a file that redefines one tries to deceive its reader.
const PREDEFINED = new Set(['lt', 'gt', 'amp', 'quot', 'apos']);

/**
 * Removes the document type from the text and replaces its plain entities (with which Illustrator declares namespaces)
 * by their text. svgo would collect declarations from the whole file, comments included; after this there is nothing to
 * collect.
 * @throws IconCatalogError SVG_INVALID for external or parameter entities and markup in entities, SVG_TOO_LARGE
 */
function expandDoctype(text: string, { id, maxLength }: { id: number; maxLength: number }): string {
  const start = prologEnd(text);
  if (!text.startsWith('<!DOCTYPE', start)) return refuseDeclarations(text, id);
  const { subset, end } = readDoctype(text, start, id);
  const body = refuseDeclarations(text.slice(end), id);
  const values = readEntities(subset, id);
  if (values.size === 0) return body;
  let length = body.length;
  const expanded = body.replace(/&([A-Za-z_][\w.-]{0,99});/g, (reference, name: string) => {
    const value = values.get(name);
    if (value === undefined) return reference;
    length += value.length;
    if (length > maxLength)
      throw tooLargeSvg(id, 'its entities expand beyond the largest file allowed');
    return value;
  });
  return refuseDeclarations(expanded, id);
}

/** The offset at which the XML declaration, comments and processing instructions before the document type end. */
function prologEnd(text: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const close = text.startsWith('<?', at)
      ? '?>'
      : text.startsWith('<!--', at)
        ? '-->'
        : undefined;
    if (close === undefined) return at;
    const end = text.indexOf(close, at + 2);
    if (end === -1) return at;
    at = end + close.length;
  }
}

function readDoctype(text: string, start: number, id: number): { subset: string; end: number } {
  let quote = '';
  let subsetStart = -1;
  let subsetEnd = -1;
  for (let at = start + 9; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (text.startsWith('<!--', at)) {
      const close = text.indexOf('-->', at + 4);
      if (close === -1) break;
      at = close + 2;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '[' && subsetStart === -1) subsetStart = at + 1;
    else if (character === ']' && subsetEnd === -1) subsetEnd = at;
    else if (character === '>' && (subsetStart === -1 || subsetEnd !== -1))
      return { subset: subsetStart === -1 ? '' : text.slice(subsetStart, subsetEnd), end: at + 1 };
  }
  throw invalidSvg(id, 'the document type is not closed');
}

function readEntities(subset: string, id: number): Map<string, string> {
  const declarations = subset
    .split('<!--')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('-->') + 3)))
    .join('');
  const values = new Map<string, string>();
  for (const [, parameter, name = '', external, double, single] of declarations.matchAll(ENTITY)) {
    const value = double ?? single ?? '';
    if (parameter !== undefined || external !== undefined)
      throw invalidSvg(id, 'it declares external or parameter entities');
    if (!NAME.test(name) || PREDEFINED.has(name))
      throw invalidSvg(id, 'it declares an entity with a name that is not allowed');
    if (/[<&%]/.test(value)) throw invalidSvg(id, 'an entity holds markup');
    if (value.length > LIMITS.entityLength) throw tooLargeSvg(id, 'an entity is too long');
    // The first declaration binds (XML 1.0, 4.2).
    if (!values.has(name)) values.set(name, escapeEntity(value));
    if (values.size > LIMITS.entities) throw tooLargeSvg(id, 'it declares too many entities');
  }
  return values;
}

// An entity's quotation marks and `>` are text wherever it is used (XML 1.0, 4.4.5 "Included in Literal").
function escapeEntity(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');
}

function refuseDeclarations(text: string, id: number): string {
  if (/<!(?:DOCTYPE|ENTITY|ATTLIST|ELEMENT|NOTATION)/i.test(text))
    throw invalidSvg(id, 'it has a declaration where none is allowed');
  return text;
}
