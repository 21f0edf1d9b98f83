import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPackageExportsManifest } from 'vitest-package-exports';
import { createPackedConsumer, type PackedConsumer } from './support/packed-consumer.ts';

let consumer: PackedConsumer;
let installed: string;

beforeAll(async () => {
  consumer = await createPackedConsumer({ packages: ['react', 'vue', 'svelte', 'astro'] });
  installed = `${consumer.root}/node_modules/unplugin-icon-catalog`;
});

afterAll(() => consumer.remove());

it('exports what the snapshot says, no more and no less', async () => {
  const manifest = await getPackageExportsManifest({
    importMode: 'dist',
    cwd: installed,
    shouldIgnoreEntry: ({ entry }) => entry.endsWith('.json') || entry === './types',
  });
  expect(manifest.exports).toMatchSnapshot();
});

it('names an existing file for every entry point', () => {
  const { exports } = JSON.parse(readFileSync(`${installed}/package.json`, 'utf8')) as {
    exports: Record<string, string | { types: string }>;
  };
  const files = new Set(readdirSync(installed, { recursive: true, encoding: 'utf8' }));
  const targets = Object.values(exports).map((target) =>
    typeof target === 'string' ? target : target.types,
  );
  expect(targets.filter((target) => !files.has(target.replace('./', '')))).toEqual([]);
});

it('ships the built package and nothing of this repository', () => {
  const top = readdirSync(installed).toSorted();
  expect(top).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
  const repository = fileURLToPath(new URL('..', import.meta.url));
  const leaks = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(js|ts|json|md)$/.test(path))
    .filter((path) => readFileSync(`${installed}/${path}`, 'utf8').includes(repository));
  expect(leaks).toEqual([]);
});

it('imports its own dependencies only, and bundles others with their licences', () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(`${installed}/package.json`, 'utf8'),
  ) as Record<'dependencies' | 'peerDependencies', Record<string, string>>;
  const bundled = new Set<string>();
  const imported = new Set<string>();
  for (const path of readdirSync(installed, { recursive: true, encoding: 'utf8' })) {
    if (!/^dist\/(?:chunks\/)?[^/]+\.js$/.test(path)) continue;
    const code = readFileSync(`${installed}/${path}`, 'utf8');
    for (const [, name] of code.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)/gm))
      bundled.add(name!);
    for (const [, name] of code.matchAll(
      /(?:^(?:im|ex)port\b[^'"\n]*\bfrom |^import |\bimport\()"((?:@[\w-]+\/)?[\w-][\w.-]*)(?=["/])/gm,
    ))
      imported.add(name!);
  }
  const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  expect([...imported].filter((name) => !known.has(name))).toEqual([]);
  expect(imported).toContain('hpagent');
  const notices = readFileSync(`${installed}/dist/NOTICES`, 'utf8');
  const named = [...notices.matchAll(/^## (\S+) - /gm)].map(([, name]) => name);
  expect(bundled).toContain('unplugin');
  expect(new Set(named)).toEqual(bundled);
});

it.each(['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun', 'eleventy'])(
  'a configuration in CommonJS gets the plugin of %s from `require`, with and without `default`',
  async (name) => {
    const load = createRequire(`${installed}/package.json`);
    const required = load(`./dist/${name}.js`) as { default: unknown };
    const { default: imported } = (await import(`${installed}/dist/${name}.js`)) as {
      default: unknown;
    };
    expect(required).toBeTypeOf('function');
    expect(required).toBe(imported);
    expect(required.default).toBe(imported);
  },
);

it('is installed beside any version of what it works with, as a project may have an old one for another purpose', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(`${installed}/package.json`, 'utf8'),
  ) as Record<'peerDependencies' | 'peerDependenciesMeta', Record<string, unknown>>;
  expect(new Set(Object.values(peerDependencies))).toEqual(new Set(['*']));
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(Object.keys(peerDependencies).map((name) => [name, { optional: true }])),
  );
});

it('ships components of credits that import nothing of Node.js, as browsers load them', () => {
  const seen = new Set<string>();
  const foreign = new Set<string>();
  const follow = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const code = readFileSync(path, 'utf8');
    for (const [, name] of code.matchAll(/^(?:im|ex)port\b[^'"\n]*"([^"]+)"/gm)) {
      if (name!.startsWith('.')) follow(join(dirname(path), name!));
      else foreign.add(name!);
    }
  };
  const folder = `${installed}/dist/credits`;
  for (const name of readdirSync(folder)) if (name.endsWith('.js')) follow(join(folder, name));
  expect([...foreign].filter((name) => name.startsWith('node:'))).toEqual([]);
  expect([...foreign]).toContain('vue');
});
