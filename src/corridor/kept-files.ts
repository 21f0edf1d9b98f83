import { Buffer } from 'node:buffer';
import { createHash, type BinaryLike } from 'node:crypto';
import { join } from 'node:path';
import { readPackFile, replacePackFile } from '../store/pack-file.ts';

/*
 * A kept file is one line and the file's bytes:
 *
 *   <key> SPACE <digest> LF <bytes>
 *
 * <key>     64 lower-case hex digits: SHA-256 of everything that the bytes are made of
 * <digest>  64 lower-case hex digits: SHA-256 of the bytes
 */
const HEADER = 64 + 1 + 64 + 1;

/** Output files that are a function of known input: large ones are read faster than they are made. */
export interface KeptFiles {
  /**
   * The file as an earlier build made it of the same input, or as `make` makes it now. A file that is missing, damaged,
   * of other input or not to be written costs time and nothing else.
   *
   * @param slot tells the files of a project apart; each has one place, so that they do not pile up
   * @param input everything that the file is made of, besides the pipeline
   */
  get(
    slot: string,
    { input, make }: { input: string; make: () => Promise<string> },
  ): Promise<Uint8Array>;
}

export function createKeptFiles({
  dir,
  owner,
  identity,
}: {
  dir: string;
  /** The project. */
  owner: string;
  /** Hash of the pipeline's version and options. */
  identity: string;
}): KeptFiles {
  return {
    async get(slot, { input, make }) {
      const file = join(dir, sha256(JSON.stringify([owner, slot])).slice(0, 32));
      const key = sha256(JSON.stringify([identity, input]));
      const kept = intact(await readPackFile(file), key);
      if (kept !== undefined) return kept;
      const bytes = Buffer.from(await make());
      const header = `${key} ${sha256(bytes)}\n`;
      await replacePackFile(file, () => Buffer.concat([Buffer.from(header), bytes])).catch(
        () => undefined,
      );
      return bytes;
    },
  };
}

function intact(kept: Buffer | undefined, key: string): Buffer | undefined {
  if (kept?.toString('latin1', 0, key.length) !== key) return undefined;
  const bytes = kept.subarray(HEADER);
  const header = `${key} ${sha256(bytes)}\n`;
  return kept.toString('latin1', 0, HEADER) === header ? bytes : undefined;
}

function sha256(data: BinaryLike): string {
  return createHash('sha256').update(data).digest('hex');
}
