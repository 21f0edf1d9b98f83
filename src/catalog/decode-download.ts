import { IconCatalogError } from '../errors.ts';
import type { Download, DownloadResponse } from './records.ts';

const CONTENT_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;
const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Adds the file to a download. What it says it is, what it is and what was asked for must agree.
 * @throws IconCatalogError CATALOG_MALFORMED
 */
export function decodeDownload(
  response: DownloadResponse,
  { id, filetype, where }: { id: number | string; filetype: 'svg' | 'png'; where: string },
): Download {
  const fail = (path: string, what: string): IconCatalogError =>
    new IconCatalogError('CATALOG_MALFORMED', {
      message: `The file that answers ${where} cannot be used: ${what}.`,
      icon: id,
      path,
    });

  const stated = response.content_type.split(';')[0]?.trim().toLowerCase();
  if (stated !== CONTENT_TYPES[filetype]) {
    const told = JSON.stringify(response.content_type.slice(0, 60));
    throw fail('content_type', `${filetype} was asked for, and its content_type is ${told}`);
  }
  const bytes = decodeBase64(response.base64_encoded_file);
  if (bytes === undefined) throw fail('base64_encoded_file', 'it is not base64');
  if (bytes.length === 0) throw fail('base64_encoded_file', 'it is empty');
  const real = filetype === 'png' ? isPng(bytes) : isMarkup(bytes);
  if (!real)
    throw fail('base64_encoded_file', `its bytes are not those of a file of type ${filetype}`);
  return { ...response, bytes };
}

/** Strict: alphabet, padding and length as RFC 4648 section 4 has them; line ends are allowed. */
function decodeBase64(text: string): Uint8Array | undefined {
  const line = text.replace(/\r?\n/g, '');
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? new Uint8Array(bytes) : undefined;
}

function isPng(bytes: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, index) => bytes[index] === byte);
}

/** Whether it is a good SVG is for the svg room to say; other formats and web pages end here. */
function isMarkup(bytes: Uint8Array): boolean {
  const start = new TextDecoder(isUtf16(bytes)).decode(bytes.subarray(0, 1024)).trimStart();
  return start.startsWith('<') && !/^<(?:!doctype\s+html|html)\b/i.test(start);
}

function isUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
