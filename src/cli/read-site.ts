import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { isSearched, type SiteFile } from '../attribution/check-site.ts';

const unpackByEnding = {
  '.gz': promisify(gunzip),
  '.br': promisify(brotliDecompress),
  '.svgz': promisify(gunzip),
};
type Packed = keyof typeof unpackByEnding;

/**
 * Every file below a folder; of what is not searched (films, fonts, archives) the name alone. Compressed files are read
 * as what servers make of them: under the name without the ending, or, if such a file says something else, beside it.
 * Fails as the file system does.
 */
export async function readSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
  const files = new Map<string, Uint8Array>();
  const packed: string[] = [];
  for (const written of paths) {
    const path = written.replaceAll('\\', '/');
    const isPacked = isSearched(path) && /\.(?:gz|br|svgz)$/.test(path);
    if (isPacked) packed.push(path);
    const isRead = isSearched(path) && !isPacked;
    files.set(path, isRead ? await readFile(join(folder, written)) : new Uint8Array());
  }
  for (const path of packed) {
    const ending = /\.(?:gz|br|svgz)$/.exec(path)?.[0] as Packed;
    const unpack = unpackByEnding[ending];
    const content = await unpack(await readFile(join(folder, path))).catch(() => undefined);
    if (content === undefined) continue;
    const name = ending === '.svgz' ? path : path.slice(0, -ending.length);
    const plain = files.get(name);
    if (name === path || plain === undefined) files.set(name, content);
    else if (!content.equals(plain)) files.set(path, content);
  }
  return Array.from(files, ([path, content]) => ({ path, content })).toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
