import { afterAll, beforeAll, beforeEach } from 'vitest';
import { listen, type Listening } from '../../../src/server/listen.ts';
import {
  createCatalogServer,
  EMBEDDED_SITE_URL,
  type EmbeddedKey,
  type EmbeddedOptions,
} from '../../../src/server.ts';

const KEY: EmbeddedKey = { key: 'a-key', secret: 'its-secret', monthlyLimit: 1_000_000 };

export interface CatalogOnPort {
  /** The environment that names the catalog. */
  env(): Record<string, string>;
  /** `GET /v2/icon/123/download` of every request of the test, in order. */
  calls: string[];
  /** Answers in place of the catalog where it gives something. */
  intercept: ((request: Request) => Response | undefined) | undefined;
}

/** The embedded catalog on a port of 127.0.0.1, for the tests of one file. */
export function catalogOnPort(options: EmbeddedOptions = {}): CatalogOnPort {
  const server = createCatalogServer({
    sets: ['maki', 'tabler', 'game-icons'],
    keys: [KEY],
    ...options,
  });
  let listening: Listening | undefined;
  const catalog: CatalogOnPort = {
    env: () => ({
      ICON_CATALOG_URL: listening?.url ?? '',
      ICON_CATALOG_KEY: server.credentials().key,
      ICON_CATALOG_SECRET: server.credentials().secret,
      ICON_CATALOG_SITE_URL: EMBEDDED_SITE_URL,
    }),
    calls: [],
    intercept: undefined,
  };
  beforeAll(async () => {
    await server.ready();
    listening = await listen(async (request) => {
      catalog.calls.push(`${request.method} ${new URL(request.url).pathname}`);
      return catalog.intercept?.(request) ?? server.fetch(request);
    });
  });
  beforeEach(() => {
    catalog.calls.length = 0;
    catalog.intercept = undefined;
  });
  afterAll(() => listening?.close());
  return catalog;
}
