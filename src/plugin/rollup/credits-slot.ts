import { replaceCredits } from '../replace-credits.ts';
import { CREDITS_SLOT, type Session } from '../session-types.ts';
import type { AnyBundle } from './found-usages.ts';

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
