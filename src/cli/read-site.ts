import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { SEARCHED, type SiteFile } from '../attribution/check-site.ts';

const unpackByEnding = { '.gz': promisify(gunzip), '.br': promisify(brotliDecompress) };

/**
 * Every file below a folder; of what is not searched (films, fonts, archives) the name alone. A file that is there in
 * compressed form only is read as what servers make of it. Fails as the file system does.
 */
export async function readSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
  const files = new Map<string, Uint8Array>();
  for (const path of paths)
    files.set(
      path.replaceAll('\\', '/'),
      SEARCHED.test(path) ? await readFile(join(folder, path)) : new Uint8Array(),
    );
  for (const path of files.keys()) {
    for (const [ending, unpack] of Object.entries(unpackByEnding)) {
      const name = path.slice(0, -ending.length);
      if (!path.endsWith(ending) || !SEARCHED.test(name) || files.has(name)) continue;
      const content = await unpack(await readFile(join(folder, path))).catch(() => undefined);
      if (content !== undefined) files.set(name, content);
    }
  }
  return Array.from(files, ([path, content]) => ({ path, content })).toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
