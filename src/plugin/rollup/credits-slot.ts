import { replaceCredits } from '../replace-credits.ts';
import { CREDITS_SLOT, type Session } from '../session-types.ts';
import type { AnyBundle } from './found-usages.ts';

export interface CreditsSlot {
  /** The code of a chunk with the credits of these icons in place. */
  fill(build: object, code: string, ids: readonly string[]): Promise<string>;
  /**
   * The finished files hold further icons: writes the credits anew. The name of the chunk stays what it is, and so do
   * columns in its map behind the credits; both are the lesser evil, and icons that no module holds are rare.
   */
  fillAgain(build: object, bundle: AnyBundle, ids: readonly string[]): Promise<void>;
}

/** `icon:credits` in chunks: `CREDITS_SLOT` until they are rendered, then a text that minifiers leave as it is. */
export function createCreditsSlot(session: Session): CreditsSlot {
  const filled = new WeakMap<object, Map<string, readonly string[]>>();

  return {
    async fill(build, code, ids) {
      const text = await session.creditsText(ids);
      const idsByText = filled.get(build) ?? new Map<string, readonly string[]>();
      filled.set(build, idsByText.set(text, ids));
      return code.replaceAll(CREDITS_SLOT, () => text);
    },
    async fillAgain(build, bundle, ids) {
      for (const [before, known] of filled.get(build) ?? []) {
        const text = await session.creditsText([...known, ...ids]);
        for (const output of Object.values(bundle)) {
          if (output.type !== 'chunk' || output.code === undefined) continue;
          const code = replaceCredits(output.code, before, text);
          if (code !== output.code) output.code = code;
        }
      }
    },
  };
}
