import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const TEMPLATES = dirname(createRequire(import.meta.url).resolve('create-vite/package.json'));

/** What somebody writes into a file of a template. */
export type Edit = readonly [file: string, what: string, instead: string];

/** Copies a folder of create-vite, such as `template-vue`, and edits it. */
export async function copyTemplate(
  template: string,
  folder: string,
  edits: readonly Edit[],
): Promise<void> {
  await cp(join(TEMPLATES, template), folder, { recursive: true });
  for (const [file, what, instead] of edits) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(what)) throw new Error(`${path} does not say ${what}`);
    await writeFile(
      path,
      text.replace(what, () => instead),
    );
  }
}
