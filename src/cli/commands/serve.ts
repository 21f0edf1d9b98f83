import { randomBytes } from 'node:crypto';
import type { EmbeddedKey, EmbeddedOptions } from '../../server.ts';
import { type CliBody, defineCliCommand, type Given, UsageError } from '../command.ts';
import type { Host } from '../host.ts';

export const serveCommand: CliBody = defineCliCommand({
  args: {
    port: { type: 'string', valueHint: 'n', description: 'Port (default: any that is free)' },
    host: {
      type: 'string',
      valueHint: 'address',
      description: 'Address to listen on (default 127.0.0.1: this machine only)',
    },
    set: {
      type: 'string',
      multiple: true,
      valueHint: 'prefix',
      description:
        'An installed icon set, such as tabler; may be given several times (default: all)',
    },
    folder: {
      type: 'string',
      multiple: true,
      valueHint: 'path',
      path: true,
      description: 'A folder of SVG files; may be given several times',
    },
    state: {
      type: 'string',
      valueHint: 'path',
      path: true,
      description: 'Folder that keeps blacklists and usage (default: memory only)',
    },
    free: { type: 'boolean', description: 'The key may download public-domain icons only' },
    'monthly-limit': {
      type: 'string',
      valueHint: 'n',
      description: 'Calls a month, after which the answer is 429 (default 1000000)',
    },
  },
  examples: ['serve --port 8080', 'serve --set maki --folder ./icons --state .catalog'],
  async run(given, cli) {
    const { host } = cli;
    const port = readPort(given.text('port'));
    const address = given.text('host') ?? '127.0.0.1';
    const { createCatalogServer, EMBEDDED_SITE_URL } = await import('../../server.ts');
    const own = ownKey(host.env);
    const server = createCatalogServer(optionsOf(given, host, own));
    // This is awaited from the start, so that an early Ctrl+C also ends a server that has only just
    // started.
    const interrupted = host.interrupted();
    const { url, close } = await server.listen({ port, host: address }).catch((error: unknown) => {
      throw portError(error, { port, address });
    });
    const { key, secret } = server.credentials();
    const made = own === undefined ? { key, secret } : {};
    // Installed sets have pages on a public site. Files of a folder have none.
    const site = given.all('folder').length === 0 ? { site: EMBEDDED_SITE_URL } : {};
    cli.result({ url, ...made, ...site }, () =>
      [
        `export ICON_CATALOG_URL=${url}`,
        ...(own === undefined
          ? [`export ICON_CATALOG_KEY=${key}`, `export ICON_CATALOG_SECRET=${secret}`]
          : []),
        ...(site.site === undefined ? [] : [`export ICON_CATALOG_SITE_URL=${site.site}`]),
      ].join('\n'),
    );
    cli.note(
      own === undefined
        ? `Serving on ${url}, with a key generated for this run. Ctrl+C ends it.`
        : `Serving on ${url}, with the ICON_CATALOG_KEY and ICON_CATALOG_SECRET of the environment. Ctrl+C ends it.`,
    );
    await interrupted;
    await close();
    cli.note('Stopped.');
  },
});

function optionsOf(given: Given, { cwd }: Host, own: EmbeddedKey | undefined): EmbeddedOptions {
  const sets = given.all('set');
  const folders = given.all('folder');
  const stateDir = given.text('state');
  const pair = own ?? madeUpKey();
  return {
    root: cwd,
    // Only the folders that were asked for are served, without the sets that happen to be
    // installed.
    ...((sets.length > 0 || folders.length > 0) && { sets }),
    ...(folders.length > 0 && { folders }),
    ...(stateDir !== undefined && { stateDir }),
    keys: [
      {
        ...pair,
        access: given.flag('free') ? 'free' : 'paid',
        monthlyLimit: readLimit(given.text('monthly-limit')),
      },
    ],
  };
}

/** A server on the user's own machine has a limit only if the user wants to try one. */
function readLimit(written = '1000000'): number {
  const limit = Number(written);
  if (/^\d+$/.test(written) && Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new UsageError(
    `--monthly-limit must be a whole number from 1; ${JSON.stringify(written)} is not.`,
  );
}

function ownKey(env: Host['env']): EmbeddedKey | undefined {
  const { ICON_CATALOG_KEY: key, ICON_CATALOG_SECRET: secret } = env;
  return key && secret ? { key, secret } : undefined;
}

function madeUpKey(): EmbeddedKey {
  return { key: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('hex') };
}

function portError(error: unknown, { port, address }: { port: number; address: string }): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === 'EADDRINUSE' ? 'is in use' : code === 'EACCES' ? 'may not be used by this user' : '';
  if (why === '') return error;
  return new Error(
    `Port ${port} of ${address} ${why}.\n  Choose another with --port, or leave the option out to use any free port.`,
    { cause: error },
  );
}

function readPort(written: string | undefined): number {
  const port = Number(written ?? 0);
  if (/^\d{1,5}$/.test(written ?? '0') && port <= 65_535) return port;
  throw new UsageError(
    `--port must be a number from 0 to 65535; ${JSON.stringify(written)} is not.`,
  );
}
