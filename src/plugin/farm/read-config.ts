import { resolve } from 'node:path';
import type { ResolvedUserConfig } from '@farmfe/core';
import { loadEnv } from '../../config/load-env.ts';
import type { Session, SessionHost } from '../session-types.ts';

export interface FarmOutput {
  /** The project's root, absolute. */
  root: string;
  /** Names of what the build begins with. */
  entries: string[];
  /** Output folder, absolute. */
  folder: string;
  publicPath: string;
  assetsFilename: string;
  consumer: 'client' | 'server';
  /** `farm start` and `farm watch`: nothing is shaken away, and a missing network is no error. */
  isDev: boolean;
  /** Further builds follow in this process. */
  isWatching: boolean;
}

export function readOutput({ root: given, compilation }: ResolvedUserConfig): FarmOutput {
  const root = given ?? process.cwd();
  const output = compilation?.output ?? {};
  const { path = 'dist', publicPath, assetsFilename, targetEnv = 'browser' } = output;
  const isServer = /node/.test(targetEnv);
  const isDev = compilation?.mode === 'development';
  return {
    root,
    entries: Object.keys(compilation?.input ?? {}),
    folder: resolve(root, path),
    publicPath: publicPath ?? (isServer ? './' : '/'),
    assetsFilename: assetsFilename ?? '[resourceName].[contentHash].[ext]',
    consumer: isServer ? 'server' : 'client',
    isDev,
    isWatching: isDev || Boolean(compilation?.watch),
  };
}

/** The `.env` files that Farm reads. Not through `envPrefix`, which would put the secret into the bundle. */
export async function readEnvironment(
  { envDir, envMode, compilation }: ResolvedUserConfig,
  root: string,
): Promise<SessionHost['env']> {
  const mode = envMode ?? compilation?.mode ?? 'production';
  return loadEnv(process.env, { mode, folder: resolve(root, envDir ?? '') });
}

/** Other options of ours, and another lock, are another cache: a warm build loads no module. */
export async function tieCache(
  { compilation }: ResolvedUserConfig,
  { fingerprint, lock }: Pick<Session, 'fingerprint' | 'lock'>,
): Promise<void> {
  const { persistentCache } = compilation ?? {};
  if (typeof persistentCache !== 'object') return;
  persistentCache.envs = {
    ...persistentCache.envs,
    'unplugin-icon-catalog': fingerprint,
    'unplugin-icon-catalog lock': await lock.hash(),
  };
}
