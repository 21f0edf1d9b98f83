import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { removeFolder } from './temporary-folder.js';

const INSTALLED = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

/** Path of an installed Firefox: `FIREFOX_PATH`, or where its packages put it. */
export const firefoxPath: string | undefined =
  process.env['FIREFOX_PATH'] ?? INSTALLED.find((path) => existsSync(path));

export interface EnginePage {
  /** Addresses that the page and its frames asked for. */
  readonly requests: string[];
  /** Dialogs that a script opened. */
  dialogs: number;
  goto(url: string): Promise<void>;
  /** Runs the function in the page; argument and result are JSON. */
  evaluate<Result, Argument = undefined>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
}

/** A browser that is installed, driven by what it has itself. */
export interface Engine {
  newPage(): Promise<EnginePage>;
  close(): Promise<void>;
}

/** What it asks for by itself would be taken for requests of a page. */
const QUIET = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.prefetch-next': false,
};

type Send = (method: string, params: object) => Promise<Record<string, unknown>>;

/** Playwright drives a Firefox of its own only; an installed one speaks WebDriver BiDi. */
export async function launchFirefox(path: string): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const settings = Object.entries(QUIET).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`,
  );
  await writeFile(join(profile, 'user.js'), settings.join(''));
  const child = spawn(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile },
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    await removeFolder(profile);
  };
  try {
    const socket = await connect(`${await findAddress(child)}/session`);
    const pages = new Map<string, EnginePage>();
    const send = createSend(socket, (method, params) => record(pages, method, params));
    await send('session.new', {
      capabilities: {
        alwaysMatch: { unhandledPromptBehavior: { default: 'dismiss' } },
      },
    });
    await send('session.subscribe', {
      events: ['network.beforeRequestSent', 'browsingContext.userPromptOpened'],
    });
    return {
      newPage: () => openPage(send, pages),
      async close() {
        socket.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = '';
    child.stderr?.on('data', (part: Buffer) => {
      written += part.toString();
      const address = /BiDi listening on (ws:\/\/\S+)/.exec(written)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Firefox did not start: ${written}`)));
  });
}

async function connect(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  return socket;
}

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
}

function createSend(
  socket: WebSocket,
  onEvent: (method: string, params: Record<string, unknown>) => void,
): Send {
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method !== undefined) onEvent(message.method, message.params ?? {});
  });
  socket.addEventListener('close', () => {
    for (const settle of waiting.values()) settle({ error: 'Firefox has gone' });
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      waiting.set(id, ({ result, error, message }) => {
        waiting.delete(id);
        if (result === undefined) reject(new Error(`${method}: ${error} ${message ?? ''}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}

/** Frames have contexts of their own: what they do counts for the one page that is open. */
function record(
  pages: ReadonlyMap<string, EnginePage>,
  method: string,
  params: Record<string, unknown>,
): void {
  const context = params['context'];
  if (typeof context !== 'string') return;
  const page = pages.get(context) ?? [...pages.values()].at(-1);
  if (page === undefined) return;
  if (method === 'browsingContext.userPromptOpened') page.dialogs += 1;
  else page.requests.push((params['request'] as { url: string }).url);
}

async function openPage(send: Send, pages: Map<string, EnginePage>): Promise<EnginePage> {
  const { context } = (await send('browsingContext.create', {
    type: 'tab',
  })) as {
    context: string;
  };
  const page: EnginePage = {
    requests: [],
    dialogs: 0,
    async goto(url) {
      await send('browsingContext.navigate', {
        context,
        url,
        wait: 'complete',
      });
    },
    async evaluate<Result, Argument>(
      run: (argument: Argument) => Result | Promise<Result>,
      argument?: Argument,
    ) {
      const answer = (await send('script.callFunction', {
        functionDeclaration: `async (text) => JSON.stringify(await (${String(
          run,
        )})(text && JSON.parse(text)) ?? null)`,
        arguments: [{ type: 'string', value: JSON.stringify(argument) ?? '' }],
        target: { context },
        awaitPromise: true,
      })) as {
        type: string;
        result: { value: string };
        exceptionDetails?: { text: string };
      };
      if (answer.type !== 'success') throw new Error(answer.exceptionDetails?.text);
      return JSON.parse(answer.result.value) as Result;
    },
  };
  pages.set(context, page);
  return page;
}
