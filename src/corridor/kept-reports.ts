import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../store/file-lock.ts';
import { readPackFile, replacePackFile } from '../store/pack-file.ts';

/*
 * One file a report, so that builds which run side by side never write the same one:
 *
 *   <digest> LF <key> LF <text>
 *
 * <digest>  64 lower-case hex digits: SHA-256 of all that follows
 * <key>     without ends of lines
 */
const DIGEST = 64;

/**
 * What builds of one project tell later builds of it, in other processes too. Best effort: what cannot be read or written
 * is not there.
 */
export interface KeptReports {
  /** Text by key; `but` are known already. */
  all(but?: Iterable<string>): Promise<Map<string, string>>;
  /** @returns false where it could not be kept */
  put(key: string, text: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** One of all processes at a time, where the folder can be written to. */
  inTurn<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** @param place.owner the project */
export function createKeptReports({ dir, owner }: { dir: string; owner: string }): KeptReports {
  const folder = join(dir, sha256(owner).slice(0, 32));
  /** Of this process: its own builds wait for each other whatever clocks and locks say. */
  let last: Promise<unknown> = Promise.resolve();
  const fileOf = (key: string): string => join(folder, sha256(key).slice(0, 32));

  return {
    async all(but = []) {
      const known = new Set(Array.from(but, fileOf));
      const names = await readdir(folder).catch(() => []);
      const found = await Promise.all(
        names
          .filter((name) => /^[\da-f]{32}$/.test(name))
          .toSorted()
          .map((name) => join(folder, name))
          .filter((file) => !known.has(file))
          .map(readReport),
      );
      return new Map(found.filter((each) => each !== undefined));
    },
    async put(key, text) {
      const report = `${key}\n${text}`;
      const bytes = Buffer.from(`${sha256(report)}\n${report}`);
      const present = await readPackFile(fileOf(key));
      if (present?.equals(bytes) === true) return true;
      return replacePackFile(fileOf(key), () => bytes).then(
        () => true,
        () => false,
      );
    },
    remove: (key) => rm(fileOf(key), { force: true }).catch(() => undefined),
    inTurn(run) {
      const result = last.then(() => alone(run));
      last = result.catch(() => undefined);
      return result;
    },
  };

  async function alone<Result>(run: () => Promise<Result>): Promise<Result> {
    let isRunning = false;
    const once = (): ReturnType<typeof run> => {
      isRunning = true;
      return run();
    };
    try {
      await mkdir(folder, { recursive: true });
      return await withFileLock(join(folder, 'turn'), once);
    } catch (error) {
      if (isRunning) throw error;
      return run();
    }
  }
}

async function readReport(file: string): Promise<[key: string, text: string] | undefined> {
  const bytes = await readPackFile(file);
  if (bytes === undefined) return undefined;
  const report = bytes.toString('utf8', DIGEST + 1);
  if (bytes.toString('latin1', 0, DIGEST + 1) !== `${sha256(report)}\n`) return undefined;
  const end = report.indexOf('\n');
  return [report.slice(0, end), report.slice(end + 1)];
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
