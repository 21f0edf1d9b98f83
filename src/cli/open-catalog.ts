import { createCatalogConnection, explainName } from '../pipeline/connection.ts';
import { createSearches } from '../pipeline/searches.ts';
import type { Catalog, Cli, Given } from './command.ts';
import { openProject } from './open-project.ts';

/**
 * The catalog that the project's builds ask, by the same options and environment.
 *
 * @throws UsageError, IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID; Error if the configuration cannot be loaded
 */
export async function openCatalog(given: Given, cli: Cli): Promise<Catalog> {
  const project = await openProject(given, cli);
  const { options, log } = project;
  const { catalog } = options;
  const connection = createCatalogConnection(options, {
    warn: log.warn,
    env: cli.host.env,
  });
  // Of a service nothing is opened before it is asked: mostly an answer is kept.
  const embedded = catalog.kind === 'remote' ? undefined : (await connection.access()).fetch;
  const searches = createSearches(options, { connection, warn: log.warn });
  return {
    project,
    client: searches.client({ fresh: given.flag('fresh') || given.flag('show-signed') }),
    send: async (call) => (await connection.session()).send(call),
    usage: connection.usage,
    explain: (id) => async (error) => {
      throw await explainName(error, { id: Number(id), catalog });
    },
    async pictures(icons) {
      // What fetches them is not loaded for lists without pictures.
      const { createThumbnails } = await import('../pipeline/thumbnails.ts');
      const thumbnails = createThumbnails(options, { connection, env: cli.host.env });
      return thumbnails.getAll(icons.map(({ id, thumbnail_url: address }) => ({ id, address })));
    },
    embedded,
    close: connection.close,
  };
}
