import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

export interface ListenOptions {
  /** @default 0: any that is free */
  port?: number;
  /** @default '127.0.0.1': this machine only */
  host?: string;
}

export interface Listening {
  /** `http://127.0.0.1:41873`, without a slash at the end. */
  url: string;
  /** Ends open connections and resolves when the port is free. */
  close(): Promise<void>;
}

/** Gives a `fetch` function a port. Rejects when the port is taken. */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
