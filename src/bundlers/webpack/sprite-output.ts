import type { Chunk, Compilation } from 'webpack';
import { type FoundUsage, type Sprite, SPRITE_SLOT } from '../../build/session-types.ts';
import { withSprite } from '../../build/sprites.ts';
import { assetPlace, type AssetPlace } from './read-icon.ts';
import { family, type ShippedIcons } from './shipped.ts';
import type { Session } from '../../build/session-interface.ts';

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
export function createSpriteOutput(compilation: Compilation, session: Session): SpriteOutput {
  let made: { sprite: Sprite; place: AssetPlace; chunks: Set<Chunk> } | undefined;

  hashWith(compilation, () => made && { chunks: made.chunks, text: made.place.address });

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
      const { RawSource } = compilation.compiler.webpack.sources;
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

/**
 * Makes the names of scripts follow a text that is written into them. The hash of a chunk is made of its modules, which do
 * not hold the text yet; only `realContentHash` would notice that it has changed.
 */
export function hashWith(
  compilation: Compilation,
  written: () => { chunks: ReadonlySet<Chunk>; text: string } | undefined,
): void {
  const { JavascriptModulesPlugin } = compilation.compiler.webpack.javascript;
  const hooks = JavascriptModulesPlugin.getCompilationHooks(compilation);
  hooks.chunkHash.tap('unplugin-icon-catalog', (chunk, hash) => {
    const { chunks, text = '' } = written() ?? {};
    if (chunks?.has(chunk) === true) hash.update(text);
  });
}

/** Writes a text in place of a slot, as a replacement in the source, so that source maps keep their places. */
export function fillSlot(
  compilation: Compilation,
  { files, slot, text }: { files: Iterable<string>; slot: string; text: string },
): void {
  const { RawSource, ReplaceSource } = compilation.compiler.webpack.sources;
  for (const file of files) {
    const source = compilation.getAsset(file)?.source;
    const content = source?.source();
    if (source === undefined || typeof content !== 'string') continue;
    const filled = new ReplaceSource(source);
    let found = false;
    for (const start of placesOf(slot, content)) {
      filled.replace(start, start + slot.length - 1, text);
      found = true;
    }
    if (!found) continue;
    const whole = filled.source();
    // webpack's sources disagree with themselves where its own CSS took modules out of a script, and minifiers read
    // the other answer.
    const isSound = filled.sourceAndMap().source === whole;
    compilation.updateAsset(file, isSound ? filled : new RawSource(whole));
  }
}

function* placesOf(slot: string, content: string): Generator<number> {
  for (
    let start = content.indexOf(slot);
    start !== -1;
    start = content.indexOf(slot, start + slot.length)
  ) {
    yield start;
  }
}
