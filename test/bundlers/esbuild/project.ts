import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { shownBy } from '../../support/shown-by.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawnIn, type FakeManifest } from '../../build/fake-session.ts';

/** Twenty icons: 1–10 as markup, 11–12 as files (one in two colours), 13–14 as data, 15 a png, 16–18 in a lazy part, 19–20 never used. */
export const TWENTY_ICONS: Record<string, string> = {
  'package.json': '{ "name": "twenty", "private": true, "type": "module" }',
  'src/main.js': [
    ...range(1, 10).map((id) => `import i${id} from 'icon:${id}?color=ff0000';`),
    "import f11 from 'icon:11?url';",
    "import f11b from 'icon:11?url&color=00f';",
    "import f12, { credit } from 'icon:12?url&size=2rem';",
    "import d13 from 'icon:13?inline';",
    "import d14 from 'icon:14?as=data';",
    "import p15 from 'icon:15?filetype=png&size=64';",
    "import u19 from 'icon:19';",
    "import u20 from 'icon:20?url';",
    "import credits, { complete } from 'icon:credits';",
    "const lazy = import('./lazy.js').then((part) => part.default);",
    `const markup = [${range(1, 10)
      .map((id) => `i${id}`)
      .join(', ')}];`,
    'const shown = { markup, files: [f11, f11b, f12, p15], data: [d13, d14], credit, credits, complete };',
    'globalThis.shown = lazy.then((drawings) => ({ ...shown, lazy: drawings }));',
    '',
  ].join('\n'),
  'src/lazy.js': [
    "import a from 'icon:16';",
    "import b from 'icon:17';",
    "export default Promise.all([a, b, import('icon:18').then((icon) => icon.default)]);",
    '',
  ].join('\n'),
};

/** What of it is shipped. */
export const SHIPPED: number[] = range(1, 18);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Writes a project into a folder that is gone when the test is over. */
export async function makeProject(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return root;
}

/** Text of every file in a folder, by path with `/`. */
export async function readOutput(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const output: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    output[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path, 'latin1');
  }
  return output;
}

export function manifestIn(output: Record<string, string>): FakeManifest {
  return JSON.parse(output['icon-attribution.json'] ?? 'null') as FakeManifest;
}

/** Ids that a manifest lists, in order. */
export function listed({ icons }: FakeManifest): number[] {
  const ids = icons.map(({ id }) => Number(/^icon:(\d+)/.exec(id)?.[1]));
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** What a manifest should list by the output itself: artwork in scripts and files, and pngs by their last byte. */
export function drawn(output: Record<string, string>): number[] {
  const texts = Object.entries(output).filter(([name]) => /\.(?:js|svg)$/.test(name));
  const pngs = Object.entries(output).filter(([name]) => name.endsWith('.png'));
  return [
    ...drawnIn(texts.map(([, text]) => text).join('\n')),
    ...pngs.map(([, text]) => text.charCodeAt(text.length - 1)),
  ].toSorted((a, b) => a - b);
}

/** Every manifest entry is true: its file exists, and holds the icon's artwork. */
export function wrongPlaces({ icons }: FakeManifest, output: Record<string, string>): string[] {
  return icons
    .filter(({ id, file }) => {
      const text = output[file];
      if (text === undefined) return true;
      return !file.endsWith('.png') && !drawnIn(text).includes(Number(/^icon:(\d+)/.exec(id)?.[1]));
    })
    .map(({ id, file }) => `${id} in ${file}`);
}

/** Ids in the one list of credits that a bundle carries within it; throws unless it is said to be complete. */
export function creditedIn(output: Record<string, string>): number[] {
  const scripts = Object.entries(output).filter(([name]) => name.endsWith('.js'));
  const text = scripts.map(([, code]) => code).join('\n');
  const [list, ...others] = text.matchAll(/decodeURIComponent\(\s*["'`]([^"'`]+)/g);
  const payload = JSON.parse(decodeURIComponent(list?.[1] ?? '')) as {
    credits: { id: number }[];
    complete: boolean;
  };
  if (others.length > 0 || !payload.complete) throw new Error('not one complete list of credits');
  return payload.credits.map(({ id }) => id);
}

export interface Shown {
  markup: string[];
  files: string[];
  data: string[];
  credit: unknown;
  credits: { id: number }[];
  complete: boolean;
  lazy: string[];
}

/** That a build of the twenty icons ships and credits all of them, in their places, and names itself in the list. */
export async function expectAllShipped(
  root: string,
  { bundler, consumer }: { bundler: string; consumer: 'client' | 'server' },
): Promise<Record<string, string>> {
  const output = await readOutput(join(root, 'dist'));
  const manifest = manifestIn(output);
  expect([...new Set(drawn(output))]).toEqual(SHIPPED);
  expect(listed(manifest)).toEqual(SHIPPED);
  expect(creditedIn(output)).toEqual(SHIPPED);
  expect(wrongPlaces(manifest, output)).toEqual([]);
  const build = { id: bundler, bundler, consumer, precision: 'module-graph' };
  expect(manifest.build).toEqual(build);
  return output;
}

/**
 * That the script of the twenty icons shows what it should.
 * @param address of its pictures
 * @param base of the address that is not part of the file's name
 */
export async function expectAllShown(root: string, address: RegExp, base: string): Promise<void> {
  const shown = (await shownBy(join(root, 'dist/main.js'))) as Shown;
  expect(shown.markup[9]).toContain('ARTWORK-10-END');
  expect(decodeURIComponent(shown.data[1] ?? '')).toContain('ARTWORK-14-END');
  expect(shown.credit).toEqual({ credit: 12 });
  expect(shown.credits.map(({ id }) => id)).toEqual(SHIPPED);
  expect(shown.lazy.map((markup) => drawnIn(markup)[0])).toEqual([16, 17, 18]);
  const output = await readOutput(join(root, 'dist'));
  expect(new Set(shown.files).size).toBe(4);
  for (const file of shown.files) {
    expect(file).toMatch(address);
    expect(Object.keys(output)).toContain(file.slice(base.length));
  }
}
