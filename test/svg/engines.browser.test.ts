import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firefoxPath, launchFirefox, type Engine } from '../support/firefox.ts';
import { isWebKitInstalled, launchWebKit } from '../support/webkit.ts';
import { corpus, heavy } from './red-team/corpus.ts';
import { changedPart } from './support/changed-part.ts';
import { DRAWINGS } from './support/drawings.ts';
import { exposeInEngine } from './support/expose-drawings.ts';
import { hostileFiles } from './support/hostile-files.ts';
import { file, prepare, render } from './support/prepare.ts';

const BATCH = 60;
const SIZE = 128;
/**
 * `own`: drawings whose source an engine draws in a way of its own. In Firefox a text inherits `xml:space` from its group.
 * WebKit takes the last of two gradients with one id, ignores
 * `transform` on a nested svg, and smooths the edges of a group with opacity less than those of a root with opacity.
 */
const ENGINES: {
  name: string;
  isInstalled: boolean;
  launch: () => Promise<Engine>;
  own: readonly string[];
}[] = [
  {
    name: 'Firefox',
    isInstalled: firefoxPath !== undefined,
    launch: () => launchFirefox(firefoxPath ?? ''),
    own: ['a group with spaces that are not drawn'],
  },
  {
    name: 'WebKitGTK',
    isInstalled: isWebKitInstalled,
    launch: launchWebKit,
    own: ['two ids alike', 'a nested svg that is moved', 'opacity on the root'],
  },
];

let cleaned: Promise<string[]> | undefined;

async function cleanHostileFiles(): Promise<string[]> {
  const drawings = new Set<string>();
  const files = [...hostileFiles(), ...corpus.filter(({ name }) => !heavy.has(name))];
  for (const [index, { bytes }] of files.entries()) {
    const animation = index % 2 === 0;
    const master = await prepare(bytes, { id: index, animation }).catch(() => undefined);
    if (master !== undefined) drawings.add(render(master, { id: index, color: 'ff0000' }));
  }
  return [...drawings];
}

for (const { name, isInstalled, launch, own } of ENGINES)
  describe.skipIf(!isInstalled)(isInstalled ? name : `${name} (skipped: not installed)`, () => {
    let engine: Engine;

    beforeAll(async () => {
      engine = await launch();
    });

    afterAll(async () => {
      await engine?.close();
    });

    it('would run and fetch what is not cleaned', async () => {
      const raw = hostileFiles()
        .filter((hostile) =>
          /onload-root|script-plain|use-external|image-external|onclick-shape/.test(hostile.name),
        )
        .map(({ bytes }) => new TextDecoder().decode(bytes));
      const exposure = await exposeInEngine(engine, raw);
      expect(exposure.dialogs).toBeGreaterThan(0);
      expect(exposure.requests.some((url) => url.includes('evil.example'))).toBe(true);
    });

    it('runs nothing and fetches nothing of what is cleaned', async () => {
      const all = await (cleaned ??= cleanHostileFiles());
      expect(all.length).toBeGreaterThan(150);
      for (let at = 0; at < all.length; at += BATCH) {
        const batch = all.slice(at, at + BATCH);
        const exposure = await exposeInEngine(engine, batch);
        expect(exposure).toMatchObject({ dialogs: 0, requests: [] });
        expect(exposure.elements).toBeGreaterThanOrEqual(batch.length * 5 * 2);
      }
    });

    it('draws the same before and after', async () => {
      const page = await engine.newPage();
      const drawings = Object.fromEntries(
        Object.entries(DRAWINGS).filter(([drawing]) => !own.includes(drawing)),
      );
      const pairs: [before: string, after: string][] = [];
      for (const source of Object.values(drawings))
        pairs.push([
          source,
          render(await prepare(source, { fixedColor: true }), {
            size: `${SIZE}`,
          }),
        ]);
      const [red = '', blue = ''] = ['red', 'blue'].map((fill) =>
        file(`<path fill="${fill}" d="M2 2h9v9H2z"/>`),
      );
      pairs.push([red, blue]);
      const parts = await page.evaluate(changedPart, { pairs, size: SIZE });
      expect(parts.pop()).toBeGreaterThan(0.1);
      const changed = Object.keys(drawings).filter((_, index) => (parts[index] ?? 1) > 0.001);
      expect(changed).toEqual([]);
    });
  });