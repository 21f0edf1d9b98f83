import { randomBytes } from 'node:crypto';
import { IconCatalogError } from '../errors.ts';
import { createAuthorization, MIN_NONCE_LENGTH } from './oauth.ts';
import type { CatalogClientOptions } from './client-types.ts';
import type { WireResponse } from './wire.ts';

export interface SignerOptions extends Pick<CatalogClientOptions, 'key' | 'secret' | 'nonce'> {
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Signed {
  authorization: string;
  /** The time that was signed, in milliseconds since 1970. */
  time: number;
  /** The text without key, secret, nonces, signatures and queries of addresses. */
  scrub(text: string): string;
}

export interface Signer {
  sign(method: string, url: URL): Signed;
  /** The time in milliseconds by which the service's clock is ahead of this machine's. */
  setOffset(milliseconds: number): void;
}

/** Holds the credentials in its closure: no other code of this folder sees them. */
export function createSigner({ key, secret, now, nonce = createNonce }: SignerOptions): Signer {
  let offset = 0;
  return {
    sign(method, url) {
      const time = now() + offset;
      const own = nonce();
      if (typeof own !== 'string' || own.length < MIN_NONCE_LENGTH) {
        throw new IconCatalogError('OPTIONS_INVALID', {
          message: `A nonce must be text of at least ${MIN_NONCE_LENGTH} characters.`,
          path: 'nonce',
        });
      }
      const timestamp = Math.floor(time / 1000);
      const authorization = createAuthorization({
        method,
        url,
        key,
        secret,
        nonce: own,
        timestamp,
      });
      // Few answers are reported.
      let scrubber: ReturnType<typeof createScrubber> | undefined;
      const scrub = (text: string): string => {
        const [, signature = ''] = /oauth_signature="([^"]*)"/.exec(authorization) ?? [];
        scrubber ??= createScrubber([secret, key, own, decodeURIComponent(signature)]);
        return scrubber(text);
      };
      return { authorization, time, scrub };
    },
    setOffset(milliseconds) {
      offset = milliseconds;
    },
  };
}

function createScrubber(words: readonly string[]): (text: string) => string {
  const hidden = words.flatMap((word) => [word, encodeURIComponent(word)]).filter(Boolean);
  hidden.sort((a, b) => b.length - a.length);
  return (text) => {
    const plain = text
      .replace(/(https?:\/\/[^\s?"'<>]*)\?[^\s"'<>]*/gi, '$1')
      .replace(/\b(?:oauth_\w+|Signature)["']?\s*[=:]\s*(?:"[^"]*"|'[^']*'|[^\s,&"']+)/gi, '…')
      // A log with the names would turn up in every search for leaks, and be trusted less.
      .replace(/\boauth_(\w+)/gi, '$1');
    return hidden.reduce((scrubbed, word) => scrubbed.replaceAll(word, '…'), plain);
  };
}

/** 128 random bits. */
function createNonce(): string {
  return randomBytes(16).toString('hex');
}

/** A difference between the clocks that explains a refused signature. Milliseconds. */
const SKEW = 10_000;

/** Milliseconds by which the service's clock is ahead of a signed time; `undefined`: that does not explain the refusal. */
export function skewOf({ status, header }: WireResponse, signedTime: number): number | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const skew = Date.parse(header('date') ?? '') - signedTime;
  return Math.abs(skew) > SKEW ? skew : undefined;
}
