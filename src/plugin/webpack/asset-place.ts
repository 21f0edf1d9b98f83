import type { Compilation } from 'webpack';
import { assetName } from './asset-name.ts';

export interface AssetPlace {
  /** What stands behind the public path. */
  address: string;
  /** The file to emit, relative to the output folder: another name where that folder is not the one that is served. */
  file: string;
  /** The whole address, where style sheets must hold it: Next.js has css-loader leave every address with a scheme alone. */
  url?: string;
}

interface OutputPlace {
  publicPath?: unknown;
  path?: string | undefined;
}

/** Of the folder that Next.js serves as `/_next/`, only this one is. */
const SERVED = 'static/';

/**
 * Where an emitted icon goes, and how it is called in addresses. Both are its name, but for Next.js: its compilers have
 * one public path, below which only `static/` of the client's output is served, also what the compilers of servers emit.
 */
export function assetPlace(
  compilation: Compilation,
  asset: { fileName: string; source: string | Uint8Array },
): AssetPlace {
  const name = assetName(compilation, asset);
  const { publicPath, path } = compilation.outputOptions;
  if (!isNext(publicPath)) return { address: name, file: name };
  const address = name.startsWith(SERVED) ? name : `${SERVED}media/${name}`;
  const url = `${publicPath}${encodeURI(address)}`;
  return { address, file: `${wayToClient(path)}${address}`, url };
}

/** A compiler of Next.js for a server, the one for its edge runtime included, which has a browser's target. */
export function isNextServer({ publicPath, path = '' }: OutputPlace): boolean {
  return isNext(publicPath) && wayToClient(path) !== '';
}

function isNext(publicPath: unknown): publicPath is string {
  return typeof publicPath === 'string' && publicPath.endsWith('/_next/');
}

/** From the output folder of a compiler of Next.js: `.next/server/chunks`, `.next/server`, or `.next` itself. */
function wayToClient(path: string): string {
  if (/[/\\]server[/\\]chunks$/.test(path)) return '../../';
  return /[/\\]server$/.test(path) ? '../' : '';
}
