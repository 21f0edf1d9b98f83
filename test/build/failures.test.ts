import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMissingIcons, placeOf, withoutFrames } from '../../src/build/failures.ts';
import { type ErrorCode, IconCatalogError } from '../../src/errors.ts';
import type { ResolvedOptions } from '../../src/options/resolve-options.ts';
import { parseRequest } from '../../src/request/parse-request.ts';
import { writeProject } from '../support/write-project.ts';

const SOURCE = `// icon:star-filled is another one\nimport a from 'icon:star';\n  import b from 'icon:bus?size=2em&color=f00';\n`;

it.each([
  ['icon:star', ':2:16'],
  ['icon:bus?size=2em&color=f00', ':3:18'],
  // The message has the parameters in their usual order.
  ['icon:bus?color=ff0000&size=2em', ':3:18'],
  ['icon:car', ''],
])('%s is written at "%s" of its importer', async (written, place) => {
  const root = await writeProject({ 'src/main.js': SOURCE });
  const file = join(root, 'src/main.js');
  expect(placeOf(file, written)).toBe(`${file.replaceAll('\\', '/')}${place}`);
  expect(placeOf(file, written, 'src/main.js')).toBe(`src/main.js${place}`);
});

it('a place that is known stays, and so does what is no file', () => {
  const own = join(process.cwd(), 'package.json');
  expect(placeOf(`${own}:2:1`, 'icon:star')).toBe('package.json:2:1');
  expect(placeOf(own, 'icon:star')).toBe('package.json');
  expect(placeOf('\0virtual', 'icon:star')).toMatch(/virtual$/);
  expect(placeOf(join(process.cwd(), 'nowhere.js'), 'icon:star')).toBe('nowhere.js');
});

it('an error of a build names the line', async () => {
  const root = await writeProject({ 'src/main.js': SOURCE });
  const importer = join(root, 'src/main.js');
  const error = withoutFrames(
    new IconCatalogError('CATALOG_NOT_FOUND', {
      message: 'Cannot load `icon:star`: gone.',
      importer,
    }),
  );
  expect(error.message).toContain(`imported by ${importer.replaceAll('\\', '/')}:2:16\n`);
  expect(error.stack).not.toContain('    at ');
});

it('an error for all that is missing names the line of what its importer imports', async () => {
  const root = await writeProject({ 'src/main.js': SOURCE });
  const importer = join(root, 'src/main.js');
  const message = 'The key is wrong. Still missing: icon:ant, icon:bus?color=f00, icon:star.';
  const error = withoutFrames(new IconCatalogError('CATALOG_UNAUTHORIZED', { message, importer }));
  expect(error.message).toContain(`imported by ${importer.replaceAll('\\', '/')}:3:18\n`);
  const only = 'The key is wrong. Still missing: icon:star.';
  expect(
    withoutFrames(new IconCatalogError('CATALOG_UNAUTHORIZED', { message: only, importer }))
      .message,
  ).toContain(`imported by ${importer.replaceAll('\\', '/')}:2:16\n`);
});

it('what fails for several reasons is one error that names each reason once, with its icons', () => {
  const missing = createMissingIcons(() => []);
  const add = (id: number, code: ErrorCode, message: string, remedy: string): void => {
    const request = parseRequest(`icon:${id}`, { aliases: {}, defaults: {} });
    const error = new IconCatalogError(code, { message, remedy });
    expect(missing.add(request, error)).toBe(code !== 'CATALOG_NOT_FOUND');
  };
  add(1, 'OPTIONS_INVALID', 'Cannot load `icon:1`: No red.', 'Use blue.');
  add(2, 'OPTIONS_INVALID', 'Cannot load `icon:2`: No folder.', 'Make one.');
  add(3, 'OPTIONS_INVALID', 'Cannot load `icon:3`: No red.', 'Use blue.');
  add(4, 'LOCK_MISSING', 'Cannot load `icon:4`: not pinned.', 'Sync.');
  add(5, 'CATALOG_NOT_FOUND', 'Cannot load `icon:5`: gone.', 'Find another one.');
  const { root, mode, lockfile } = { root: '/', mode: 'locked', lockfile: { name: 'icons.lock' } };
  const options = { root, mode, lockfile, aliases: {}, defaults: {} } as unknown as ResolvedOptions;
  expect(missing.error(new Map(), options)?.message).toBe(
    [
      '[OPTIONS_INVALID] No red. The icons are:\n    icon:1\n    icon:3\n    icon:4',
      'No folder. The icons are:\n    icon:2',
      'Use blue. Make one.',
    ].join('\n  '),
  );
});

it.each([
  [['LOCK_MISSING'], undefined, 'and commit icons.lock.'],
  [['LOCK_MISSING'], 'v.ndjson', 'and commit icons.lock and v.ndjson.'],
  [['OFFLINE_MISSING'], 'v.ndjson', 'and commit v.ndjson.'],
  [
    ['OFFLINE_MISSING'],
    undefined,
    'and restore its cache here, or set `vendor: true` and commit the vendor file.',
  ],
  [['LOCK_MISSING', 'OFFLINE_MISSING'], undefined, 'and commit icons.lock.'],
] as const)('where %j (vendor file: %s), the remedy is to sync, %s', (codes, name, expected) => {
  const missing = createMissingIcons(() => []);
  for (const [at, code] of codes.entries()) {
    const request = parseRequest(`icon:${at + 1}`, { aliases: {}, defaults: {} });
    missing.add(request, new IconCatalogError(code, { message: 'absent', remedy: 'Sync.' }));
  }
  const vendor = name && { name, path: `/${name}` };
  const options = { root: '/', mode: 'locked', lockfile: { name: 'icons.lock' }, vendor };
  const error = missing.error(new Map(), {
    ...options,
    aliases: {},
    defaults: {},
  } as unknown as ResolvedOptions);
  expect(error?.message).toMatch(
    new RegExp(`Run .npx icon-catalog sync. where the catalog can be reached, ${expected}$`),
  );
});
