import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Connections that were made. */
  connections: number;
  /** Connections of clients that are open. */
  readonly open: number;
  /** Names of the Redis commands that passed, in lower case. */
  commands: string[];
  /** `stalled`: takes everything and answers nothing. `gone`: closes what is open, takes nothing new. */
  mode: 'open' | 'stalled' | 'gone';
  /** Called with each chunk from the client before it is handed on. */
  onData: ((chunk: Buffer) => void) | undefined;
  /** Closes the open connections; new ones are taken. */
  drop(): void;
  close(): Promise<void>;
}

/**
 * Stands between a client and a server on this machine, and lets tests break the line.
 *
 * @param options.latency milliseconds that each answer takes longer
 */
export async function startTcpProxy(
  target: number,
  { latency = 0 }: { latency?: number } = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let open = 0;
  const server = createServer((client) => {
    proxy.connections += 1;
    sockets.add(client);
    open += 1;
    client.on('close', () => (open -= 1));
    client.on('error', () => client.destroy());
    if (proxy.mode === 'gone') return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      proxy.onData?.(chunk);
      const text = chunk.toString('latin1');
      for (const [, name = ''] of text.matchAll(/\*\d+\r\n\$\d+\r\n([a-z]+)\r\n/gi)) {
        proxy.commands.push(name.toLowerCase());
      }
      if (proxy.mode === 'gone') proxy.drop();
      if (proxy.mode === 'open') upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const answer = (): void => {
        if (proxy.mode === 'open' && !client.destroyed) client.write(chunk);
      };
      if (latency === 0) answer();
      else setTimeout(answer, latency);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxy: TcpProxy = {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    connections: 0,
    commands: [],
    get open() {
      return open;
    },
    mode: 'open',
    onData: undefined,
    drop() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    async close() {
      server.close();
      proxy.drop();
      await once(server, 'close');
    },
  };
  return proxy;
}
