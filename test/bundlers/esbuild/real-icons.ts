import { join } from 'node:path';
import { expect } from 'vitest';
import type { Options } from '../../../src/options/options.ts';
import { embeddedIconId } from '../../../src/server.ts';
import { parseManifest } from '../../support/parse-manifest.ts';
import type { Shown } from './project.ts';
import { shownBy } from '../../support/shown-by.ts';

/** A project on the embedded catalog: markup, file, data, png, lazy, and one icon (moon) that is not used. */
export const REAL_PROJECT: Record<string, string> = {
  'package.json': '{ "name": "real", "private": true, "type": "module" }',
  'src/main.js': [
    "import home from 'icon:home?color=ff0000&size=32';",
    "import again from 'icon:home?size=32&color=F00';",
    "import bus from 'icon:bus?url';",
    "import lion, { credit } from 'icon:lion?inline';",
    "import png from 'icon:home?filetype=png&size=64';",
    "import moon from 'icon:moon';",
    "import credits, { complete } from 'icon:credits';",
    "const lazy = import('./lazy.js').then((part) => part.default);",
    'const shown = { markup: [home, again], files: [bus, png], data: [lion], credit, credits, complete };',
    'globalThis.shown = lazy.then((drawings) => ({ ...shown, lazy: drawings }));',
    '',
  ].join('\n'),
  'src/lazy.js': "import star from 'icon:star'; export default [star];",
};

/** Titles of what it ships, in the manifest's order. */
const REAL_TITLES: string[] = ['bus', 'home', 'lion', 'star'];

export function realOptions(root: string): Options {
  return {
    catalog: { embedded: { sets: ['tabler', 'maki', 'game-icons'], root: process.cwd() } },
    aliases: {
      home: embeddedIconId('tabler', 'home'),
      star: embeddedIconId('tabler', 'star'),
      moon: embeddedIconId('tabler', 'moon'),
      bus: embeddedIconId('maki', 'bus'),
      lion: embeddedIconId('game-icons', 'lion'),
    },
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
  };
}

/** What the project ships is listed, there, and shown by its script. */
export async function expectRealShipped(
  root: string,
  output: Record<string, string>,
): Promise<void> {
  const { icons } = parseManifest(output['icon-attribution.json'] ?? '');
  expect(icons.map(({ title }) => (title ?? '').toLowerCase()).toSorted()).toEqual(REAL_TITLES);
  const files = icons.flatMap(({ usedIn }) => usedIn.map(({ file }) => file));
  const pages = ['icon-attribution.html', 'icon-attribution.md'];
  expect([...files, ...pages].filter((file) => output[file] === undefined)).toEqual([]);
  const shown = (await shownBy(join(root, 'dist/main.js'))) as Shown;
  expect(shown.markup[0]).toMatch(/^<svg [^]*#ff0000/);
  expect(shown.markup[1]).toBe(shown.markup[0]);
  expect(shown.credits).toHaveLength(REAL_TITLES.length);
  expect(shown.lazy[0]).toContain('currentColor');
}
