import type { AwsClient } from 'aws4fetch';
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { sha256Hex } from '../hash.ts';
import { HttpFailure } from './guard.ts';
import type { OpenStorage, S3Address } from './parse-address.ts';

const CONNECT_TIMEOUT = 3000;
/** Bytes of an answer; larger ones were not written by us. */
const LARGEST = 64 * 1024 ** 2;

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
  const limits = {
    connect: { timeout: CONNECT_TIMEOUT },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: LARGEST,
  };
  const proxy = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const dispatcher =
    proxy('HTTP_PROXY') || proxy('HTTPS_PROXY')
      ? new EnvHttpProxyAgent({
          ...limits,
          httpProxy: proxy('HTTP_PROXY'),
          httpsProxy: proxy('HTTPS_PROXY'),
          noProxy: proxy('NO_PROXY'),
        })
      : new Agent(limits);

  /** The object's text; `null`: there is none. */
  async function call(method: 'GET' | 'PUT', key: string, body?: string): Promise<string | null> {
    const url = `${base}/${key.replaceAll(':', '/')}`;
    const headers = { 'x-amz-content-sha256': sha256Hex(body ?? '') };
    const request = { method, headers, ...(body !== undefined && { body }) };
    const signed = client && (await client.sign(url, request));
    const response = await undiciFetch(url, {
      ...request,
      headers: Object.fromEntries(signed?.headers ?? Object.entries(headers)),
      // A signature is for one address, and a bucket in another region is a mistake in the options.
      redirect: 'manual',
      dispatcher,
    });
    // Read in any case, so that the socket is free again.
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 404 && method === 'GET') return null;
    throw new HttpFailure(response.status);
  }

  return {
    get: (key) => call('GET', key),
    set: async (key, value) => void (await call('PUT', key, value)),
    close: () => dispatcher.destroy(),
  };
}
