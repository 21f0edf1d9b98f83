import { hash } from 'node:crypto';

/** Lower-case hex SHA-256. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}

/** SHA-512 as Subresource Integrity writes it: `sha512-<base64>`. */
export function sri512(bytes: Uint8Array | string): string {
  return `sha512-${hash('sha512', bytes, 'base64')}`;
}
