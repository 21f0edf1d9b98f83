import { randomBytes } from 'node:crypto';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedKey, EmbeddedOptions } from '../options/options.ts';
import { checkEmbedded } from '../options/schema.ts';
import { isObject } from '../untrusted.ts';
import type { App } from './create-app.ts';
import type { Listening, ListenOptions } from './listen.ts';

export interface CatalogServer {
  /**
   * The first of `keys`, or the pair that was generated for this server. A function, so that
   * printing a server shows no secret.
   */
  credentials(): { key: string; secret: string };
  /** Answers one request of the interface. It never rejects: errors are JSON answers. */
  fetch(request: Request): Promise<Response>;
  /**
   * Reads icon sets, folders and kept state now instead of at the first request.
   * @throws OPTIONS_INVALID for what is wrong with the options
   */
  ready(): Promise<void>;
  /** Serves on a port after `ready`. */
  listen(options?: ListenOptions): Promise<Listening>;
}

/**
 * The whole catalog interface, both generations, over the icon sets and SVG folders of this machine.
 * Creating a server reads nothing; the first request does. Signatures are checked as strictly as the interface says.
 *
 * @throws OPTIONS_INVALID for options that there are not, of another type, and for keys that cannot be used
 * @example
 * const server = createCatalogServer({ sets: ['tabler'] })
 * const { url, close } = await server.listen()
 */
export function createCatalogServer(options: EmbeddedOptions = {}): CatalogServer {
  checkEmbedded(options);
  const keys = options.keys ?? [madeUpKey()];
  checkKeys(keys);
  const [first] = keys;
  if (!first)
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: '`keys` of the embedded catalog is empty.',
      path: 'keys',
    });
  let opened: Promise<App> | undefined;

  function open(): Promise<App> {
    opened ??= import('./create-app.ts')
      .then(({ createApp }) => createApp(options, keys))
      .catch((error: unknown) => {
        // Installing the missing set also helps the running process.
        opened = undefined;
        throw error;
      });
    return opened;
  }

  async function fetch(request: Request): Promise<Response> {
    try {
      return await (
        await open()
      )(request);
    } catch (error) {
      const message =
        error instanceof IconCatalogError
          ? `${error.reason} ${error.remedy}`
          : 'The catalog failed to start.';
      return Response.json({ message }, { status: 500 });
    }
  }

  return {
    credentials: () => ({ key: first.key, secret: first.secret }),
    fetch,
    async ready() {
      await open();
    },
    async listen(listenOptions) {
      await open();
      const { listen } = await import('./listen.ts');
      const { url, close } = await listen(fetch, listenOptions);
      return {
        url,
        async close() {
          await close();
          const { endRasterizing } = await import('./raster.ts');
          await endRasterizing();
        },
      };
    },
  };
}

function madeUpKey(): EmbeddedKey {
  return { key: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('hex') };
}

/**
 * @throws OPTIONS_INVALID for keys that could not sign, that are given twice, or whose limits are
 * not counts
 */
function checkKeys(keys: readonly EmbeddedKey[]): void {
  const known = new Set<string>();
  for (const [at, entry] of keys.entries()) {
    const path = `keys[${at}]`;
    const given: unknown = entry;
    if (!isObject(given) || !entry.key || !entry.secret)
      throw invalid(path, 'needs a `key` and a `secret` that are not empty');
    if (known.has(entry.key)) throw invalid(path, 'has the same `key` as an earlier one');
    known.add(entry.key);
    if (entry.access !== undefined && entry.access !== 'free' && entry.access !== 'paid') {
      throw invalid(path, "has an `access` that is neither 'free' nor 'paid'");
    }
    for (const name of ['monthlyLimit', 'hourlyLimit', 'dailyLimit'] as const) {
      const limit = entry[name];
      if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
        throw invalid(path, `has a \`${name}\` that is not a whole number from 0`);
      }
    }
  }
}

function invalid(path: string, fault: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `\`${path}\` of the embedded catalog ${fault}.`,
    path,
  });
}
