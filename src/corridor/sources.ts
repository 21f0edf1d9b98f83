import { IconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { bytesKey, recordKey } from '../store/cache-key.ts';
import type { ContentStore } from '../store/content-store.ts';
import { sha256Hex } from '../store/integrity.ts';
import type { RenderPack } from '../store/render-pack.ts';
import { SENTINEL } from '../svg/sentinel.ts';
import type { IconRecord, IconRequest, SvgMaster } from '../types.ts';
import type { CatalogDoor } from './catalog-door.ts';
import { createSingleFlight } from './single-flight.ts';

/** What an icon module is made of. `sha256` is that of the bytes which the catalog sent. */
export type IconSource = { record: IconRecord } & (
  | { kind: 'meta' }
  /** `unpainted`: asked for a colour, the catalog sent the file in its own ones. */
  | { kind: 'svg'; sha256: string; master: SvgMaster; unpainted?: boolean }
  | { kind: 'png'; sha256: string; bytes: Uint8Array }
);

export interface SourcesPorts {
  pack: RenderPack<Packed>;
  store: ContentStore;
  door: CatalogDoor;
  /** Identity of the catalog: cache keys of two catalogs never meet. */
  catalog: string;
  /** Called with each record before anything is downloaded; throws where the licence policy refuses it. */
  admit(record: IconRecord, request: IconRequest): void;
  /** Called before an icon costs a call. */
  fetching(id: number): void;
  /** Called where the catalog left an icon in its own colours, whatever was asked. */
  unpainted(record: IconRecord): void;
  /** Called once for each master that was made in this process. */
  prepared(id: number, master: SvgMaster): void;
}

/** Lines of the render pack: `<id>` holds a record, `<id>:svg[:<colour>]` a master. */
export type Packed = PackedRecord | PackedMaster;
interface PackedRecord {
  record: IconRecord;
}
interface PackedMaster {
  sha256: string;
  master: SvgMaster;
}

/** Tiers in order: render pack, content store, catalog. Each asset is asked for once, however many ask at the same time. */
export function createSources(
  options: ResolvedOptions,
  ports: SourcesPorts,
): (request: IconRequest) => Promise<IconSource> {
  const { pack, store, door, catalog } = ports;
  const once = createSingleFlight();

  async function source(request: IconRequest): Promise<IconSource> {
    const record = await recordOf(request.id);
    ports.admit(record, request);
    if (request.as === 'meta') return { kind: 'meta', record };
    if (request.filetype === 'png') return { kind: 'png', record, ...(await pngOf(request)) };
    const master = await masterOf(request.id, undefined);
    if (master.master.paint !== 'multi-tone') return { kind: 'svg', record, ...master };
    if (request.color === null || request.color === 'currentColor') throw multiTone(record);
    const painted = await masterOf(request.id, request.color);
    // Byte for byte what another colour gave: the catalog paints no files of several tones.
    const unpainted = painted.sha256 === master.sha256;
    if (unpainted) ports.unpainted(record);
    return { kind: 'svg', record, ...painted, unpainted };
  }

  function recordOf(id: number): IconRecord | Promise<IconRecord> {
    const key = `${id}`;
    const packed = pack.get(key) as PackedRecord | undefined;
    if (packed !== undefined) return packed.record;
    return once(key, async () => {
      const record = await storedRecord(id);
      pack.set(key, { record } satisfies PackedRecord);
      return record;
    });
  }

  async function storedRecord(id: number): Promise<IconRecord> {
    const key = recordKey({ catalog, id });
    const stored = await store.get(key);
    const kept = stored && parseRecord(stored.bytes, id);
    if (kept) return kept;
    const { client } = await door.session();
    ports.fetching(id);
    const answer = client.icon(id);
    // While the first answer is on its way there is nothing better to do than to load what works on files. Where that
    // fails, the file that needs it says so.
    import('../svg/prepare-svg.ts').then(({ loadSvgo }) => loadSvgo()).catch(() => undefined);
    const { icon } = await answer;
    const record = lastingFields(icon);
    await store.put(key, new TextEncoder().encode(JSON.stringify(record)));
    return record;
  }

  function masterOf(id: number, color: string | undefined): PackedMaster | Promise<PackedMaster> {
    const key = color === undefined ? `${id}:svg` : `${id}:svg:${color}`;
    const packed = pack.get(key) as PackedMaster | undefined;
    if (packed !== undefined) return packed;
    return once(key, async () => {
      const askedColor = color ?? SENTINEL;
      const bytes = await download(id, { filetype: 'svg', color: askedColor, size: null });
      const { prepareSvg } = await import('../svg/prepare-svg.ts');
      const { optimize, strict, animation, maxBytes } = options.svg;
      const fixedColor = color !== undefined;
      const master = await prepareSvg(bytes, {
        id,
        askedColor,
        fixedColor,
        optimize,
        strict,
        animation,
        maxBytes,
      });
      const entry: PackedMaster = { sha256: sha256Hex(bytes), master };
      pack.set(key, entry);
      ports.prepared(id, master);
      return entry;
    });
  }

  async function pngOf({
    id,
    color,
    size,
  }: IconRequest): Promise<{ sha256: string; bytes: Uint8Array }> {
    return once(`${id}:png:${color ?? ''}:${size ?? ''}`, async () => {
      const bytes = await download(id, { filetype: 'png', color, size });
      return { sha256: sha256Hex(bytes), bytes };
    });
  }

  async function download(
    id: number,
    {
      filetype,
      color,
      size,
    }: { filetype: 'svg' | 'png'; color: string | null; size: string | null },
  ): Promise<Uint8Array> {
    const key = bytesKey({ catalog, id, filetype, color, size });
    const stored = await store.get(key);
    if (stored !== undefined) return stored.bytes;
    const { client } = await door.session();
    ports.fetching(id);
    const { bytes } = await client.download(id, {
      filetype,
      ...(color !== null && { color }),
      ...(size !== null && { size: Number(size) }),
    });
    await store.put(key, bytes);
    return bytes;
  }

  return source;
}

/** Leaves out what dies within the hour or changes per call: asset addresses and whatever else the service adds. */
function lastingFields(icon: IconRecord): IconRecord {
  const {
    id,
    term,
    attribution,
    creator,
    collections,
    license_description,
    permalink,
    styles,
    tags,
  } = icon;
  return {
    id,
    term,
    attribution,
    creator: { name: creator.name, permalink: creator.permalink, username: creator.username },
    collections: collections.map(({ id, name, permalink }) => ({ id, name, permalink })),
    license_description,
    permalink,
    styles,
    tags,
  };
}

function parseRecord(bytes: Uint8Array, id: number): IconRecord | undefined {
  try {
    const record = JSON.parse(new TextDecoder().decode(bytes)) as IconRecord;
    return record.id === String(id) ? record : undefined;
  } catch {
    // Written by something else under our key: asked for again.
    return undefined;
  }
}

function multiTone(record: IconRecord): IconCatalogError {
  return new IconCatalogError('SPECIFIER_INVALID', {
    message: `Icon ${record.id} ("${record.term}") is drawn in two colours or more, and the catalog does not say which of them \`currentColor\` stands for.`,
    remedy: `Ask for a colour (icon:${record.id}?color=ff0000), which the catalog then paints itself, or take it as an image (filetype=png).`,
    icon: record.id,
  });
}
