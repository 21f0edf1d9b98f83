import { join } from 'node:path';
import { expect, it } from 'vitest';
import { originOf, unlistedModules } from '../../src/build/libraries.ts';
import { writeProject } from '../support/write-project.ts';

const USER = '{"name":"some","devDependencies":{"unplugin-icon-catalog":"^1.0.0"}}';
const OTHER = '{"name":"some"}';

it('knows which modules belong to packages without a list, and which of them depend on the plugin', async () => {
  const files = {
    'package.json': USER,
    'packages/app/package.json': USER,
    'packages/app/src/main.js': undefined,
    'packages/app/src/part/package.json': '{"type":"module"}',
    'packages/app/src/part/main.js': undefined,
    'packages/ui/package.json': OTHER,
    'packages/ui/dist/home.js': 'depends',
    'packages/app/node_modules/user/package.json': USER,
    'packages/app/node_modules/user/dist/esm/package.json': '{"type":"module"}',
    'packages/app/node_modules/user/dist/esm/home.js': 'depends',
    'packages/app/node_modules/@scope/user/package.json':
      '{"peerDependencies":{"unplugin-icon-catalog":"*"}}',
    'packages/app/node_modules/@scope/user/home.js': 'depends',
    'packages/app/node_modules/@scope/other/package.json': OTHER,
    'packages/app/node_modules/@scope/other/home.js': 'another package',
    'packages/app/node_modules/other/package.json': OTHER,
    'packages/app/node_modules/other/home.js': 'another package',
    'packages/app/node_modules/invalid/package.json': '[',
    'packages/app/node_modules/invalid/home.js': 'another package',
    'packages/app/node_modules/listed/package.json': USER,
    'packages/app/node_modules/listed/icon-attribution.json': '{}',
    'packages/app/node_modules/listed/home.js': undefined,
  };
  const root = await writeProject(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text ?? ''])),
  );
  const modules = Object.keys(files).filter((path) => path.endsWith('.js'));
  const found = unlistedModules(
    [...modules.map((path) => ({ path: join(root, `${path}?used`) })), { path: 'virtual:icon' }],
    join(root, 'packages/app'),
  );
  expect(
    modules.map((path) => {
      const depends = found.get(join(root, path));
      return [path, depends === undefined ? '' : depends ? 'depends' : 'another package'];
    }),
  ).toEqual(modules.map((path) => [path, files[path as keyof typeof files] ?? '']));

  // An app at the root of its workspace.
  const ui = join(root, 'packages/ui/dist/home.js');
  const own = join(root, 'src/main.js');
  expect([...unlistedModules([{ path: ui }, { path: own }], root)]).toEqual([[ui, true]]);
});

it('says which package a module comes from', async () => {
  const root = await writeProject({
    'app/package.json': '{"name":"app"}',
    'app/node_modules/@scope/lib/package.json': '{"name":"@scope/lib","version":"1.2.3"}',
    'app/node_modules/@scope/lib/dist/esm/package.json': '{"type":"module"}',
    'app/vendor/icons/package.json': '{"name":"icons"}',
    'ui/package.json': '{"name":"@our/ui"}',
  });
  const from = (path: string): string => originOf(join(root, path), join(root, 'app'));
  expect(from('app/node_modules/@scope/lib/dist/esm/home.js')).toBe('@scope/lib@1.2.3');
  expect(from('app/vendor/icons/home.js')).toBe('vendor/icons');
  expect(from('ui/src/home.js')).toBe('@our/ui');
});
