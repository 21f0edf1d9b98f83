import type { IconRequest } from '../types.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { ICON_PREFIX } from '../request/specifier.ts';

/** An id that is written the one way and is small enough to be an integer for certain. */
const PLAIN_ID = /^icon:([1-9]\d{0,14})(?=\?|$)/;

/**
 * `parseRequest` for the many imports of one project: thousands of them differ in their id only, so that
 * what stands behind it is read once.
 */
export function createRequestParser(
  context: RequestContext,
): (specifier: string, importer?: string) => IconRequest {
  const requestByQuery = new Map<string, IconRequest>();

  return (specifier, importer) => {
    const digits = PLAIN_ID.exec(specifier)?.[1];
    if (digits === undefined) return parseRequest(specifier, context, importer);
    const query = specifier.slice(ICON_PREFIX.length + digits.length);
    const read = requestByQuery.get(query);
    if (read === undefined) {
      const request = parseRequest(specifier, context, importer);
      requestByQuery.set(query, request);
      return request;
    }
    const canonicalQuery = read.canonical.slice(read.canonical.indexOf('?'));
    return { ...read, id: Number(digits), canonical: `${ICON_PREFIX}${digits}${canonicalQuery}` };
  };
}
