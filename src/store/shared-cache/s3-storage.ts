import type { AwsClient } from 'aws4fetch';
import { createHttpWire } from '../../catalog/http-wire.ts';
import { sha256Hex } from '../hash.ts';
import { CONCURRENCY, HttpFailure } from './guard.ts';
import type { OpenStorage, S3Address } from './parse-address.ts';

/**
 * A bucket of Amazon S3 or of a service that speaks its protocol, with time-outs and with the session tokens that CI
 * systems hand out. No answer is repeated in an error.
 *
 * @param options.timeout ms for an answer
 * @param options.Client of `aws4fetch`, which need not be installed
 */
export function openS3Storage(
  { base, region, credentials, env }: S3Address,
  { timeout, Client }: { timeout: number; Client: typeof AwsClient },
): OpenStorage {
  const client = credentials && new Client({ service: 's3', region, ...credentials });
  const wire = createHttpWire({ concurrency: CONCURRENCY, env });

  /** The object's text; `null`: there is none. */
  async function call(method: 'GET' | 'PUT', key: string, body?: string): Promise<string | null> {
    const url = `${base}/${key.replaceAll(':', '/')}`;
    const headers = { 'x-amz-content-sha256': sha256Hex(body ?? '') };
    const request = { method, headers, ...(body !== undefined && { body }) };
    const signed = client && (await client.sign(url, request));
    // A redirect is an answer: a signature is for one address, and a bucket in another region is a mistake in the options.
    const response = await wire.send({
      method,
      url: new URL(url),
      headers: Object.fromEntries(signed?.headers ?? Object.entries(headers)),
      body,
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status >= 200 && response.status < 300)
      return Buffer.from(response.body).toString();
    if (response.status === 404 && method === 'GET') return null;
    throw new HttpFailure(response.status);
  }

  return {
    get: (key) => call('GET', key),
    set: async (key, value) => void (await call('PUT', key, value)),
    close: () => wire.close(),
  };
}
