import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../support/temporary-folder.js';

/** A folder with files, removed after the test. */
export async function createFolder(files: Record<string, string> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'icon-catalog-server-'));
  onTestFinished(() => removeFolder(root));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

export interface FakeSet {
  icons: Record<string, object>;
  aliases?: Record<string, object>;
  license?: { title: string; spdx?: string };
  name?: string;
  author?: { name: string; url?: string };
  lastModified?: number;
  categories?: Record<string, string[]>;
}

/** Files of an installed `@iconify-json` package. */
export function fakeSet(prefix: string, set: FakeSet): Record<string, string> {
  const folder = `node_modules/@iconify-json/${prefix}`;
  const { icons, aliases = {}, lastModified, categories } = set;
  return {
    [`${folder}/icons.json`]: JSON.stringify({
      prefix,
      icons,
      aliases,
      lastModified,
      width: 24,
      height: 24,
    }),
    [`${folder}/info.json`]: JSON.stringify({
      name: set.name ?? prefix,
      author: set.author ?? { name: `Author of ${prefix}` },
      license: set.license ?? { title: 'MIT', spdx: 'MIT' },
    }),
    ...(categories && { [`${folder}/metadata.json`]: JSON.stringify({ categories }) }),
  };
}

export const DOT = '<circle cx="12" cy="12" r="4" fill="currentColor"/>';
