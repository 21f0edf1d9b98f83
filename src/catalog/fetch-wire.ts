import type { FetchPort } from '../types.ts';
import { MAX_RESPONSE_SIZE, TOO_LARGE, type Wire } from './wire.ts';

/** The door through a `fetch` that the caller gave: an embedded catalog, a test, another HTTP client. */
export function createFetchWire(fetch: FetchPort): Wire {
  return {
    async send({ method, url, headers, body, signal }) {
      const request = new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      });
      const response = await fetch(request);
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        headerNames: () => [...response.headers.keys()],
        body: await readBody(response),
      };
    },
    close: () => Promise.resolve(),
  };
}

async function readBody({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_SIZE) {
      throw Object.assign(new Error('The answer is too large.'), { code: TOO_LARGE });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
