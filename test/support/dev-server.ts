import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished, vi } from 'vitest';

interface PickerApi {
  post<Answer>(name: string, body?: object): Promise<Answer>;
  /** Statuses for a page of another port, for a foreign name of this machine, and without the token. */
  refusals(): Promise<number[]>;
}

/** A dev server in a process of its own, and what the page of its icon browser asks. */
interface DevServer extends PickerApi {
  /** What the terminal shows as the address of the icon browser. */
  address: URL;
  /** Everything that the terminal shows. */
  printed(): string;
}

/** A port for servers that take 0 for their usual one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a script, and ends it with the test.
 * @param options.program what runs it, Node.js if that is left out
 * @param options.shows how it prints its address, for servers without an icon browser
 */
export async function startDevServer(
  args: readonly string[],
  {
    cwd,
    env = {},
    shows = /Icons:\s+(http\S+)\s/,
    program = process.execPath,
  }: { cwd: string; env?: Record<string, string>; shows?: RegExp; program?: string },
): Promise<DevServer> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NODE_ENV: 'development', VITEST: '', NO_COLOR: '1', CI: '', ...env },
  });
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        if (child.exitCode !== null || child.signalCode !== null) done();
        child.once('exit', () => done());
        // A server that starts again just then, as a test has changed its configuration, may miss any other signal.
        child.kill('SIGKILL');
      }),
  );
  let printed = '';
  const address = await new Promise<URL>((found, failed) => {
    const read = (chunk: Buffer): void => {
      printed += String(chunk);
      const [, given] = shows.exec(printed) ?? [];
      if (given !== undefined) found(new URL(given));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => failed(new Error(printed)));
  });
  return { address, printed: () => printed, ...pickerApi(address) };
}

/** Asks as the page does. */
export function pickerApi(address: URL): PickerApi {
  const token = address.hash.slice('#t='.length);
  const send = (name: string, body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(new URL(`api/${name}`, address), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        // A server that starts again, or that slow tests leave idle, closes connections just when they are used again.
        connection: 'close',
        origin: address.origin,
        authorization: `Bearer ${token}`,
        ...headers,
      },
    });
  return {
    async post<Answer>(name: string, body: object = {}) {
      const attempt = randomUUID();
      // A write may have the server start again at once, which then ends the answer to it.
      const response = await vi.waitFor(() => send(name, { attempt, ...body }, {}), 15_000);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    refusals: () =>
      Promise.all(
        (
          [
            { origin: 'http://localhost:1' },
            { origin: 'http://rebound.test' },
            { authorization: '' },
          ] as Record<string, string>[]
        ).map(async (headers) => (await send('project', {}, headers)).status),
      ),
  };
}
