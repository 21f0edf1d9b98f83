import { createServer, type Socket } from 'node:net';

/*
 * A server of Redis' protocol (RESP2 and RESP3) for machines without Redis: strings, and the replies of the real one
 * as far as clients of strings can tell the difference.
 */

export interface RespServerOptions {
  requirepass?: string;
  /** Bytes of all values; a SET beyond them is refused as Redis refuses it. */
  maxmemory?: number;
}

type Reply = string | number | null | Uint8Array | Reply[] | { simple: string } | { error: string };

const OK: Reply = { simple: 'OK' };
const SYNTAX: Reply = { error: 'ERR syntax error' };

export async function startRespServer({
  requirepass,
  maxmemory = Infinity,
}: RespServerOptions = {}): Promise<{ port: number; close(): Promise<void> }> {
  const databases = new Map<number, Map<string, Buffer>>();
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const client = { allowed: requirepass === undefined, database: 0, version: 2 };
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const read = readCommand(rest);
        if (read === undefined) return;
        rest = rest.subarray(read.length);
        const [name = '', ...args] = read.words;
        socket.write(encode(answer(name.toString().toUpperCase(), args, client), client.version));
      }
    });
  });

  interface Client {
    allowed: boolean;
    database: number;
    version: number;
  }

  function answer(name: string, args: Buffer[], client: Client): Reply {
    const words = args.map(String);
    if (name === 'AUTH' || name === 'HELLO') return greet(name, words, client);
    if (!client.allowed) return { error: 'NOAUTH Authentication required.' };
    const values = databases.get(client.database) ?? new Map<string, Buffer>();
    databases.set(client.database, values);
    const [key = '', second] = words;
    switch (name) {
      case 'PING':
        return key === '' ? { simple: 'PONG' } : key;
      case 'SELECT':
        client.database = Number(key);
        return OK;
      case 'INFO':
        return '# Server\r\nredis_version:7.0.0\r\n# Persistence\r\nloading:0\r\n';
      case 'CLIENT':
        return key.toUpperCase() === 'GETNAME' ? null : OK;
      case 'GET':
        return values.get(key) ?? null;
      case 'MGET':
        return words.map((word) => values.get(word) ?? null);
      case 'SET':
        return set(values, args);
      case 'DEL':
      case 'UNLINK':
        return words.filter((word) => values.delete(word)).length;
      case 'EXISTS':
        return words.filter((word) => values.has(word)).length;
      case 'STRLEN':
        return values.get(key)?.length ?? 0;
      case 'TTL':
        return values.has(key) ? -1 : -2;
      case 'DBSIZE':
        return values.size;
      case 'FLUSHALL':
        databases.clear();
        return OK;
      case 'KEYS':
        return [...values.keys()].filter((word) => toPattern(key).test(word));
      case 'SCAN': {
        const at = words.findIndex((word) => word.toUpperCase() === 'MATCH');
        const pattern = toPattern(at < 0 ? '*' : (words[at + 1] ?? '*'));
        return ['0', [...values.keys()].filter((word) => pattern.test(word))];
      }
      default:
        return {
          error: `ERR unknown command '${name.toLowerCase()}', with args beginning with: ${second ?? ''}`,
        };
    }
  }

  function greet(name: string, words: string[], client: Client): Reply {
    const auth = name === 'AUTH' ? words : words.slice(2);
    if (auth.length > 0 && name === 'AUTH' && requirepass === undefined) {
      return {
        error:
          'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
      };
    }
    if (auth.length > 0) {
      client.allowed = auth.at(-1) === requirepass;
      if (!client.allowed)
        return { error: 'WRONGPASS invalid username-password pair or user is disabled.' };
    }
    if (name === 'AUTH') return OK;
    if (!client.allowed)
      return { error: 'NOAUTH HELLO must be called with the client already authenticated.' };
    client.version = Number(words[0] ?? client.version);
    return ['server', 'redis', 'version', '7.0.0', 'proto', client.version, 'mode', 'standalone'];
  }

  function set(values: Map<string, Buffer>, [key, value, ...options]: Buffer[]): Reply {
    if (key === undefined || value === undefined) return SYNTAX;
    const flags = options.map((option) => String(option).toUpperCase());
    if (flags.includes('NX') && values.has(String(key))) return null;
    let used = value.length;
    for (const [name, { length }] of values) if (name !== String(key)) used += length;
    if (used > maxmemory) {
      return { error: "OOM command not allowed when used memory > 'maxmemory'." };
    }
    values.set(String(key), Buffer.from(value));
    return OK;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** `undefined`: not all of it has arrived. */
function readCommand(bytes: Buffer): { words: Buffer[]; length: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  const head = line();
  if (head === undefined) return undefined;
  if (!head.startsWith('*')) {
    return { words: head.split(' ').map((word) => Buffer.from(word)), length: at };
  }
  const words: Buffer[] = [];
  for (let count = Number(head.slice(1)); count > 0; count -= 1) {
    const size = line();
    if (size === undefined) return undefined;
    const end = at + Number(size.slice(1));
    if (bytes.length < end + 2) return undefined;
    words.push(bytes.subarray(at, end));
    at = end + 2;
  }
  return { words, length: at };
}

function encode(reply: Reply, version: number): Buffer {
  if (reply === null) return Buffer.from(version === 3 ? '_\r\n' : '$-1\r\n');
  if (typeof reply === 'number') return Buffer.from(`:${reply}\r\n`);
  if (Array.isArray(reply)) {
    const items = reply.map((item) => encode(item, version));
    return Buffer.concat([Buffer.from(`*${reply.length}\r\n`), ...items]);
  }
  if (typeof reply === 'string' || reply instanceof Uint8Array) {
    const bytes = Buffer.from(reply);
    return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]);
  }
  return Buffer.from('simple' in reply ? `+${reply.simple}\r\n` : `-${reply.error}\r\n`);
}

/** Redis' glob, as far as tests write one. */
function toPattern(glob: string): RegExp {
  const text = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${text}$`, 's');
}
