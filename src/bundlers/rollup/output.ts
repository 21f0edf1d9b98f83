import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Session } from '../../build/session-interface.ts';
import { replaceCredits } from '../../build/session-reports.ts';
import {
  type CreditedIcons,
  CREDITS_SLOT,
  type FoundUsage,
  type Sprite,
  SPRITE_SLOT,
} from '../../build/session-types.ts';
import { decode, type EmittedFile } from '../../build/search-outputs.ts';
import { withSprite } from '../../build/sprites.ts';
import { isDefaultId, toDefaultId } from '../../request/key.ts';
import type {
  AnyBundle,
  Chunk,
  Chunks,
  EmitContext,
  EmittedIcon,
  FinishedChunk,
  RollupDialect,
} from './types.ts';

const ICON_MODULE = /^icon:\d/;

/**
 * Short names of the icons in chunks. `moduleIds` rather than `renderedExports`: an inlined constant ships while no export is left.
 *
 * @param isSplit true for a module whose default export is a module of its own: by itself it holds no artwork
 */
export function iconsOfChunks(
  chunks: readonly { moduleIds: readonly string[] }[],
  isSplit: (id: string) => boolean,
): string[] {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => ICON_MODULE.test(id)));
  return [...new Set(ids.filter((id) => isDefaultId(id) || !isSplit(id)).map(toDefaultId))];
}

/**
 * Modules by chunk. Other plugins take chunks out of a bundle: they compress them, or write them into a page. The modules
 * of those ship all the same, in whatever file has their place.
 *
 * @param before the chunks as the bundler has made them
 */
export function chunksOf(bundle: AnyBundle, before: Chunks = new Map()): Chunks {
  const chunks = new Map<string, FinishedChunk>();
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    const { fileName } = output;
    const isEntry = 'isEntry' in output && output.isEntry === true && 'name' in output;
    const entry = isEntry ? String(output.name) : undefined;
    chunks.set(fileName, before.get(fileName) ?? { moduleIds: output.moduleIds, entry });
  }
  const gone = [...before].filter(([file]) => !Object.hasOwn(bundle, file));
  if (gone.length === 0) return chunks;
  const left = new Set(Array.from(chunks.values(), ({ moduleIds }) => moduleIds).flat());
  for (const [file, { entry, ...chunk }] of gone) {
    // A chunk that a plugin has renamed is still there.
    const moduleIds = chunk.moduleIds.filter((id) => !left.has(id));
    if (moduleIds.length > 0) chunks.set(nameIn(bundle, file) ?? file, { moduleIds, entry });
  }
  return chunks;
}

/** The name of a file in a bundle in which it may be compressed. */
export function nameIn(bundle: AnyBundle, file: string): string | undefined {
  return ['', ...PACKED].map((end) => file + end).find((name) => Object.hasOwn(bundle, name));
}

const PACKED = ['.gz', '.br', '.zst'];

/**
 * Every icon that this bundle ships: modules in chunks, and files that were emitted and are still there (Vite takes
 * assets out of server bundles). An emitted file ships even if the module that asked for it was shaken away.
 */
export function foundUsages(
  bundle: AnyBundle,
  {
    chunks,
    emitted,
    fileNameOf,
    consumer,
    isSplit,
  }: {
    chunks: Chunks;
    emitted: Iterable<EmittedIcon>;
    fileNameOf: (reference: string) => string;
    consumer: 'client' | 'server';
    isSplit: (id: string) => boolean;
  },
): FoundUsage[] {
  const files = new Map<string, string>();
  for (const { id, reference } of emitted) files.set(toDefaultId(id), fileNameOf(reference));
  const usages: FoundUsage[] = [];
  for (const [file, chunk] of chunks) {
    for (const id of iconsOfChunks([chunk], isSplit)) {
      if (files.has(id)) continue;
      usages.push({ id, file, kind: consumer === 'server' ? 'server-only' : 'inline-js' });
    }
  }
  for (const [id, emittedFile] of files) {
    const file = nameIn(bundle, emittedFile);
    if (file !== undefined) usages.push({ id, file, kind: 'asset' });
  }
  return usages;
}

/**
 * Every file of a bundle as it will be written, and the text of those that are there in compressed form only.
 *
 * @param names those that are wanted: Rolldown copies the text of every file that somebody looks at
 */
export function* emittedFiles(bundle: AnyBundle, names: RegExp = /./): Generator<EmittedFile> {
  for (const output of Object.values(bundle)) {
    const { fileName } = output;
    if (!names.test(fileName)) continue;
    if ('code' in output && typeof output.code === 'string')
      yield { fileName, content: output.code };
    else if ('source' in output && output.source !== undefined)
      yield { fileName, content: unpacked(bundle, fileName) ?? output.source };
  }
}

/** The content of a compressed file that a plugin has put in the place of the file itself. */
function unpacked(bundle: AnyBundle, fileName: string): Buffer | undefined {
  const unpack = fileName.endsWith('.gz') ? gunzipSync : brotliDecompressSync;
  const plain = fileName.replace(/\.(?:gz|br)$/, '');
  if (plain === fileName || Object.hasOwn(bundle, plain)) return undefined;
  const output = bundle[fileName];
  if (output === undefined || !('source' in output)) return undefined;
  try {
    return unpack(Buffer.from(output.source ?? ''));
  } catch {
    return undefined;
  }
}

/** Names of what the bundle begins with, and its format: an entry may be built as several. */
export function entriesOf(chunks: Chunks, format = 'es'): string[] {
  const names = [...chunks.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  return /^(?:es|esm|module)$/.test(format) ? names : [...names, format];
}

/** Modules of files that are in the bundle, packages' among them. */
export function* modulesOf(chunks: Chunks): Generator<{ path: string; file: string }> {
  for (const [file, { moduleIds }] of chunks)
    for (const path of moduleIds) if (!path.startsWith('icon:')) yield { path, file };
}

export interface SpriteSlot {
  /** A build begins: files of the one before are not known any more. */
  begin(context: object): void;
  /** JavaScript expression for the address of the sprite file, while its name is not known. */
  url(context: EmitContext): string;
  /** The code of a chunk with the name in place. Emits the file. */
  fill(
    context: EmitContext,
    code: string,
    chunks: Readonly<Record<string, Chunk>> | undefined,
  ): Promise<string>;
  /** Usages with the symbols where they are, once the bundle is complete. */
  settle(context: EmitContext, bundle: AnyBundle, usages: FoundUsage[]): Promise<FoundUsage[]>;
}

/**
 * The sprite file holds what is left after tree-shaking, so that neither its content nor its name is known when modules
 * are loaded. Chunks are rendered with a name that stands for it, within an address that the bundler has made right for
 * format and folder, and which therefore needs no more than the name.
 */
export function createSpriteSlot(
  session: Session,
  { key, build, fileUrl, lateUrl, publicPath }: RollupDialect,
): SpriteSlot {
  const carriers = new WeakMap<object, string>();

  return {
    begin: (context) => void carriers.delete(key(context)),
    url(context) {
      if (lateUrl !== undefined) return JSON.stringify(SPRITE_SLOT);
      const carrier =
        carriers.get(key(context)) ??
        context.emitFile({ type: 'asset', fileName: SPRITE_SLOT, source: '<svg/>' });
      carriers.set(key(context), carrier);
      return fileUrl(carrier);
    },
    async fill(context, code, chunks) {
      const sprite = await session.sprite(
        iconsOfChunks(Object.values(chunks ?? {}), () => false),
        build(context),
      );
      if (sprite === undefined) return code;
      session.checkSpriteOrigin(publicPath?.());
      const { fileName: name, source } = sprite;
      const emitted = context.emitFile({ type: 'asset', name, source });
      const address = lateUrl?.(emitted) ?? encodeURI(context.getFileName(emitted));
      return code.replaceAll(SPRITE_SLOT, () => address);
    },
    async settle(context, bundle, usages) {
      Reflect.deleteProperty(bundle, SPRITE_SLOT);
      const running = build(context);
      const sprite = await session.sprite(
        usages.map(({ id }) => id),
        running,
      );
      const settled = withSprite(usages, sprite, fileOf(bundle, sprite));
      if (running.consumer === 'server') return settled;
      for (const other of session.spritesForServers()) {
        if (fileOf(bundle, other) !== undefined) continue;
        const { fileName: name, source } = other;
        const file = context.getFileName(context.emitFile({ type: 'asset', name, source }));
        settled.push(...withSprite([], other, file));
      }
      return settled;
    },
  };
}

function fileOf(bundle: AnyBundle, sprite: Sprite | undefined): string | undefined {
  if (sprite === undefined) return undefined;
  const files = [...emittedFiles(bundle, /\.svg(?:\.(?:gz|br))?$/)];
  return files.find(({ content }) => decode(content) === sprite.source)?.fileName;
}

export interface CreditsSlot {
  /** The code of a chunk with the credits of these icons in place. */
  fill(build: object, code: string, ids: readonly string[]): Promise<string>;
  /**
   * The finished files hold other icons: writes the credits of these. The name of the chunk stays what it is, and so do
   * columns in its map behind the credits; both are the lesser evil, and such icons are rare.
   */
  fillAgain(build: object, bundle: AnyBundle, icons: CreditedIcons): Promise<void>;
  /** The same for a bundle that holds credits: `present` finds the icons. */
  amend(build: object, bundle: AnyBundle, present: () => Promise<CreditedIcons>): Promise<void>;
}

/** `icon:credits` in chunks: `CREDITS_SLOT` until they are rendered, then a text that minifiers leave as it is. */
export function createCreditsSlot(session: Session): CreditsSlot {
  const filled = new WeakMap<object, Set<string>>();

  return {
    async fill(build, code, ids) {
      const text = await session.creditsText(ids);
      filled.set(build, (filled.get(build) ?? new Set()).add(text));
      return code.replaceAll(CREDITS_SLOT, () => text);
    },
    fillAgain,
    async amend(build, bundle, present) {
      if (!filled.has(build)) return;
      await fillAgain(build, bundle, await present());
    },
  };

  async function fillAgain(build: object, bundle: AnyBundle, icons: CreditedIcons): Promise<void> {
    const text = await session.creditsText(icons);
    for (const before of filled.get(build) ?? []) {
      if (before === text) continue;
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk' || output.code === undefined) continue;
        const code = replaceCredits(output.code, before, text);
        if (code !== output.code) output.code = code;
      }
    }
  }
}
