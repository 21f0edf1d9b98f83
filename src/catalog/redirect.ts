import { IconCatalogError } from '../errors.ts';
import type { WireResponse } from './wire.ts';

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends the request, or `undefined`. A signature is made for one origin: it is never carried to another.
 * @throws IconCatalogError CATALOG_UNAVAILABLE for another origin, a loop, or a write that would become a read
 */
export function redirectOf(
  { status, header }: WireResponse,
  { from, method, hops, where }: { from: URL; method: string; hops: number; where: string },
): URL | undefined {
  const location = header('location');
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const refuse = (why: string, remedy?: string): IconCatalogError =>
    new IconCatalogError('CATALOG_UNAVAILABLE', {
      message: `The catalog redirected ${where} (status ${status}): ${why}.`,
      ...(remedy !== undefined && { remedy }),
      status,
    });
  if (!URL.canParse(location, from)) throw refuse('the new address is not an address');
  const to = new URL(location, from);
  if (to.origin !== from.origin) {
    throw refuse(
      `the new address is on another origin, ${to.protocol}//${to.host}, where no signed request is sent`,
      'If that is where the catalog lives now, set ICON_CATALOG_URL (or `catalog.baseUrl`) to its address.',
    );
  }
  if (method !== 'GET' && status < 307) throw refuse('a write must not become a read');
  if (hops >= MOST_REDIRECTS) throw refuse(`more than ${MOST_REDIRECTS} redirects`);
  to.username = '';
  to.password = '';
  to.hash = '';
  return to;
}
