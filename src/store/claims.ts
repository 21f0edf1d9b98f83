import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createToken, isAbandoned } from './file-lock.ts';

/*
 * What one process works on is a file of its own, `<uuid>.claims`: the process, as a lock file names it, and one key a line.
 * It is read and written under the lock of the content pack.
 */
const SUFFIX = '.claims';

/** The keys that processes of this machine are working on, so that no two of them pay for the same call. */
export interface Claims {
  /** Replaces the keys of this process. */
  write(keys: Iterable<string>): void;
  /** The keys of all other processes that are alive. Files of the others are removed. */
  ofOthers(): Set<string>;
  /** Removes the file of this process. Never fails. */
  close(): void;
}

/** @param longest milliseconds after which the claims of a process count no longer, if it has written none since */
export function createClaims(dir: string, longest: number): Claims {
  const name = `${randomUUID()}${SUFFIX}`;
  const file = join(dir, name);
  let descriptor: number | undefined;
  let written = '';

  return {
    write(keys) {
      const text = [...keys].join('\n');
      if (text === written) return;
      descriptor ??= openSync(file, 'w');
      const bytes = Buffer.from(`${createToken()}\n${text}`);
      // Some file systems write a file to the disk at once if it was emptied before: this one never is.
      writeSync(descriptor, bytes, 0, bytes.length, 0);
      ftruncateSync(descriptor, bytes.length);
      written = text;
    },
    ofOthers() {
      const keys = new Set<string>();
      for (const other of readdirSync(dir)) {
        if (other === name || !other.endsWith(SUFFIX)) continue;
        const [process = '', ...claimed] = readFileSync(join(dir, other), 'utf8').split('\n');
        if (isAbandoned(join(dir, other), process, longest)) rmSync(join(dir, other));
        else for (const key of claimed) keys.add(key);
      }
      return keys;
    },
    close() {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      written = '';
      try {
        rmSync(file, { force: true });
      } catch {
        // The next process that waits for an icon removes it.
      }
    },
  };
}
