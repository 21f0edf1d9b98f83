import { expect, it } from 'vitest';
import { drawnIn } from '../../src/pipeline/drawn-here.ts';
import type { PackedMaster } from '../../src/pipeline/sources.ts';
import { writeProject } from '../support/write-project.ts';

it('gives the drawings of all packs that a credit needs no call for', async () => {
  const packs: Record<string, Record<string, string>> = {
    'a.drawings': { '1:svg': 'mono', '2:svg': 'multi-tone', '3:svg:ff0000': 'fixed' },
    'b.drawings': { '4:svg:original': 'fixed', '5:svg': 'multi-tone', '6:svg': 'mono' },
    'a.values': { '7:svg': 'mono' },
  };
  const folder = await writeProject(
    Object.fromEntries(Object.keys(packs).map((name) => [name, ''])),
  );
  const opened: string[] = [];
  const found = await drawnIn(folder, {
    isWanted: (id) => id !== 6,
    packIn(name) {
      const lines = packs[name] ?? {};
      return {
        open: async () => void opened.push(name),
        keys: () => Object.keys(lines),
        get: (key) => ({ master: { paint: lines[key], fingerprint: key } }) as PackedMaster,
      };
    },
    assets: async () => ({
      hasRecord: async () => true,
      // The file of 2 that its colour is left in is not here.
      hasBytes: async ({ id, color }) => id !== 2 || color === null,
    }),
  });
  expect(opened).toEqual(['a.drawings', 'b.drawings']);
  expect([...found]).toEqual([
    ['1', '1:svg'],
    ['4?color=original', '4:svg:original'],
    ['5', '5:svg'],
  ]);
});
