import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/types.ts';
import { launchBrowser } from '../support/browser.ts';
import { readTree } from '../support/write-project.ts';
import { copyTemplate, type Edit } from './copy-template.ts';
import { creditsProblems, EVERY_FORMAT } from './credits-problems.ts';
import { artworkOf, drawIcons, findArtwork, type Artwork } from './find-artwork.ts';
import {
  ALIASES,
  BUNDLERS,
  createProject,
  type Build,
  type Bundler,
  type Project,
} from './project.ts';
import { readDrawings } from './read-page.ts';
import { serveFolder } from './serve-folder.ts';
import { parseManifest } from '../support/parse-manifest.ts';

/** Where each icon of the site hides, and for whom it ships. */
const HIDDEN: Record<string, { where: string; ships: 'client' | 'server' | 'both' | 'nowhere' }> = {
  star: { where: 'the entry', ships: 'client' },
  home: { where: 'a barrel that is shaken', ships: 'client' },
  moon: { where: 'an unused export of that barrel', ships: 'nowhere' },
  bell: { where: 'an unused module behind the barrel', ships: 'nowhere' },
  settings: { where: 'an import that is never used', ships: 'nowhere' },
  anchor: { where: 'a lazy chunk', ships: 'client' },
  lion: { where: 'a worker', ships: 'client' },
  bus: { where: 'a data address of a style sheet', ships: 'client' },
  castle: { where: 'a file of a style sheet', ships: 'client' },
  camera: { where: 'a file of a script', ships: 'client' },
  heart: { where: 'the sprite file', ships: 'client' },
  cafe: { where: '<img inline> of the page', ships: 'client' },
  search: { where: 'text that was printed before', ships: 'client' },
  crown: { where: 'a module of both sides', ships: 'both' },
  fuel: { where: 'a module of the server alone', ships: 'server' },
  airport: { where: 'a picture of somebody else’s template', ships: 'client' },
  user: { where: 'a picture in the text of that template’s script', ships: 'client' },
  bicycle: { where: 'its style sheet', ships: 'client' },
};
/** The script of create-vite’s page without a framework, with icons for its pictures. */
const TEMPLATE: readonly Edit[] = [
  ['main.js', `'/vite.svg'`, `'icon:airport?url'`],
  ['main.js', `'./javascript.svg'`, `'icon:user?inline'`],
  ['style.css', '.card {', '.card {\n  background: url(icon:bicycle?color=333);'],
];
const shipsTo = (...sides: string[]): string[] =>
  Object.keys(HIDDEN)
    .filter((name) => sides.includes(HIDDEN[name]?.ships ?? ''))
    .toSorted();
const ON_CLIENT = shipsTo('client', 'both');
const ON_SERVER = shipsTo('server', 'both');
const ANYWHERE = shipsTo('client', 'server', 'both');

/** Bundlers that put icons into pages themselves; those of the others are finished with `icon-catalog html`. */
const WITH_PAGES: ReadonlySet<Bundler> = new Set(['vite']);
/** What a user of the bundler writes differently. */
const WRITTEN: Partial<Record<Bundler, readonly [file: string, what: string, instead: string][]>> =
  {
    // Style sheets of these have every icon in place, since their address is unknown.
    bun: [['src/style.css', '?url', '']],
    farm: [
      ['src/style.css', '?url', ''],
      // Farm's own module system gives no address here that browsers take.
      ['src/main.js', 'import.meta.url', 'document.baseURI'],
    ],
  };

/** Icons of the client that are no part of the bundle which holds its credits. */
const ADDED_LATER: Partial<Record<Bundler, readonly string[]>> = {
  ...Object.fromEntries(
    BUNDLERS.filter((name) => !WITH_PAGES.has(name)).map((name) => [name, ['cafe']]),
  ),
  farm: ['cafe', 'lion'],
};

const OPTIONS = {
  attribution: EVERY_FORMAT,
  aliases: ALIASES,
  catalog: { embedded: { sets: ['tabler', 'maki', 'game-icons'], root: process.cwd() } },
};

let browser: Browser;
let project: Project;
/** The same site in another folder. */
let elsewhere: Project;
let drawings: ReadonlyMap<string, string>;
let artwork: Artwork;
beforeAll(async () => {
  const create = (): Promise<Project> =>
    createProject('truth', ['mini-css-extract-plugin', 'css-loader']);
  [browser, project, elsewhere] = await Promise.all([launchBrowser(), create(), create()]);
  const cacheDir = join(project.root, '.icons/artwork');
  const lockfile = join(project.root, 'artwork.lock');
  drawings = await drawIcons({ ...OPTIONS, cacheDir, lockfile }, Object.keys(HIDDEN));
  artwork = artworkOf(drawings);
});
afterAll(async () => {
  await Promise.all([browser.close(), project.remove(), elsewhere.remove()]);
});

describe.each(BUNDLERS)('a site built by %s', (bundler) => {
  let built: Build;
  beforeAll(async () => {
    built = await buildIn(project, bundler);
  });

  it('is the same bytes in another folder, on another day, with options in another order', async () => {
    const again = await buildIn(elsewhere, bundler, otherDay(elsewhere.root));
    expect([...again.output.keys()]).toEqual([...built.output.keys()]);
    for (const [name, bytes] of built.output)
      expect([name, again.output.get(name)?.equals(bytes)]).toEqual([name, true]);
  });

  it('credits what its pages show and its files hold, and nothing else', async () => {
    const [client, server] = ['client', 'server'].map((side) =>
      join(project.root, 'dist', bundler, side),
    ) as [string, string];
    if (!WITH_PAGES.has(bundler)) await finishPages(client, bundler);

    const [inClient, inServer] = [await readTree(client), await readTree(server)];
    expect(findArtwork(textsOf(inClient), artwork)).toEqual(ON_CLIENT);
    expect(findArtwork(textsOf(inServer), artwork)).toEqual(ON_SERVER);

    const { drawn, credited, problems } = await visit(client);
    expect(problems).toEqual([]);
    expect(findArtwork(drawn, artwork)).toEqual(ON_CLIENT);
    expect(findArtwork([await render(server)], artwork)).toEqual(ON_SERVER);

    const { icons, complete, builds } = manifestOf(inClient);
    expect(namesOf(icons.map(({ id }) => id))).toEqual(ANYWHERE);
    expect(complete).toBe(true);
    expect(builds.map(({ precision }) => precision)).toEqual(builds.map(() => 'emitted'));
    const places = icons.flatMap(({ usedIn }) => usedIn.map(({ file }) => file));
    expect(places.filter((file) => !inClient.has(file) && !inServer.has(file))).toEqual([]);
    // What the page of the app lists: its own build, as far as that build made the page.
    const own = ON_CLIENT.filter((name) => !ADDED_LATER[bundler]?.includes(name));
    expect(namesOf(credited)).toEqual(own);
    expect(await creditsProblems(inClient)).toEqual([]);
  });
});

/** Into an empty cache, with options in any order. */
async function buildIn(
  { root, build }: Project,
  bundler: Bundler,
  env: Record<string, string> = {},
): Promise<Build> {
  await writeSite(root, bundler);
  const options = root === elsewhere.root ? reversed(OPTIONS) : OPTIONS;
  const built = await build(bundler, { cache: bundler, options, env });
  if (built.exitCode > 0) throw new Error(built.said);
  return built;
}

function otherDay(root: string): Record<string, string> {
  const script = pathToFileURL(join(root, 'other-day.mjs')).href;
  return { NODE_OPTIONS: `--import=${script}`, BUN_OPTIONS: '--preload=./other-day.mjs' };
}

/** The same with every key where it was not. */
function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, each]) => [key, reversed(each)])) as Value;
}

async function writeSite(root: string, bundler: Bundler): Promise<void> {
  for (const file of ['src/style.css', 'src/main.js']) {
    let text = await readFile(new URL(`truth/${file}`, import.meta.url), 'utf8');
    for (const [where, what, instead] of WRITTEN[bundler] ?? [])
      if (where === file) text = text.replace(what, instead);
    await writeFile(join(root, file), text);
  }
  await copyTemplate('template-vanilla/src', join(root, 'src/template'), TEMPLATE);
  // As another tool prints pages: nothing but its drawing says that an icon is in there.
  const printed = `export default ${JSON.stringify(`<p>${drawings.get('search')}</p>`)};\n`;
  await writeFile(join(root, 'src/printed.js'), printed);
}

/** What somebody does whose bundler makes no pages. */
async function finishPages(folder: string, bundler: Bundler): Promise<void> {
  const files = [...(await readTree(folder)).keys()];
  const sheets = files.filter((name) => name.endsWith('.css'));
  if (!files.includes('index.html'))
    await writeFile(
      join(folder, 'index.html'),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Where icons hide</title>${sheets
        .map((name) => `<link rel="stylesheet" href="./${name}">`)
        .join(
          '',
        )}</head><body><h1><img inline src="icon:cafe" alt="Café"></h1><main></main><script type="module" src="./main.js"></script></body></html>`,
    );
  const command = join(project.root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
  const { PATH = '' } = process.env;
  await promisify(execFile)(process.execPath, [command, 'html', folder], {
    cwd: project.root,
    env: {
      PATH,
      HOME: project.root,
      BUNDLER: bundler,
      ICON_OPTIONS: JSON.stringify(OPTIONS),
      ICON_CATALOG_CACHE_DIR: join(project.root, '.icons', bundler),
    },
  });
}

async function visit(folder: string) {
  const site = await serveFolder(folder);
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('requestfailed', (request) => problems.push(request.url()));
  await page.goto(site.url);
  const shown = page.waitForFunction(() => (globalThis as { isShown?: Promise<true> }).isShown);
  await shown.catch((error: unknown) => {
    throw new Error(`The page does not draw everything: ${problems.join('\n')}`, { cause: error });
  });
  const drawn = await readDrawings(page);
  const credited = await page.evaluate(() => (globalThis as { credited?: string[] }).credited);
  await page.close();
  await site.close();
  return { drawn, credited: credited ?? [], problems };
}

async function render(folder: string): Promise<string> {
  const entry = pathToFileURL(join(folder, 'server.js')).href;
  const script = `const { render } = await import(${JSON.stringify(entry)}); process.stdout.write(render());`;
  const args = ['--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

/** Everything but the credits themselves. */
function textsOf(files: ReadonlyMap<string, Buffer>): string[] {
  return [...files].flatMap(([name, bytes]) =>
    /^icon-attribution\.|\.map$/.test(name) ? [] : [bytes.toString('latin1')],
  );
}

function manifestOf(files: ReadonlyMap<string, Buffer>): Manifest {
  return parseManifest(String(files.get('icon-attribution.json')));
}

function namesOf(ids: readonly string[]): string[] {
  return ids
    .map((id) => Object.keys(ALIASES).find((name) => String(ALIASES[name]) === id) ?? id)
    .toSorted();
}
