import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SiteFile } from '../attribution/check-site.ts';

/** Every file below a folder. Fails as the file system does. */
export async function readSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: SiteFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.push({
      path: relative(folder, path).replaceAll('\\', '/'),
      content: await readFile(path),
    });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
