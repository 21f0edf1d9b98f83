import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type { Environment } from '../types.ts';
import { NO_CACHE_DIR, readText, reasonOf, systemFolder } from './files.ts';
import { sha256Hex } from './hash.ts';

/** The sources of the key under which this machine signs what it stores in the cache folder. */
export interface CacheKeySource {
  /** `ICON_CATALOG_CACHE_KEY`, which wins. */
  secret: string | undefined;
  /** The absolute path of a file outside of the cache folder; `NO_CACHE_DIR` if nothing is kept that could be signed. */
  file: string | undefined;
}

/** Signs data that lies in the cache folder: 64 lower-case hex digits. */
export type Sign = (...parts: (string | Uint8Array)[]) => string;

const SHORTEST = 32;
const KEY = /^[0-9a-f]{64}\n$/;

/** @throws IconCatalogError OPTIONS_INVALID if `ICON_CATALOG_CACHE_KEY` can be guessed */
export function cacheKeySource(env: Environment, cacheDir?: string): CacheKeySource {
  const secret = env['ICON_CATALOG_CACHE_KEY'] || undefined;
  if (secret !== undefined && secret.length < SHORTEST) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `ICON_CATALOG_CACHE_KEY has ${secret.length} characters and needs at least ${SHORTEST}, because the signatures of the cache are worth nothing under a key that can be guessed.`,
      remedy: 'Set it to what `openssl rand -hex 32` prints, or unset it.',
    });
  }
  if (cacheDir === NO_CACHE_DIR) return { secret, file: cacheDir };
  const folder = systemFolder('config', env);
  return { secret, file: folder && join(folder, 'cache.key') };
}

const keyByFile = new Map<string, Promise<Uint8Array>>();

/**
 * The key itself. The first process that needs the file creates it, readable by its owner alone. If it can neither be
 * read nor created, the process uses a random key: nothing in the cache is valid under it, so everything is rebuilt.
 */
export async function readCacheKey(
  { secret, file = '' }: CacheKeySource,
  warn: (message: string) => void,
): Promise<Uint8Array> {
  if (secret !== undefined) return Buffer.from(sha256Hex(secret), 'hex');
  const key = keyByFile.get(file) ?? readOrCreate(file, warn);
  keyByFile.set(file, key);
  return key;
}

async function readOrCreate(file: string, warn: (message: string) => void): Promise<Uint8Array> {
  if (file === NO_CACHE_DIR) return randomBytes(32);
  let reason = 'there is no home folder';
  try {
    if (file !== '') return (await readKey(file)) ?? (await createKey(file));
  } catch (error) {
    reason = `${file}: ${reasonOf(error)}`;
  }
  warn(
    `The key of the icon cache can be neither read nor created (${reason}). This build is right, but no later build reuses what it has finished. Set ICON_CATALOG_CACHE_KEY to at least ${SHORTEST} random characters.`,
  );
  return randomBytes(32);
}

async function readKey(file: string): Promise<Uint8Array | undefined> {
  const text = (await readText(file)) ?? '';
  return KEY.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** The file appears with its whole content. If several processes create it at once, the first one wins. */
async function createKey(file: string): Promise<Uint8Array> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    await link(temporary, file).catch(async () => {
      // Another process was first, the file is not a key, or the file system has no links.
      if ((await readKey(file)) === undefined) await rename(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
  const key = await readKey(file);
  if (key === undefined) throw new Error('it was changed while it was created');
  return key;
}

/** @param purpose data that was signed for one purpose is not valid for another */
export function createSign(key: Uint8Array, purpose: string): Sign {
  const own = createSecretKey(createHmac('sha256', key).update(purpose).digest());
  return (...parts) => {
    const signature = createHmac('sha256', own);
    for (const part of parts) signature.update(part);
    return signature.digest('hex');
  };
}
