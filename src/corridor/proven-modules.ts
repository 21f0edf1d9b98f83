import { toSvgKeys } from '../store/lockfile-keys.ts';
import type { TextPack } from '../store/text-pack.ts';
import { digestOfValue, proofOfRecords } from './finished-modules.ts';
import type { Pins } from './pins.ts';
import { filesInProof, proofOf } from './proof.ts';
import { iconIdOf, toIconId } from './value-id.ts';

/**
 * Line of the values pack that is no module: SHA-256 of the lock file against which every other line of the pack was
 * held. While the lock file is that one, thousands of modules are taken without a look into it.
 */
const SEAL = '!lock';

/** Whether what an earlier build finished is what the lock says now. */
export interface ProvenModules {
  /** True where every line was held against this very lock file before. */
  readonly isSealed: boolean;
  /** To be called when a build begins and the lock is open. */
  begin(): Promise<void>;
  /**
   * False also for icons that the lock does not know: who builds them again asks for them, and pins them.
   * @param text line of the values pack
   * @throws IconCatalogError LOCK_INVALID
   */
  accepts(valueId: string, text: string): boolean;
  /** The module was finished in this process. */
  made(valueId: string): void;
  /** To be called before packs are written and after the lock was: seals the values if need be. */
  end(): void;
  /** Drops the lines which the lock does not bear out, and seals the others. */
  seal(lines: Map<string, string>): void;
}

/** @param packs.values is open */
export function createProvenModules({
  pins,
  values,
  records,
}: {
  pins: Pick<Pins, 'find' | 'record' | 'hash'>;
  values: TextPack;
  records: TextPack;
}): ProvenModules {
  const verdicts = new Map<string, boolean>();
  /** Finished in this process, where the lock may change under them: the seal does not speak for these. */
  const fresh = new Set<string>();
  /** The seal is set, and what it does not bear out is not dropped yet. */
  let isSealing = false;
  let isSealed = false;
  let hash: string | undefined;

  function isProven(valueId: string, digest: string): boolean {
    const kept = records.get(valueId);
    const said = kept === undefined ? undefined : proofOfRecords(kept);
    const id = Number(iconIdOf(valueId));
    const record = pins.record(id);
    if (said?.digest !== digest || record === undefined) return false;
    const color = /[?&]color=(\w+)/.exec(toIconId(valueId))?.[1] ?? 'currentColor';
    const keys = toSvgKeys(id, color).slice(0, filesInProof(said.proof));
    const integrities = keys.flatMap((key) => pins.find(key)?.integrity ?? []);
    return integrities.length === keys.length && proofOf(integrities, record) === said.proof;
  }

  /** A lock that cannot be read bears nothing out, and is told of where it is needed. */
  function isReadable(): boolean {
    try {
      pins.find('');
      return true;
    } catch {
      return false;
    }
  }

  return {
    get isSealed() {
      return isSealed;
    },
    async begin() {
      const isOther = hash !== pins.hash();
      hash = pins.hash();
      if (isOther) verdicts.clear();
      isSealed = hash !== '' && !isSealing && values.get(SEAL) === hash;
      if (isOther && !isSealed) await records.open();
    },
    accepts(valueId, text) {
      if (isSealed && !fresh.has(valueId)) return true;
      const known = verdicts.get(valueId);
      if (known !== undefined) return known;
      const verdict = isProven(valueId, digestOfValue(text));
      verdicts.set(valueId, verdict);
      return verdict;
    },
    made(valueId) {
      verdicts.delete(valueId);
      fresh.add(valueId);
    },
    end() {
      const said = pins.hash();
      if (said === '' || values.get(SEAL) === said) return;
      isSealing = true;
      values.set(SEAL, said);
    },
    seal(lines) {
      isSealing = false;
      lines.delete(SEAL);
      // Who finished no module, as `sync`, need not read a lock of thousands for it.
      if (pins.hash() === '' || (lines.size > 0 && !isReadable())) return;
      for (const [valueId, text] of lines) {
        if (!isProven(valueId, digestOfValue(text))) lines.delete(valueId);
      }
      lines.set(SEAL, pins.hash());
    },
  };
}
