import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { embeddedIconId } from '../../src/server.ts';

const require = createRequire(import.meta.url);

/** Ids of the first `count` icons of an installed set, in the order of their names. */
export function iconIds(set: 'tabler' | 'maki' | 'game-icons', count: number): number[] {
  const data = JSON.parse(
    readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8'),
  ) as IconifyJSON;
  return Object.keys(data.icons)
    .filter((name) => data.icons[name]?.hidden !== true)
    .toSorted()
    .slice(0, count)
    .map((name) => embeddedIconId(set, name));
}
