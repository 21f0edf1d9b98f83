import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { BUNDLERS, createProject, type Project } from '../bundlers/project.ts';
import { creditedIds, manifestOf } from '../bundlers/read-build.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const DRAWINGS = fileURLToPath(new URL('apps/drawings', import.meta.url));
const ALIASES = {
  home: embeddedIconId('tabler', 'home'),
  star: embeddedIconId('tabler', 'star'),
  bell: embeddedIconId('tabler', 'bell'),
  unused: embeddedIconId('tabler', 'moon'),
  glow: embeddedIconId('drawings', 'glow'),
};

const MAIN = `
import { createElement as h } from 'react';
import { renderToStaticMarkup as draw } from 'react-dom/server.edge';
import Home, { credit, icon } from 'icon:home';
import Star from 'icon:star?color=f00&title=Best';
import Glow from 'icon:glow?component';
import raw from 'icon:star?raw';
import Unused from 'icon:unused';
import { Bell } from '../node_modules/package-with-icons/lib/index.js';

const glow = draw([h(Glow, { key: 1 }), h(Glow, { key: 2 })]);
const ids = [...glow.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
globalThis.shown = {
  home: draw(h(Home, { size: 24, className: 'mine' })),
  star: draw(h(Star)),
  bell: draw(h(Bell)),
  glow: glow.replaceAll(/(id="|#)[^-"]+/g, '$1'),
  hasOwnIds: ids.length > 2 && new Set(ids).size === ids.length,
  isMarkup: raw.startsWith('<svg'),
  named: [credit.id, icon.id],
  lazy: import('icon:bell?size=3em').then(({ default: Lazy }) => draw(h(Lazy))),
};
`;

let catalog: CountingCatalog;
let project: Project;
beforeAll(async () => {
  [catalog, project] = await Promise.all([
    startCountingCatalog({ sets: ['tabler'], folders: [{ path: DRAWINGS, name: 'drawings' }] }),
    createProject(),
  ]);
  await writeFile(join(project.root, 'src/main.js'), MAIN);
  // Copies: Farm does not follow links out of the project.
  for (const name of ['react', 'react-dom', 'scheduler']) {
    await cp(join(MODULES, name), join(project.root, 'node_modules', name), { recursive: true });
  }
  // What a package that ships imports of icons looks like: it has no React of its own.
  const shipped = join(project.root, 'node_modules/package-with-icons/lib/index.js');
  await mkdir(dirname(shipped), { recursive: true });
  await writeFile(shipped, `export { default as Bell } from 'icon:bell';\n`);
  await writeFile(
    join(project.root, 'node_modules/package-with-icons/package.json'),
    '{ "name": "package-with-icons", "type": "module", "main": "./lib/index.js" }\n',
  );
});
afterAll(async () => {
  await project.remove();
  await catalog.close();
});

let first: unknown;

it.each(BUNDLERS)('%s bundles components of React, and credits them', async (bundler) => {
  const build = () =>
    project.build(bundler, {
      cache: 'components',
      options: { aliases: ALIASES, framework: 'react' },
      catalog,
    });
  const built = await build();
  expect(built, built.said).toMatchObject({ exitCode: 0 });
  const shown = (await project.show(bundler)) as unknown as Record<string, unknown>;
  expect(shown).toMatchObject({
    hasOwnIds: true,
    isMarkup: true,
    named: [String(ALIASES.home), String(ALIASES.home)],
    home: expect.stringMatching(/^<svg viewBox="0 0 24 24" width="24" height="24" .*class="mine"/),
    star: expect.stringMatching(/role="img".*<title>Best<\/title>.*stroke="#ff0000"/),
    lazy: expect.stringContaining('width="3em"'),
  });
  first ??= shown;
  expect(shown).toEqual(first);

  const { unused, ...shipped } = ALIASES;
  expect(creditedIds(built)).toEqual(Object.values(shipped).map(String).toSorted());
  expect(creditedIds(built)).not.toContain(String(unused));
  const kinds = manifestOf(built).icons.flatMap(({ usedIn }) => usedIn.map(({ kind }) => kind));
  expect(new Set(kinds).size).toBe(1);

  if (bundler !== 'vite' && bundler !== 'esbuild') return;
  const again = await build();
  expect(again.calls).toEqual([]);
  expect(again.output).toEqual(built.output);
});
