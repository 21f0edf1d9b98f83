import type { IconRequest } from '../types.ts';
import { parseRequest } from './parse-request.ts';
import { quote, Refusal, toError } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** An icon where a page or a style sheet shows an image: no markup, no colour of a text around it. */
export interface ImageRequest {
  /** With `as` url or data; whichever it is where nobody said. */
  request: IconRequest;
  /** What was asked for; `auto` leaves it to the size of the file. */
  form: 'auto' | 'url' | 'data';
  /** True where the colour comes from here: black, since there is no text to take one from. */
  isBlackByDefault: boolean;
}

const BLACK = '000000';
const OTHER = 'ffffff';

/**
 * Reads an `icon:` of a style sheet or of an `<img>`.
 * @throws IconCatalogError as `parseRequest`, and where another `as` is asked for than an image can have
 */
export function parseImage(
  specifier: string,
  { aliases, defaults }: RequestContext,
  importer?: string,
): ImageRequest {
  const color = isHex(defaults.color) ? defaults.color : undefined;
  const parse = (as: 'url' | 'data', byDefault: string | undefined): IconRequest =>
    parseRequest(
      specifier,
      { aliases, defaults: { size: defaults.size, color: byDefault, as } },
      importer,
    );
  const asked = parse('url', color);
  if (asked.as !== 'url' && asked.as !== 'data') throw noImage(asked.as, specifier, importer);
  const form = parse('data', color).as === asked.as ? asked.as : 'auto';
  // A png has the service's own colour unless somebody wants another.
  if (asked.filetype === 'png' || color !== undefined)
    return { request: asked, form, isBlackByDefault: false };
  const request = parse('url', BLACK);
  const isBlackByDefault = parse('url', OTHER).color === OTHER && request.color === BLACK;
  return { request, form, isBlackByDefault };
}

function isHex(color: string | undefined): boolean {
  return color !== undefined && color.toLowerCase() !== 'currentcolor';
}

function noImage(as: string, specifier: string, importer: string | undefined): Error {
  const { fault } = new Refusal({
    reason: `${quote(`as=${as}`)} is no image, and nothing else can be shown here`,
    allowed: '`as=url` (a file), `as=data` (in place), or neither: then its size decides',
  });
  return toError(fault, specifier, importer);
}
