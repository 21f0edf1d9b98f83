import { Buffer } from 'node:buffer';

/** Files within addresses, whatever their type is said to be. Padding may be percent-encoded, slashes escaped. */
const ADDRESS = /;base64,((?:[A-Za-z\d+/_-]|\\\/|%2[bBfF]){32,})/g;

/** The bytes of every `data:` address with base64 in a text. */
export function* base64In(text: string): Generator<Uint8Array> {
  for (const [, body = ''] of text.matchAll(ADDRESS)) {
    const plain = body.replaceAll('\\', '').replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/');
    yield Buffer.from(plain, 'base64');
  }
}
