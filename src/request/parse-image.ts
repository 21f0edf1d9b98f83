import type { IconRequest } from '../types.ts';
import { parseRequest } from './parse-request.ts';
import { quote, Refusal, toError } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** An icon that a page or a style sheet shows as an image: it is no markup, and `currentColor` is black in it. */
export interface ImageRequest {
  /** With `as` url or data; whichever it is where nobody said. */
  request: IconRequest;
  /** What was asked for; `auto` leaves it to the size of the file. */
  form: 'auto' | 'url' | 'data';
}

/**
 * Reads an `icon:` of a style sheet or of an `<img>`.
 * @throws IconCatalogError as `parseRequest`, and where another `as` is asked for than an image can have
 */
export function parseImage(
  specifier: string,
  { aliases, catalog, defaults }: RequestContext,
  importer?: string,
): ImageRequest {
  const { size, color } = defaults;
  const parse = (as: 'url' | 'data'): IconRequest =>
    parseRequest(specifier, { aliases, catalog, defaults: { size, color, as } }, importer);
  const request = parse('url');
  const { as } = request;
  if (as !== 'url' && as !== 'data') throw noImage(as, specifier, importer);
  return { request, form: parse('data').as === as ? as : 'auto' };
}

function noImage(as: string, specifier: string, importer: string | undefined): Error {
  const { fault } = new Refusal({
    reason: `${quote(`as=${as}`)} is no image, and nothing else can be shown here`,
    allowed: '`as=url` (a file), `as=data` (in place), or neither: then its size decides',
  });
  return toError(fault, specifier, importer);
}
