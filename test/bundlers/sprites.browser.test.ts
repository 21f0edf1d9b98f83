import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { countColored, crop, difference, readPicture } from '../support/screenshots.ts';
import { ALIASES, BUNDLERS, createProject, type Build, type Project } from './project.ts';
import { manifestOf } from './read-build.ts';

const SITE = 'http://site.invalid';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
/** `own` has a gradient, which cannot be a symbol in every browser, and a drawing twice as wide as high, not from nought. */
const aliases: Record<string, number> = {
  ...ALIASES,
  duo: embeddedIconId('own', 'duo'),
  glow: embeddedIconId('own', 'glow'),
  wide: embeddedIconId('own', 'wide'),
};
const options = {
  aliases,
  licenses: { unknown: 'warn' as const },
};
/** Icons that are symbols of the sprite file, each once. */
const SYMBOLS: string[] = ['bell', 'castle', 'duo', 'heart', 'star', 'wide', 'wolf']
  .map((name) => String(aliases[name]))
  .toSorted();

interface Seen {
  page: Page;
  missing: string[];
  errors: string[];
}

let browser: Browser;
let catalog: CountingCatalog;
let project: Project;
beforeAll(async () => {
  [browser, catalog, project] = await Promise.all([
    launchBrowser(),
    startCountingCatalog({ root: process.cwd(), folders: ['test/bundlers/sprites/own'] }),
    createProject('sprites'),
  ]);
});
afterAll(async () => {
  await Promise.all([browser.close(), catalog.close(), project.remove()]);
});

describe.each(BUNDLERS)('a sprite file, built by %s', (bundler) => {
  let build: Build;
  let sprite: [path: string, text: string];
  let first: Seen;

  beforeAll(async () => {
    build = await project.build(bundler, { cache: 'all', catalog, options });
    if (build.exitCode > 0) throw new Error(build.said);
    const found = [...build.output].find(([path]) => path.endsWith('.svg'));
    sprite = [found?.[0] ?? '', String(found?.[1] ?? '')];
    first = await open('first');
  });

  it('is one, has a hash in its name, and holds what ships and nothing else', () => {
    const files = [...build.output.keys()].filter((path) => path.endsWith('.svg'));
    expect(files).toEqual([expect.stringMatching(/^(?:\w+\/)*(?:sprite[-.])?[\w-]{8,}\.svg$/)]);
    const ids = [...sprite[1].matchAll(/<symbol id="icon-(\d+)(?:-123456|-original)?"/g)].map(
      ([, id]) => String(id),
    );
    expect([...new Set(ids)].toSorted()).toEqual(SYMBOLS);
    // A drawing of two colours is a symbol for each colour that it is asked for, and one in its own.
    expect(sprite[1].match(/<symbol/g)).toHaveLength(SYMBOLS.length + 1);
    expect(sprite[1]).toContain('<!--!');
  });

  it('leaves no name open', () => {
    const texts = [...build.output]
      .filter(([path]) => !path.endsWith('.map'))
      .map(([path, bytes]) => [path, String(bytes)] as const);
    expect(texts.filter(([, text]) => text.includes('__ICON_CATALOG'))).toEqual([]);
  });

  it('is where the credits say that its icons are', () => {
    const { icons } = manifestOf(build);
    const inSprite = icons.filter(({ usedIn }) =>
      usedIn.some(({ kind }) => kind === 'sprite-symbol'),
    );
    expect(inSprite.map(({ id }) => id).toSorted()).toEqual(SYMBOLS);
    for (const { usedIn } of inSprite) {
      expect(usedIn.filter(({ kind }) => kind === 'sprite-symbol').map(({ file }) => file)).toEqual(
        [sprite[0]],
      );
    }
    expect(icons.map(({ id }) => id)).not.toContain(String(aliases['moon']));
    expect(
      icons.find(({ id }) => Number(id) === aliases['glow'])?.usedIn.map(({ kind }) => kind),
    ).toEqual(['inline-js']);
  });

  it('shows the same pixels as the drawings inline, on two pages and in a lazy part', async () => {
    for (const [name, rows] of Object.entries({
      first: ['castle', 'heart', 'blueHeart', 'bell', 'wide', 'glow', 'duo', 'own', 'wolf'],
      second: ['castle', 'star'],
    })) {
      const { page, missing, errors } = name === 'first' ? first : await open(name);
      expect(
        await page.locator('body > div').evaluateAll((all) => all.map(({ id }) => id)),
      ).toEqual(rows);
      const shot = readPicture(await page.screenshot({ fullPage: true }));
      for (const row of rows) {
        const symbol = crop(shot, await boxOf(page, `#${row} .symbol`));
        const drawing = crop(shot, await boxOf(page, `#${row} .drawing`));
        expect(countColored(symbol), row).toBeGreaterThan(20);
        expect(difference(symbol, drawing), row).toBeLessThan(0.002);
      }
      expect({ missing, errors }).toEqual({ missing: [], errors: [] });
      if (name !== 'first') await page.close();
    }
  });

  it('is shown by markup with title and class, whatever they hold; what cannot be a symbol is inline', async () => {
    const { page } = first;
    const bell = page.locator('#bell .symbol > svg');
    expect(await bell.getAttribute('role')).toBe('img');
    expect(await bell.locator('title').textContent()).toBe('Ärger & "Spaß" </script> `${x}`');
    expect(await bell.getAttribute('class')).toBe('a"b <i>');
    expect(await page.locator('#castle .symbol > svg').getAttribute('aria-hidden')).toBe('true');
    expect(await page.locator('#glow .symbol linearGradient').count()).toBe(1);
    expect(
      await page
        .locator('use')
        .evaluateAll((all) => all.every((use) => use.getAttribute('href')?.includes('#icon-'))),
    ).toBe(true);
    await page.close();
    expect(build.said.match(/not put into the sprite file/g)?.length ?? 0).toBe(1);
  });

  async function open(name: string): Promise<Seen> {
    const page = await browser.newPage();
    const missing: string[] = [];
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.route('**', async (route) => {
      const path = new URL(route.request().url()).pathname.replace(/^\/sub\//, '');
      const body =
        (await readFile(join(project.root, 'dist', bundler, path)).catch(() => undefined)) ??
        (path === `${name}.html`
          ? `<!doctype html><meta charset="utf-8"><body><script type="module" src="./${name}.js"></script>`
          : undefined);
      if (body !== undefined)
        return route.fulfill({ body, contentType: TYPES[extname(path)] ?? 'text/plain' });
      if (path !== '/favicon.ico') missing.push(path);
      return route.fulfill({ status: 404, body: '' });
    });
    await page.goto(`${SITE}/sub/${name}.html`);
    await page
      .waitForFunction(() => 'isDone' in globalThis, undefined, { timeout: 90_000 })
      .catch(() => {
        throw new Error(`${name} does not run: ${JSON.stringify({ missing, errors })}`);
      });
    await page.waitForLoadState('networkidle');
    return { page, missing, errors };
  }
});

describe.each(['webpack', 'rspack', 'farm'] as const)(
  '%s with its own cache on disk',
  (bundler) => {
    it('has the same sprite file again without a call, and another one when another symbol ships', async () => {
      const how = { cache: 'all', persistent: true, catalog, options };
      const cold = await project.build(bundler, how);
      const warm = await project.build(bundler, how);
      expect(warm).toMatchObject({ exitCode: 0, calls: [] });
      expect(warm.output).toEqual(cold.output);

      const script = join(project.root, 'src/second.js');
      const before = await readFile(script, 'utf8');
      await writeFile(script, before.replaceAll('icon:star?sprite', 'icon:user?sprite'));
      const changed = await project.build(bundler, how);
      await writeFile(script, before);
      expect(changed).toMatchObject({ exitCode: 0 });
      const [old, now] = [cold, changed].map(({ output }) =>
        [...output.keys()].find((path) => path.endsWith('.svg')),
      );
      const sprite = String(changed.output.get(now ?? ''));
      expect(sprite).toContain(`"icon-${aliases['user']}"`);
      expect(sprite).not.toContain(`"icon-${aliases['star']}"`);
      const texts = [...changed.output].map(([path, bytes]) => [path, String(bytes)] as const);
      expect(texts.filter(([, text]) => text.includes(old ?? ''))).toEqual([]);
      const again = await project.build(bundler, how);
      expect(again.output).toEqual(cold.output);
    });
  },
);

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`nothing is shown of ${selector}`);
  return box;
}
