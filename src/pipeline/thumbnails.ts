import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchImages, isPng } from '../catalog/fetch-images.ts';
import type { Environment, ResolvedOptions } from '../options/resolve-options.ts';
import { writeWhole } from '../store/files.ts';
import { createSingleFlight } from './assets.ts';
import { configuredCatalog } from './catalog-identity.ts';
import type { CatalogConnection } from './connection.ts';

/** Pictures of icons in lists, 200 px a side, on this machine by id. They cost no signed call. */
export interface Thumbnails {
  /** Ids whose pictures are on this machine. */
  stored(): Promise<ReadonlySet<string>>;
  /**
   * The PNG of an icon, from this machine or else from its address, if that is allowed and still valid. In the mode
   * `offline` nothing is fetched.
   */
  get(id: string, address: string | undefined): Promise<Uint8Array | undefined>;
  /** The same for a list, over few connections. */
  getAll(wanted: readonly WantedThumbnail[]): Promise<(Uint8Array | undefined)[]>;
}

interface WantedThumbnail {
  id: string;
  address: string | undefined;
}

export function createThumbnails(
  options: ResolvedOptions,
  { connection, env }: { connection: Pick<CatalogConnection, 'access'>; env: Environment },
): Thumbnails {
  const once = createSingleFlight();
  let isWritable = true;
  let known: Promise<Set<string>> | undefined;
  let folder: Promise<string> | undefined;

  const dir = (): Promise<string> =>
    (folder ??= configuredCatalog(options).then((catalog) =>
      join(options.cacheDir, 'thumbnails', catalog?.id ?? 'none'),
    ));

  async function read(): Promise<Set<string>> {
    const names = await readdir(await dir()).catch((): string[] => []);
    return new Set(names.flatMap((name) => /^(\d+)-200\.png$/.exec(name)?.[1] ?? []));
  }
  const stored = (): Promise<Set<string>> => (known ??= read());

  const fileOf = async (id: string): Promise<string> => join(await dir(), `${id}-200.png`);

  async function keep(id: string, bytes: Uint8Array): Promise<void> {
    if (!isWritable) return;
    try {
      await writeWhole(await fileOf(id), bytes);
      (await stored()).add(id);
    } catch {
      // A picture that is not kept is fetched again; the store reports a folder that cannot be written.
      isWritable = false;
    }
  }

  async function fetchAll(addresses: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    if (addresses.length === 0 || options.mode === 'offline') return [];
    const { catalog } = options;
    const { baseUrl, fetch } = await connection.access();
    return fetchImages(addresses, {
      baseUrl,
      embedded: fetch,
      env,
      assetHosts: catalog.kind === 'remote' ? catalog.assetHosts : undefined,
    });
  }

  async function find(id: string): Promise<Uint8Array | undefined> {
    if (!/^\d+$/.test(id)) return undefined;
    const present = await readFile(await fileOf(id)).catch(() => undefined);
    return present !== undefined && isPng(present) ? present : undefined;
  }

  async function getAll(wanted: readonly WantedThumbnail[]): Promise<(Uint8Array | undefined)[]> {
    const found = await Promise.all(wanted.map(({ id }) => find(id)));
    const absent = wanted.flatMap(({ id, address }, at) =>
      found[at] === undefined && address !== undefined && /^\d+$/.test(id)
        ? [{ id, address, at }]
        : [],
    );
    const fetched = await fetchAll(absent.map(({ address }) => address));
    for (const [index, { id, at }] of absent.entries()) {
      const bytes = fetched[index];
      if (bytes !== undefined) await keep(id, bytes);
      found[at] = bytes;
    }
    return found;
  }

  return {
    stored,
    getAll,
    get: (id, address) => once(id, async () => (await getAll([{ id, address }]))[0]),
  };
}
