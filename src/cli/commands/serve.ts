import { randomBytes } from 'node:crypto';
import type { ResolvedOptions } from '../../options/resolve-options.ts';
import type { Serving } from '../../project/serving.ts';
import type { CatalogServer, EmbeddedKey, EmbeddedOptions } from '../../server.ts';
import {
  value,
  flag,
  type CliArg,
  type CliBody,
  type Given,
  PROJECT_ARGS,
  readNumber,
} from '../command.ts';
import { openProject } from '../open-project.ts';
import type { Host } from '../host.ts';

export const serveCommand: CliBody = {
  args: {
    port: value('n', 'Port (default: the port of the last start in this project, or a free one)'),
    host: value('address', 'Address to listen on (default 127.0.0.1: this machine only)'),
    set: value(
      'prefix',
      'An installed icon set, such as tabler; may be given several times (default: all)',
      { multiple: true },
    ),
    folder: value('path', 'A folder of SVG files; may be given several times', {
      multiple: true,
      path: true,
    }),
    state: value('path', 'Folder that keeps blacklists and usage (default: memory only)', {
      path: true,
    }),
    free: flag('The key may download public-domain icons only'),
    'monthly-limit': value('n', 'Calls a month that the key may make (default 1000000)'),
    'write-env': flag('Write address and key into .env.local, which builds and commands read'),
    config: PROJECT_ARGS['config'] as CliArg,
  },
  examples: [
    'serve --write-env',
    'serve --port 8080',
    'serve --set maki --folder ./icons --state .catalog',
  ],
  async run(given, cli) {
    const { host } = cli;
    const asked = readPort(given);
    const address = given.text('host') ?? '127.0.0.1';
    const { createCatalogServer, EMBEDDED_SITE_URL } = await import('../../server.ts');
    const { keepServing, readServing, writeLocalEnv } = await import('../../project/serving.ts');
    const { options, env, envFolder } = await openProject(given, cli);
    const own = ownKey(env);
    const before = await readServing(options);
    const pair = own ?? keptKey(before) ?? madeUpKey();
    const served = optionsOf(given, { options, host, pair });
    const server = createCatalogServer(served);
    // This is awaited from the start, so that an early Ctrl+C also ends a server that has only just
    // started.
    const interrupted = host.interrupted();
    const kept = asked === undefined && before?.host === address ? before.port : undefined;
    const { url, close } = await listenOn(server, { asked, kept, address });
    const port = Number(new URL(url).port);
    await keepServing(options, { host: address, port, ...(own === undefined && pair) }).catch(
      (error: Error) => cli.note(`The port and the key are not kept: ${error.message}`),
    );
    if (kept !== undefined && kept !== port)
      cli.note(`Port ${kept} of the last start is in use, so this is port ${port}.`);
    const made = own === undefined ? pair : undefined;
    // Installed sets have pages on a public site. Files of a folder have none.
    const site = (served.folders ?? []).length === 0 ? EMBEDDED_SITE_URL : undefined;
    const variables = {
      ICON_CATALOG_URL: url,
      ...(made && { ICON_CATALOG_KEY: made.key, ICON_CATALOG_SECRET: made.secret }),
      ...(site !== undefined && { ICON_CATALOG_SITE_URL: site }),
    };
    const written = given.flag('write-env') ? await writeLocalEnv(envFolder, variables) : undefined;
    if (given.flag('write-env') && written === undefined) {
      await close();
      throw new Error(
        '.env.local names a catalog that is not on this machine, and would lose its credentials.\n  Move these lines to another file, or set what `icon-catalog serve` prints where the build runs.',
      );
    }
    cli.result({ url, ...made, ...(site && { site }), ...(written && { env: written }) }, () =>
      Object.entries(variables)
        .map(([name, value]) => `export ${name}=${value}`)
        .join('\n'),
    );
    cli.note(describeServing(url, { isOwn: own !== undefined, written }));
    await interrupted;
    await close();
    cli.note('Stopped.');
  },
};

function describeServing(
  url: string,
  { isOwn, written }: { isOwn: boolean; written: string | undefined },
): string {
  const key = isOwn
    ? 'with the ICON_CATALOG_KEY and ICON_CATALOG_SECRET of the environment'
    : 'with a key for this project';
  const next =
    written === undefined
      ? 'Builds use it with these variables; --write-env puts them into .env.local.'
      : `${written} has the variables, so builds and commands in this project use it now.`;
  return `Serving on ${url}, ${key}. ${next} Ctrl+C ends it.`;
}

/** Listens on the port that was asked for, or on that of the last start if it is free, or on any. */
async function listenOn(
  server: CatalogServer,
  {
    asked,
    kept,
    address,
  }: { asked: number | undefined; kept: number | undefined; address: string },
): Promise<Awaited<ReturnType<CatalogServer['listen']>>> {
  const port = asked ?? kept ?? 0;
  try {
    return await server.listen({ port, host: address });
  } catch (error) {
    if (asked === undefined && port !== 0) return server.listen({ port: 0, host: address });
    throw portError(error, { port, address });
  }
}

const LIMIT = { least: 1, most: Number.MAX_SAFE_INTEGER, allowed: 'a whole number from 1' };

function optionsOf(
  given: Given,
  { options, host, pair }: { options: ResolvedOptions; host: Host; pair: EmbeddedKey },
): EmbeddedOptions {
  const sets = given.all('set');
  const folders = given.all('folder');
  const stateDir = given.text('state');
  const { catalog } = options;
  const configured = catalog.kind === 'embedded' ? catalog.embedded : {};
  return {
    root: host.cwd,
    // What the project's own catalog serves, unless something else was asked for: then only that, without the sets that
    // happen to be installed.
    ...(sets.length > 0 || folders.length > 0 ? { sets } : configured),
    ...(folders.length > 0 && { folders }),
    ...(stateDir !== undefined && { stateDir }),
    keys: [
      {
        ...pair,
        access: given.flag('free') ? 'free' : 'paid',
        // A server on the user's own machine has a limit only if the user wants to try one.
        monthlyLimit: readNumber(given, 'monthly-limit', LIMIT) ?? 1_000_000,
      },
    ],
  };
}

function ownKey(env: Host['env']): EmbeddedKey | undefined {
  const { ICON_CATALOG_KEY: key, ICON_CATALOG_SECRET: secret } = env;
  return key && secret ? { key, secret } : undefined;
}

function keptKey(before: Serving | undefined): EmbeddedKey | undefined {
  const { key, secret } = before ?? {};
  return key !== undefined && secret !== undefined ? { key, secret } : undefined;
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

export function readPort(given: Given): number | undefined {
  return readNumber(given, 'port', {
    least: 0,
    most: 65_535,
    allowed: 'a number from 0 to 65535',
  });
}
