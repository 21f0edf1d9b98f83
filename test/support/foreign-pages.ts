import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Pages of somebody else, on a port of their own. */
export async function servePages(pages: Record<string, string>): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(pages[request.url ?? ''] ?? '<!doctype html><title>x</title>');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** All the ways in which a page can send a request. */
export const WAYS: readonly string[] = [
  'img',
  'script',
  'stylesheet',
  'get',
  'post',
  'cors',
  'prefetch',
  'head',
  'module',
];

/**
 * Runs in the attacker's page. Returns everything that its scripts can read of the answers.
 *
 * @param addresses by the way of asking; `body` is what `post` sends
 */
export async function attack({
  body = 'x',
  ...addresses
}: Record<string, string>): Promise<string[]> {
  const read: string[] = [];
  const errors = (event: ErrorEvent): void => void read.push(event.message);
  window.addEventListener('error', errors);
  const element = (tag: string, properties: object): Promise<void> =>
    new Promise((resolve) => {
      const made = Object.assign(document.createElement(tag), properties);
      const done = (): void => {
        if (made instanceof HTMLImageElement && made.naturalWidth > 0) read.push('an image');
        resolve();
      };
      made.addEventListener('load', done);
      made.addEventListener('error', done);
      document.head.append(made);
    });
  const request = async (address: string, options: RequestInit): Promise<void> => {
    try {
      const response = await fetch(address, options);
      read.push(await response.text());
    } catch {
      // The browser keeps the answer from the page.
    }
  };
  const ways: Record<string, (address: string) => Promise<void>> = {
    img: (src) => element('img', { src }),
    script: (src) => element('script', { src }),
    stylesheet: (href) => element('link', { rel: 'stylesheet', href }),
    prefetch: (href) => element('link', { rel: 'prefetch', href }),
    get: (address) => request(address, { mode: 'no-cors' }),
    post: (address) => request(address, { mode: 'no-cors', method: 'POST', body }),
    head: (address) => request(address, { mode: 'no-cors', method: 'HEAD' }),
    cors: (address) => request(address, { mode: 'cors' }),
    module: (src) => element('script', { type: 'module', src }),
  };
  await Promise.all(Object.entries(addresses).map(async ([way, address]) => ways[way]?.(address)));
  window.removeEventListener('error', errors);
  return read;
}
