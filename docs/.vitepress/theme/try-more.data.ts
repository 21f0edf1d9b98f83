import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { drawIcons, type TryIcons } from './try-icons.ts';

declare const data: TryIcons;
export { data };

/** Names of an installed set that are one word: its basic icons, without their variants. */
function basicNames(set: string): string[] {
  const file = createRequire(import.meta.url).resolve(`@iconify-json/${set}/icons.json`);
  const { icons } = JSON.parse(readFileSync(file, 'utf8')) as IconifyJSON;
  // A set hides what it no longer has.
  return Object.keys(icons).filter((name) => /^[a-z]+$/.test(name) && !icons[name]?.hidden);
}

let drawing: Promise<TryIcons> | undefined;

export default {
  load(): Promise<TryIcons> {
    const names = ['tabler', 'maki'].flatMap((set) =>
      basicNames(set).map((name) => `${set}/${name}`),
    );
    // A build asks twice: for the pages and for the browser.
    return (drawing ??= drawIcons(names));
  },
};
