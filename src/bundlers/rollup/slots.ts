import { replaceCredits } from '../../build/credits-module.ts';
import {
  CREDITS_SLOT,
  type FoundUsage,
  type Sprite,
  SPRITE_SLOT,
} from '../../build/session-types.ts';
import { withSprite } from '../../build/sprites.ts';
import { type AnyBundle, iconsOfChunks, textOf } from './output.ts';
import type { Chunk, EmitContext, RunningBuild } from './types.ts';
import type { Session } from '../../build/session-interface.ts';

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
  {
    key,
    build,
    url,
    reference,
    publicPath,
  }: {
    /** Tells builds apart, from a hook's context. */
    key(context: object): object;
    /** The build that a hook runs for. */
    build(context: object): RunningBuild;
    /** Expression for the address of an emitted file. */
    url(reference: string): string;
    /** What chunks say in place of the slot; without it the address has been made of a file that bears the slot's name. */
    reference?: ((reference: string) => string) | undefined;
    /** What addresses of emitted files begin with, where that is known. */
    publicPath?: (() => string | undefined) | undefined;
  },
): SpriteSlot {
  const carriers = new WeakMap<object, string>();

  return {
    begin: (context) => void carriers.delete(key(context)),
    url(context) {
      if (reference !== undefined) return JSON.stringify(SPRITE_SLOT);
      const carrier =
        carriers.get(key(context)) ??
        context.emitFile({ type: 'asset', fileName: SPRITE_SLOT, source: '<svg/>' });
      carriers.set(key(context), carrier);
      return url(carrier);
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
      const address = reference?.(emitted) ?? encodeURI(context.getFileName(emitted));
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
  for (const output of Object.values(bundle)) {
    if (
      output.type === 'asset' &&
      output.fileName.endsWith('.svg') &&
      sprite.source === textOf(output.source)
    )
      return output.fileName;
  }
  return undefined;
}

export interface CreditsSlot {
  /** The code of a chunk with the credits of these icons in place. */
  fill(build: object, code: string, ids: readonly string[]): Promise<string>;
  /**
   * The finished files hold other icons: writes the credits of these. The name of the chunk stays what it is, and so do
   * columns in its map behind the credits; both are the lesser evil, and such icons are rare.
   */
  fillAgain(build: object, bundle: AnyBundle, ids: readonly string[]): Promise<void>;
  /** The same for a bundle that holds credits: `present` finds the icons. */
  amend(build: object, bundle: AnyBundle, present: () => Promise<readonly string[]>): Promise<void>;
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

  async function fillAgain(
    build: object,
    bundle: AnyBundle,
    ids: readonly string[],
  ): Promise<void> {
    const text = await session.creditsText(ids, { isFinal: true });
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
