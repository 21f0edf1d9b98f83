import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Paths of the files below a folder, with `/` between folders, sorted by code units. A link to a file is a file; a link to
 * a folder is not followed, since it may lead in a circle. `readdir` has a `recursive` option, but whether that follows
 * links differs between versions of Node.js.
 *
 * @param options.isSkipped gets the name of a folder and says whether to leave it out
 * @param options.most how many files are enough
 * @throws as the file system does if the folder itself cannot be read; what cannot be read below it has no files
 */
export async function filesIn(
  root: string,
  {
    isSkipped = () => false,
    most = Infinity,
  }: { isSkipped?: (folder: string) => boolean; most?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  const isFile = async (path: string): Promise<boolean> =>
    (await stat(join(root, path)).catch(() => undefined))?.isFile() === true;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const reading = readdir(join(root, folder), { withFileTypes: true });
    for (const entry of await (folder === '' ? reading : reading.catch(() => []))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!isSkipped(entry.name)) folders.push(path);
      } else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) {
        found.push(path);
      }
    }
    if (found.length > most) break;
  }
  return found.toSorted();
}

/**
 * Folders of a project with a file of this name, relative to its root, `/` between folders. What lies in a folder that was
 * found, in `node_modules` and in `.git` is not looked at.
 *
 * @param options.depth of the deepest folder; 1: those in the root
 */
export async function foldersWith(
  name: string,
  { root, depth }: { root: string; depth: number },
): Promise<string[]> {
  const found: string[] = [];
  async function look(folder: string, rest: number): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    if (folder !== '' && entries.some((entry) => entry.name === name)) found.push(folder);
    else if (rest > 0)
      for (const entry of entries)
        if (entry.isDirectory() && !['node_modules', '.git'].includes(entry.name))
          await look(folder === '' ? entry.name : `${folder}/${entry.name}`, rest - 1);
  }
  await look('', depth);
  return found.toSorted();
}
