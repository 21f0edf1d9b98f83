import { join } from 'node:path';
import type { Options } from '../../../src/options/options.ts';
import { embeddedIconId } from '../../../src/server.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

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
    'globalThis.shown = { markup: [home, again], files: [bus, png], data: [lion], credit, credits, complete, lazy };',
    '',
  ].join('\n'),
  'src/lazy.js': "import star from 'icon:star'; export default [star];",
};

/** Titles of what it ships, in the manifest's order. */
export const REAL_TITLES: string[] = ['bus', 'home', 'lion', 'star'];

export function realOptions(root: string): Options {
  return {
    catalog: { embedded: { root: process.cwd() } },
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

/** What the attribution says is shipped, and what is wrong with it by the output. */
export function realManifest(output: Record<string, string>): {
  titles: string[];
  missing: string[];
  others: string[];
} {
  const { icons } = parseManifest(output['icon-attribution.json'] ?? '');
  const files = icons.flatMap(({ usedIn }) => usedIn.map(({ file }) => file));
  return {
    titles: icons.map(({ title }) => (title ?? '').toLowerCase()).toSorted(),
    missing: files.filter((file) => output[file] === undefined),
    others: ['icon-attribution.html', 'icon-attribution.md'].filter(
      (file) => output[file] === undefined,
    ),
  };
}
