import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds for which a signed address lives: the interface says one hour. */
const LIFETIME = 3600;

export interface AssetAddresses {
  /** Temporary address of a file. */
  signed(input: { origin: string; path: string; now: number }): string;
  /** Why a request for a signed path is refused; nothing when it may pass. */
  refusal(url: URL, now: number): string | undefined;
}

/** Signs paths with a secret of this server; addresses die an hour after the call, at the second, or with the server. */
export function createAssetAddresses(): AssetAddresses {
  const secret = randomBytes(32);
  const sign = (path: string, expires: string): Buffer =>
    createHmac('sha256', secret).update(`${path}\n${expires}`).digest();

  return {
    signed({ origin, path, now }) {
      const expires = String(Math.floor(now / 1000) + LIFETIME);
      return `${origin}${path}?Expires=${expires}&Signature=${sign(path, expires).toString('base64url')}`;
    },
    refusal({ pathname, searchParams }, now) {
      const expires = searchParams.get('Expires') ?? '';
      const given = Buffer.from(searchParams.get('Signature') ?? '', 'base64url');
      const expected = sign(pathname, expires);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        return 'The address is not signed by this catalog.';
      return now / 1000 < Number(expires)
        ? undefined
        : 'The address has expired; call the catalog for a new one.';
    },
  };
}
