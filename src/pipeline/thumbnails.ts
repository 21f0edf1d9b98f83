import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchImages, isPng } from '../catalog/fetch-images.ts';
import type { Environment, ResolvedOptions } from '../options/resolve-options.ts';
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
    const file = await fileOf(id);
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      await mkdir(await dir(), { recursive: true });
      await writeFile(temporary, bytes, { flag: 'wx' });
      await rename(temporary, file);
      (await stored()).add(id);
    } catch {
      // A picture that is not kept is fetched again; the store reports a folder that cannot be written.
      isWritable = false;
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  async function fetchOne(address: string): Promise<Uint8Array | undefined> {
    const { catalog } = options;
    const { baseUrl, fetch } = await connection.access();
    const [bytes] = await fetchImages([address], {
      baseUrl,
      embedded: fetch,
      env,
      assetHosts: catalog.kind === 'remote' ? catalog.assetHosts : undefined,
    });
    return bytes;
  }

  return {
    stored,
    async get(id, address) {
      if (!/^\d+$/.test(id)) return undefined;
      return once(id, async () => {
        const present = await readFile(await fileOf(id)).catch(() => undefined);
        if (present !== undefined && isPng(present)) return present;
        if (address === undefined || options.mode === 'offline') return undefined;
        const bytes = await fetchOne(address);
        if (bytes !== undefined) await keep(id, bytes);
        return bytes;
      });
    },
  };
}
