import { Buffer } from 'node:buffer';
import { basename, join } from 'node:path';
import { createSign } from '../store/packs.ts';
import { readPackFile, replacePackFile } from '../store/files.ts';
import { sha256Hex, shortHash } from '../store/hash.ts';
import { filesIn } from '../store/walk.ts';

/*
 * A kept file is one line and the file's bytes:
 *
 *   <key> SPACE <digest> SPACE <signature> LF <bytes>
 *
 * <key>        SHA-256 of everything that the bytes are made of
 * <digest>     SHA-256 of the bytes
 * <signature>  HMAC of the two and of the file's name, under this machine's key: the bytes become files of the output
 *
 * Each of them is 64 lower-case hex digits.
 */
const KEY = 64;
const HEADER = 3 * (KEY + 1);

/** Names a file within its project; a later build replaces it, so that files do not pile up. */
export interface Slot {
  /** What is asked for together. */
  group: string;
  name: string;
}

/** Output files that are a function of known input: large ones are read faster than they are made. */
export interface OutputCache {
  /** Files of this group will be asked for soon: reads and checks them while the bundler is busy. Never fails. */
  expect(group: string): Promise<void>;
  /**
   * The file as an earlier build made it of the same input, or as `make` makes it now. A file that is missing, damaged,
   * of other input or not to be written costs time and nothing else.
   *
   * @param input everything that the file is made of, besides the pipeline
   */
  get(slot: Slot, { input, make }: { input: string; make: () => Promise<string> }): Promise<Buffer>;
  /** What `note` wrote in an earlier build; empty if it wrote nothing, or if it cannot be read. */
  noted(slot: Slot): Promise<string>;
  note(slot: Slot, text: string): Promise<void>;
}

export function createOutputCache({
  dir,
  owner,
  identity,
  key: machineKey,
}: {
  dir: string;
  /** The project. */
  owner: string;
  /** Hash of the pipeline's version and options. */
  identity: string;
  /** Key of this machine. */
  key: Uint8Array;
}): OutputCache {
  const sign = createSign(machineKey, 'kept files');
  const expected = new Map<string, Promise<Kept | undefined>>();
  const prefixOf = (group: string): string => `${shortHash(JSON.stringify([owner, group]))}-`;
  const fileOf = ({ group, name }: Slot): string => join(dir, prefixOf(group) + shortHash(name));

  return {
    async expect(group) {
      const names = await filesIn(dir).catch(() => []);
      const reads = names
        .filter((name) => name.startsWith(prefixOf(group)))
        .map((name) => {
          const reading = readCached(join(dir, name));
          expected.set(join(dir, name), reading);
          return reading;
        });
      await Promise.all(reads);
    },
    async get(slot, { input, make }) {
      const file = fileOf(slot);
      const key = sha256Hex(JSON.stringify([identity, input]));
      const kept = await (expected.get(file) ?? readCached(file));
      expected.delete(file);
      if (kept?.key === key) return kept.bytes;
      const bytes = Buffer.from(await make());
      await keep(file, key, bytes);
      return bytes;
    },
    noted: async (slot) => (await readCached(fileOf(slot)))?.bytes.toString() ?? '',
    async note(slot, text) {
      await keep(fileOf(slot), sha256Hex(slot.name), Buffer.from(text));
    },
  };

  function headerOf(file: string, key: string, bytes: Buffer): string {
    const digest = sha256Hex(bytes);
    return `${key} ${digest} ${sign(`${basename(file)} ${key} ${digest}`)}\n`;
  }

  async function keep(file: string, key: string, bytes: Buffer): Promise<void> {
    const header = Buffer.from(headerOf(file, key, bytes));
    await replacePackFile(file, () => Buffer.concat([header, bytes])).catch(() => undefined);
  }

  async function readCached(file: string): Promise<Kept | undefined> {
    const kept = await readPackFile(file);
    if (kept === undefined) return undefined;
    const bytes = kept.subarray(HEADER);
    const key = kept.toString('latin1', 0, KEY);
    return kept.toString('latin1', 0, HEADER) === headerOf(file, key, bytes)
      ? { key, bytes }
      : undefined;
  }
}

interface Kept {
  key: string;
  bytes: Buffer;
}
