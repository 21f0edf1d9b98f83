import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IconifyJSON } from '@iconify/types';
import { embeddedIconId } from '../../../src/server.ts';
import { writeFiles } from '../../support/write-project.ts';

/** Copies of one installed set under names of their own: no installed set has as many icons. */
export const MADE_SETS: readonly string[] = ['one', 'two', 'three', 'four'];

/** Ids of all icons of the sets, which lie in that folder. Each drawing is another one. */
export async function makeSets(root: string): Promise<number[]> {
  const read = (name: string): unknown => {
    const file = createRequire(import.meta.url).resolve(`@iconify-json/tabler/${name}.json`);
    return JSON.parse(readFileSync(file, 'utf8'));
  };
  const data = read('icons') as IconifyJSON;
  const info = read('info') as object;
  const names = Object.keys(data.icons).filter((name) => data.icons[name]?.hidden !== true);
  const ids: number[] = [];
  for (const [at, prefix] of MADE_SETS.entries()) {
    const icons = names.toSorted().map((name) => {
      ids.push(embeddedIconId(prefix, name));
      return [
        name,
        { body: `${data.icons[name]?.body}<path fill="currentColor" d="M0 0h${at + 1}v1z"/>` },
      ];
    });
    const { width = 24, height = 24 } = data;
    const set = { prefix, width, height, icons: Object.fromEntries(icons) as unknown };
    await writeFiles(join(root, 'node_modules/@iconify-json', prefix), {
      'package.json': JSON.stringify({ name: `@iconify-json/${prefix}`, version: '1.0.0' }),
      'icons.json': JSON.stringify(set),
      'info.json': JSON.stringify({ ...info, prefix }),
    });
  }
  return ids;
}
