import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import {
  value,
  flag,
  type CliArgs,
  type CliBody,
  type Given,
  PROJECT_ARGS,
  readNumber,
} from '../command.ts';
import { type FollowedProject, followProject } from '../open-project.ts';
import { readPort } from './serve.ts';

export const BUDGET_ARGS: CliArgs = {
  budget: value('n', 'Signed calls before it asks for more (default 40)'),
};

export const browseCommand: CliBody = {
  args: {
    port: value('n', 'Port (default: a free one)'),
    host: value('address', 'Address to listen on (default 127.0.0.1: this machine only)'),
    'no-open': flag('Do not open a browser'),
    'read-only': flag('Write nothing into the project'),
    ...BUDGET_ARGS,
    ...PROJECT_ARGS,
  },
  examples: ['browse', 'browse --embedded', 'browse --port 4100 --no-open --read-only'],
  async run(given, cli) {
    const { host } = cli;
    const address = given.text('host') ?? '127.0.0.1';
    const port = readPort(given) ?? 0;
    const project = await followProject(given, cli);
    const { handle, close, token } = await createHandler(given, { project, address });
    const server = createServer(handle);
    const interrupted = host.interrupted();
    server.listen(port, address);
    await once(server, 'listening').catch(failed);
    const { isOpenTo, pickerAddress } = await import('../../picker/shell.ts');
    const url = pickerAddress(originOf(server, address), '/', { token });
    cli.result({ url }, () => url);
    if (isOpenTo(address))
      cli.note('warning Everyone who reaches this address and knows the link can add icons.');
    cli.note('The icon browser runs until Ctrl+C.');
    if (!given.flag('no-open') && host.canAsk) await host.openAddress(url);
    await interrupted;
    await close();
    server.closeAllConnections();
    server.close();
    cli.note('Stopped.');
  },
};

async function createHandler(
  given: Given,
  { project: { first, now }, address }: { project: FollowedProject; address: string },
): Promise<{
  handle: import('../../picker/shell.ts').NodeHandler;
  close(): Promise<void>;
  token: string;
}> {
  const [{ createPickerHandler, editorOf, isOpenTo, MOUNT }, { createPickerState }] =
    await Promise.all([import('../../picker/shell.ts'), import('../../picker/state.ts')]);
  const { options, env, log } = first;
  const state = createPickerState({ budget: readBudget(given) });
  const { handle, close } = createPickerHandler({
    project: now,
    access: { hosts: isIP(address) === 0 ? [address] : [], isOpen: isOpenTo(address) },
    state,
    log,
    openEditor: editorOf(options.root, env),
  });
  return {
    handle: (request, response) =>
      handle(request, response, () => {
        const isRoot = request.url === '/';
        response.writeHead(isRoot ? 302 : 404, isRoot ? { location: MOUNT } : {}).end();
      }),
    close,
    token: state.token,
  };
}

/** An address that listens everywhere is reached on this machine by its own. */
function originOf(server: Server, address: string): string {
  const { port } = server.address() as AddressInfo;
  const isAny = address === '0.0.0.0' || address === '::';
  const name = isAny ? 'localhost' : isIP(address) === 6 ? `[${address}]` : address;
  return `http://${name}:${port}`;
}

function failed(error: NodeJS.ErrnoException): never {
  const why = error.code === 'EADDRINUSE' ? 'This port is in use' : error.message;
  throw new Error(`${why}.\n  Choose another with --port, or leave the option out.`, {
    cause: error,
  });
}

export function readBudget(given: Given): number | undefined {
  return readNumber(given, 'budget', {
    least: 1,
    most: 999_999,
    allowed: 'a whole number from 1',
  });
}
