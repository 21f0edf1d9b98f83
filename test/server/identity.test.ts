import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedIdentity } from '../../src/server/installed-sets.ts';
import { DOT, createFolder, fakeSet } from './project.ts';

test('the identity changes with the version of a set and with a file of a folder, and with nothing else', async () => {
  const manifest = 'node_modules/@iconify-json/one/package.json';
  const root = await createFolder({
    ...fakeSet('one', { icons: { a: { body: DOT } } }),
    [manifest]: '{"version":"1.0.0"}',
    'art/a.SVG': '<svg/>',
    'art/notes.txt': 'x',
  });
  const identity = (): Promise<string> => embeddedIdentity({ root, folders: ['art'] });
  const first = await identity();
  await writeFile(join(root, 'art/notes.txt'), 'more');
  expect(await identity()).toBe(first);
  await writeFile(join(root, 'art/a.SVG'), '<svg></svg>');
  const second = await identity();
  expect(second).not.toBe(first);
  await writeFile(join(root, manifest), '{"version":"1.0.1"}');
  expect(await identity()).not.toBe(second);
  expect(await embeddedIdentity({ root, sets: ['@iconify-json/one'] })).toBe('one@1.0.1');
});
