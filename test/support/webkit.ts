import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './dev-server.ts';
import type { Engine, EnginePage } from './firefox.ts';
import { removeFolder } from './temporary-folder.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';
const TIME_LIMIT = 30_000;
const MOST_DIALOGS = 1000;
const START_LIMIT = 15_000;
const MOST_STARTS = 3;

/** Debian has them in `webkit2gtk-driver` (the browser comes with it) and `xvfb`. */
export const isWebKitInstalled: boolean = existsSync(DRIVER) && existsSync(DISPLAY_SERVER);

interface Answer {
  value?: unknown;
}

type Call = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

class DriverError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** WebKitGTK needs a display, and its driver reports no requests, so a proxy records and refuses them. */
export async function launchWebKit(): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  const children: ChildProcess[] = [];
  let proxy: Server | undefined;
  const closeProxy = (): void => {
    proxy?.closeAllConnections();
    proxy?.close();
  };
  const stop = async (): Promise<void> => {
    // The browser is a child of the driver; it ends with its display if the driver has not ended it.
    await Promise.all(children.map(end));
    closeProxy();
    await removeFolder(home);
  };
  try {
    const xvfb = spawn(
      DISPLAY_SERVER,
      ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    );
    children.push(xvfb);
    const display = await readDisplay(xvfb);
    const env = { ...process.env, HOME: home, DISPLAY: `:${display}`, GDK_BACKEND: 'x11' };
    const startDriver = async (): Promise<{ driver: ChildProcess; base: string }> => {
      // The driver cannot choose a port by itself.
      const port = await freePort();
      const driver = spawn(DRIVER, ['--host=127.0.0.1', `--port=${port}`], {
        stdio: 'ignore',
        env,
      });
      children.push(driver);
      const base = `http://127.0.0.1:${port}`;
      await untilReady(driver, base);
      return { driver, base };
    };
    let started = await startDriver();
    let session: Call | undefined;
    const leave = async (): Promise<void> => {
      const last = session;
      session = undefined;
      await last?.('DELETE', '').catch(async () => {
        await end(started.driver);
        started = await startDriver();
      });
    };
    return {
      // A browser and a proxy of its own, so that nothing that an earlier page does late counts for this one.
      async newPage() {
        await leave();
        closeProxy();
        const requests: string[] = [];
        proxy = await startProxy(requests);
        for (let attempt = 1; session === undefined; attempt += 1) {
          try {
            session = await openSession(started.base, proxy);
          } catch (error) {
            // A browser now and then hangs while it starts. Nothing has been shown in it before.
            if (attempt === MOST_STARTS) throw error;
            await end(started.driver);
            started = await startDriver();
          }
        }
        return openPage(session, requests);
      },
      async close() {
        try {
          await leave();
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startProxy(requests: string[]): Promise<Server> {
  const proxy = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(403).end();
  });
  proxy.on('connect', (request, socket) => {
    requests.push(`https://${request.url}`);
    socket.on('error', () => undefined).end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

async function readDisplay(xvfb: ChildProcess): Promise<number> {
  const output = xvfb.stdio[3] as Readable;
  const [written] = (await Promise.race([
    once(output, 'data', { signal: AbortSignal.timeout(TIME_LIMIT) }),
    once(xvfb, 'exit').then(() => Promise.reject(new Error('Xvfb did not start.'))),
  ])) as [Buffer];
  return Number(written.toString());
}

async function untilReady(driver: ChildProcess, base: string): Promise<void> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  driver.once('error', () => undefined);
  while (driver.exitCode === null && !signal.aborted) {
    const isReady = await fetch(`${base}/status`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await wait(20);
  }
  throw new Error('The driver of WebKit did not start.');
}

async function openSession(base: string, proxy: Server): Promise<Call> {
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const capabilities = {
    alwaysMatch: {
      unhandledPromptBehavior: 'dismiss and notify',
      timeouts: { script: TIME_LIMIT, pageLoad: TIME_LIMIT },
      'webkitgtk:browserOptions': {
        // The proxy for HTTPS that the protocol knows would have to speak TLS itself.
        args: ['--automation', `--proxy=http://${address}`, '--ignore-host=127.0.0.1'],
      },
    },
  };
  const started = await call(base, 'POST', '/session', { capabilities }, START_LIMIT);
  const { sessionId } = started as { sessionId: string };
  return (method, path, body) => call(base, method, `/session/${sessionId}${path}`, body);
}

async function call(
  base: string,
  method: string,
  path: string,
  body?: object,
  limit = TIME_LIMIT * 1.5,
): Promise<unknown> {
  const response = await fetch(`${base}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(limit),
  });
  const { value } = (await response.json()) as Answer;
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new DriverError(error, `${message} (${method} ${path})`);
}

function openPage(session: Call, requests: string[]): EnginePage {
  let runs = 0;
  const page: EnginePage = {
    requests,
    dialogs: 0,
    async goto(url) {
      await insist('/url', { url });
    },
    async evaluate<Result, Argument>(
      run: (argument: Argument) => Result | Promise<Result>,
      argument?: Argument,
    ) {
      runs += 1;
      // A dialog ends the command but not what the page does, so that a second command waits for the first run.
      const script = `const [run, text, done] = arguments;
        const runs = (globalThis.runsOfTest ??= {});
        const start = async () => JSON.stringify((await (${String(
          run,
        )})(text && JSON.parse(text))) ?? null);
        (runs[run] ??= start()).then((result) => done({ result }), (error) => done({ error: String(error) }));`;
      const args = [runs, JSON.stringify(argument) ?? ''];
      const { result, error } = (await insist('/execute/async', { script, args })) as {
        result?: string;
        error?: string;
      };
      if (result === undefined) throw new Error(error);
      return JSON.parse(result) as Result;
    },
  };
  const insist = async (path: string, body: object): Promise<unknown> => {
    for (let attempt = 0; attempt < MOST_DIALOGS; attempt += 1) {
      try {
        const value = await session('POST', path, body);
        // A script that a dialog ended has no value; the next command reports the dialog.
        if (value !== null || path === '/url') return value;
      } catch (error) {
        if (!(error instanceof DriverError) || error.code !== 'unexpected alert open') throw error;
        page.dialogs += 1;
      }
    }
    throw new Error('The page opens dialogs without end.');
  };
  return page;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // Not at once by force: Xvfb removes the lock of its display first.
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT);
  await ended;
  clearTimeout(timer);
}
