import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SEARCHED, type SiteFile } from '../attribution/check-site.ts';

/** Every file below a folder; of what is not searched (films, fonts, archives) the name alone. Fails as the file system does. */
export async function readSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: SiteFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.push({
      path: relative(folder, path).replaceAll('\\', '/'),
      content: SEARCHED.test(path) ? await readFile(path) : new Uint8Array(),
    });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
