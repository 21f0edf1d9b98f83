import { hash } from 'node:crypto';
import { remember } from '../untrusted.ts';

/** Lower-case hex SHA-256. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}

/** Half of `sha256Hex`, for names of files and identities. */
export function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 32);
}

/** SHA-512 as Subresource Integrity writes it: `sha512-<base64>`. */
export function sri512(bytes: Uint8Array | string): string {
  return `sha512-${hash('sha512', bytes, 'base64')}`;
}

/** `sha256Hex` of a text that many icons have, such as that of a licence. */
export const textDigest: (text: string) => string = remember(sha256Hex);
