import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPng } from '../catalog/client.ts';
import { withDeadline } from '../catalog/retry.ts';
import { createFetchWire, createHttpWire, mayFetchAsset, type Wire } from '../catalog/wire.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { isIconCatalogError } from '../errors.ts';
import { writeWhole } from '../store/files.ts';
import { renderSvg, SENTINEL } from '../svg/render-svg.ts';
import type { Environment, FetchPort } from '../types.ts';
import { createSingleFlight } from './build-state.ts';
import { type CatalogConnection, configuredCatalog } from './connection.ts';

/** What an icon looks like: a PNG as the catalog has it, or a drawing that went through the sanitiser. */
export type Picture = { png: Uint8Array } | { svg: string };

/** Pictures of icons in lists, 200 px a side, PNG files on this machine by id. They cost no signed call. */
export interface Thumbnails {
  /** Ids whose pictures are on this machine. */
  stored(): Promise<ReadonlySet<string>>;
  /**
   * The picture of an icon, from this machine or else from its address, if that is allowed and still valid. In the mode
   * `offline` nothing is fetched. An embedded catalog without the renderer of PNG files sends drawings, which are not kept:
   * with the renderer it has better ones.
   */
  get(id: string, address: string | undefined): Promise<Picture | undefined>;
  /** The same for a list, over few connections. */
  getAll(wanted: readonly WantedThumbnail[]): Promise<(Picture | undefined)[]>;
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

  async function getAll(wanted: readonly WantedThumbnail[]): Promise<(Picture | undefined)[]> {
    const found: (Picture | undefined)[] = await Promise.all(
      wanted.map(async ({ id }) => {
        const png = await find(id);
        return png && { png };
      }),
    );
    const absent = wanted.flatMap(({ id, address }, at) =>
      found[at] === undefined && address !== undefined && /^\d+$/.test(id)
        ? [{ id, address, at }]
        : [],
    );
    const fetched = await fetchAll(absent.map(({ address }) => address));
    for (const [index, { id, at }] of absent.entries()) {
      const bytes = fetched[index];
      if (bytes === undefined) continue;
      if (isPng(bytes)) await keep(id, bytes);
      found[at] = isPng(bytes) ? { png: bytes } : await sanitize(bytes, Number(id));
    }
    return found;
  }

  return {
    stored,
    getAll,
    get: (id, address) => once(id, async () => (await getAll([{ id, address }]))[0]),
  };
}

const TIMEOUT = 5000;
/** The size limit in bytes. Thumbnails have at most 200 px a side. */
const LARGEST = 256 * 1024;

/** The drawing in its own colours, without what is active in it; `undefined` for a file that is none. */
async function sanitize(bytes: Uint8Array, id: number): Promise<Picture | undefined> {
  const { prepareSvg } = await import('../svg/prepare-svg.ts');
  const asked = { askedColor: SENTINEL, fixedColor: true, optimize: false };
  try {
    const master = await prepareSvg(bytes, {
      ...asked,
      id,
      strict: false,
      animation: false,
      maxBytes: LARGEST,
    });
    const look = { color: 'currentColor', size: '200', title: null, class: null };
    return { svg: renderSvg(master, { ...look, id, isFile: true }) };
  } catch (error) {
    if (isIconCatalogError(error)) return undefined;
    throw error;
  }
}

/** The files behind addresses; `undefined` for what cannot or may not be fetched. No redirect is followed. */
async function fetchImages(
  addresses: readonly string[],
  {
    embedded,
    env,
    ...allowed
  }: {
    embedded: FetchPort | undefined;
    env: Environment;
    baseUrl: string;
    assetHosts: readonly string[] | undefined;
  },
): Promise<(Uint8Array | undefined)[]> {
  const wire = embedded ? createFetchWire(embedded) : createHttpWire({ concurrency: 8, env });
  try {
    return await Promise.all(
      addresses.map(async (address) =>
        mayFetchAsset(address, allowed) ? fetchImage(address, wire) : undefined,
      ),
    );
  } finally {
    await wire.close();
  }
}

async function fetchImage(address: string, wire: Wire): Promise<Uint8Array | undefined> {
  const request = { method: 'GET', url: new URL(address), headers: {}, body: undefined };
  try {
    const { status, body } = await withDeadline((signal) => wire.send({ ...request, signal }), {
      milliseconds: TIMEOUT,
      outer: new AbortController().signal,
    });
    return status === 200 && body.length <= LARGEST ? body : undefined;
  } catch {
    // A list without one of its pictures is still a list.
    return undefined;
  }
}
