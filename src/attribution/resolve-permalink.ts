import { isPublicHost } from '../public-host.ts';

/** Parameters of signed addresses, however written: such an address is not repeated anywhere. */
const SIGNED =
  /[?&;#](?:[^=]*-)?(?:signature|expires|token|credential|oauth_\w+|policy|key-pair-id)=/i;
const CONTROL_OR_BACKSLASH = /[\u0000-\u0020\u007f-\u009f\\]/;

/** A rooted path that no parser changes; most permalinks are, and parsing thousands of them shows in a build. */
const PLAIN_PATH = /^\/(?:[\w~.-]+\/)*[\w~.-]*$/;

/**
 * The absolute address of a permalink, or `null` where it is missing or leaves the catalog's site.
 * Permalinks are untrusted: only paths on `siteUrl`'s own origin over http(s) count, and only of hosts that everybody can reach.
 */
export function resolvePermalink(permalink: string | undefined, siteUrl: string): string | null {
  if (permalink === undefined || permalink === '' || CONTROL_OR_BACKSLASH.test(permalink))
    return null;
  if (SIGNED.test(permalink) || permalink.startsWith('//')) return null;
  if (PLAIN_PATH.test(permalink) && !permalink.includes('/.')) {
    const origin = originOf(siteUrl);
    return origin === null ? null : origin + permalink;
  }
  if (!URL.canParse(permalink, siteUrl)) return null;
  const url = new URL(permalink, siteUrl);
  if (url.origin !== new URL(siteUrl).origin) return null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || !isPublicHost(url.hostname)) return null;
  return url.origin + toUriCharacters(url.pathname + url.search + url.hash);
}

/** A whole address that a record states, which everybody can open; `null` for anything else. */
export function publicAddress(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return resolvePermalink(address, origin);
}

/** WHATWG addresses may hold characters that RFC 3986 (and with it the schema's `uri`) does not allow. */
function toUriCharacters(path: string): string {
  return path
    .replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/(?<=#.*)#/g, '%23');
}

function originOf(siteUrl: string): string | null {
  if (!URL.canParse(siteUrl)) return null;
  const { origin, protocol, hostname } = new URL(siteUrl);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return isPublicHost(hostname) ? origin : null;
}
