import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filesIn } from '../../src/store/walk.ts';
import { temporaryFolder, type TestEnd } from './temporary-folder.ts';

/** Writes files (path → text) into a fresh folder that is gone when the test is over; returns its path. */
export async function writeProject(
  files: Readonly<Record<string, string>>,
  atEnd?: TestEnd,
): Promise<string> {
  const root = await temporaryFolder(atEnd);
  await writeFiles(root, { 'package.json': '{"type":"module","private":true}', ...files });
  return root;
}

export async function writeFiles(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Every file below a folder: path with `/` → content. Empty when there is no such folder. */
export async function readTree(folder: string): Promise<Map<string, Buffer>> {
  const tree = new Map<string, Buffer>();
  for (const file of await filesIn(folder).catch(() => []))
    tree.set(file, await readFile(join(folder, file)));
  return tree;
}
