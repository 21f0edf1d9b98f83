import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Declaration } from '../declare/declaration.ts';
import { parseBlocks, renderDeclarations, toBlocks } from '../declare/render-declarations.ts';
import { replacePackFile } from '../store/pack-file.ts';

export const DECLARATIONS_FILE = 'icon-catalog.d.ts';

/** True where somebody reads declarations: a TypeScript project, or one that has had the file before. */
export async function wantsDeclarations(root: string): Promise<boolean> {
  const readable = await Promise.all(
    ['tsconfig.json', 'jsconfig.json', DECLARATIONS_FILE].map((name) =>
      access(join(root, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return readable.includes(true);
}

/**
 * Writes `icon-catalog.d.ts` into the project's root, where it would change.
 *
 * @param options.keep what the file declares already stays: a dev server knows only the imports it has seen
 * @returns true where the file was written
 */
export async function writeDeclarations(
  root: string,
  declarations: readonly Declaration[],
  { keep }: { keep: boolean },
): Promise<boolean> {
  const path = join(root, DECLARATIONS_FILE);
  const blocks = toBlocks(declarations);
  const render = (before: string): string =>
    renderDeclarations(keep ? new Map([...parseBlocks(before), ...blocks]) : blocks);
  const before = await readFile(path, 'utf8').catch(() => '');
  if (render(before) === before || (before === '' && blocks.size === 0)) return false;
  await replacePackFile(path, (present) => Buffer.from(render(present?.toString() ?? '')));
  return true;
}
