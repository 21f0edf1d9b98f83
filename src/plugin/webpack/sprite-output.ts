import type { Chunk, Compilation, Compiler } from 'webpack';
import { withSprite } from '../create-sprite.ts';
import { SPRITE_SLOT, type FoundUsage, type Session, type Sprite } from '../session-types.ts';
import { assetPlace, type AssetPlace } from './asset-place.ts';
import { fillSlot } from './fill-slot.ts';
import { family, type ShippedIcons } from './shipped-icons.ts';

export interface SpriteOutput {
  /** Chunks and used exports are final: makes the file. */
  collect(shipped: ShippedIcons): Promise<void>;
  /** Emits the file, and writes its name into the scripts, before minifiers see them. */
  emit(): void;
  /** Writes the name into what was made of scripts since: pages whose templates have run. */
  fillPages(): void;
  /** Usages with the symbols where they are. */
  settle(usages: FoundUsage[]): FoundUsage[];
}

/** The sprite file of one compilation. Its name stands open in modules, so that persistent caches hold no old one. */
export function createSpriteOutput(
  compiler: Compiler,
  compilation: Compilation,
  session: Session,
): SpriteOutput {
  let made: { sprite: Sprite; place: AssetPlace; chunks: Set<Chunk> } | undefined;

  // The hash of a chunk is made of its modules, where the name is still open.
  compiler.webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(
    compilation,
  ).chunkHash.tap('unplugin-icon-catalog', (chunk, hash) => {
    if (made?.chunks.has(chunk) === true) hash.update(made.place.address);
  });

  function fill(files: Iterable<string>): void {
    if (made !== undefined)
      fillSlot(compilation, { files, slot: SPRITE_SLOT, text: encodeURI(made.place.address) });
  }

  return {
    async collect(shipped) {
      made = undefined;
      const inScripts = [...family(shipped)]
        .flatMap(({ placements }) => placements)
        .filter((placement) => 'chunk' in placement);
      const sprite = await session.sprite(inScripts.map(({ id }) => id));
      if (sprite === undefined) return;
      session.checkSpriteOrigin(compilation.outputOptions.publicPath);
      const shown = inScripts.filter(({ id }) => sprite.ids.has(id));
      const chunks = new Set(shown.map(({ chunk }) => chunk));
      made = { sprite, place: assetPlace(compilation, sprite), chunks };
    },
    emit() {
      if (made === undefined) return;
      const { RawSource } = compiler.webpack.sources;
      // `minimized` keeps minifiers away, which would drop the credits.
      compilation.emitAsset(made.place.file, new RawSource(made.sprite.source), {
        immutable: true,
        minimized: true,
      });
      fill(compilation.getAssets().map(({ name }) => name));
    },
    fillPages() {
      const pages = compilation.getAssets().filter(({ name }) => !/\.(?:[cm]?js|map)$/.test(name));
      fill(pages.map(({ name }) => name));
    },
    settle: (usages) => withSprite(usages, made?.sprite, made?.place.address),
  };
}
