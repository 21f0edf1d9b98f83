import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Declaration } from '../declare/declaration.ts';
import { parseBlocks, renderDeclarations, toBlocks } from '../declare/render-declarations.ts';
import { replacePackFile } from '../store/pack-file.ts';

const DECLARATIONS_FILE = 'icon-catalog.d.ts';

/**
 * Where the declarations of a project belong; `undefined` if nobody reads them. A configuration of TypeScript includes
 * `src` if there is such a folder, and often nothing beside it. A file that is there already stays where it is.
 */
export async function declarationsPath(root: string): Promise<string | undefined> {
  const inRoot = join(root, DECLARATIONS_FILE);
  const inSources = join(root, 'src', DECLARATIONS_FILE);
  if (await isReadable(inRoot)) return inRoot;
  const names = ['tsconfig.json', 'jsconfig.json', `src/${DECLARATIONS_FILE}`];
  const readable = await Promise.all(names.map((name) => isReadable(join(root, name))));
  if (!readable.includes(true)) return undefined;
  return (await isReadable(join(root, 'src'))) ? inSources : inRoot;
}

function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes `icon-catalog.d.ts` if it would change.
 *
 * @param path as `declarationsPath` says
 * @param options.keep what the file declares already stays: a dev server knows only the imports it has seen
 * @returns true where the file was written
 */
export async function writeDeclarations(
  path: string,
  declarations: readonly Declaration[],
  { keep }: { keep: boolean },
): Promise<boolean> {
  const blocks = toBlocks(declarations);
  const render = (before: string): string =>
    renderDeclarations(keep ? new Map([...parseBlocks(before), ...blocks]) : blocks);
  const before = await readFile(path, 'utf8').catch(() => '');
  if (render(before) === before || (before === '' && blocks.size === 0)) return false;
  await replacePackFile(path, (present) => Buffer.from(render(present?.toString() ?? '')));
  return true;
}
