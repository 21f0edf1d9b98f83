import { IconCatalogError } from '../errors.ts';
import { expandDoctype } from './expand-doctype.ts';
import { invalidSvg } from './limits.ts';

// XML 1.0, production 2: what a document may not hold, plus the noncharacters that it discourages.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufdd0-\ufdef\ufffe\uffff]/;

const DECLARED_ENCODING =
  /^\s*<\?xml\s[^>?]{0,200}?\bencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/;

/** Encodings in which ASCII is ASCII, so that the declaration could be read at all. */
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
 * Bytes of a stranger → text that may be parsed: one declared encoding, no control characters, no document type.
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
  const head = mark === undefined ? latin1(bytes.subarray(0, 400)) : '';
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

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
