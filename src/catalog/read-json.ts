import { IconCatalogError } from '../errors.ts';
import type { WireResponse } from './wire.ts';

/** @throws IconCatalogError CATALOG_MALFORMED for web pages, other media types and broken JSON; never with the text */
export function readJson({ status, header, body }: WireResponse, where: string): unknown {
  const type = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = header('content-encoding') ?? 'identity';
  // Services that do not say what they send are believed once it parses.
  const expected =
    ['', 'application/json', 'text/json', 'text/plain'].includes(type) || type.endsWith('+json');
  if (!expected) {
    const what =
      type === 'text/html' ? 'a web page' : `a body of type ${JSON.stringify(type.slice(0, 60))}`;
    throw malformed(`${where} was answered with ${what} instead of JSON.`, status);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    // The parser's own message quotes the body.
    const why = body.length === 0 ? 'is empty' : 'is broken or cut off';
    const packed =
      encoding === 'identity'
        ? ''
        : ` It has the encoding ${JSON.stringify(encoding.slice(0, 20))}, which was not asked for.`;
    throw malformed(
      `The JSON that answers ${where} ${why}, after ${body.length} bytes.${packed}`,
      status,
    );
  }
}

function malformed(message: string, status: number): IconCatalogError {
  return new IconCatalogError('CATALOG_MALFORMED', { message, status });
}
