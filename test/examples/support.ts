import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const SETS = ['@iconify-json/game-icons', '@iconify-json/maki', '@iconify-json/tabler'];

export interface BuiltExample {
  /** Folder of the finished site. */
  site: string;
  /** What the build wrote to its terminal. */
  reported: string;
  remove(): Promise<void>;
}

/** An example of playground/ in a fresh folder with the packed tarball, built by its own command. */
export async function buildExample(
  name: string,
  {
    packages,
    bin,
    args = [],
    site,
  }: { packages: string[]; bin: string; args?: string[]; site: string },
): Promise<BuiltExample> {
  const from = fileURLToPath(new URL(`../../playground/${name}`, import.meta.url));
  const consumer: PackedConsumer = await createPackedConsumer({
    packages: [...packages, ...SETS],
    from,
  });
  try {
    const { root } = consumer;
    const { PATH = '' } = process.env;
    const { stdout, stderr } = await run(
      process.execPath,
      [join(root, 'node_modules', bin), ...args],
      {
        cwd: root,
        env: {
          PATH,
          HOME: root,
          NODE_ENV: 'production',
          ICON_CATALOG_CACHE_DIR: join(root, 'cache'),
          ASTRO_TELEMETRY_DISABLED: '1',
          NEXT_TELEMETRY_DISABLED: '1',
        },
      },
    );
    return { site: join(root, site), reported: stdout + stderr, remove: consumer.remove };
  } catch (error) {
    await consumer.remove();
    throw error;
  }
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** The finished site as any file host serves it: folders by their index, pages without their ending. */
export async function serveSite(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    const candidates = [path, `${path}/index.html`, `${path}.html`].map((name) =>
      join(folder, name),
    );
    void (async () => {
      for (const file of candidates) {
        const bytes = await readFile(file).catch(() => undefined);
        if (bytes === undefined) continue;
        response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
        // Their names have a hash of their content.
        if (path.startsWith('/assets/'))
          response.setHeader('cache-control', 'max-age=3600, immutable');
        return response.end(bytes);
      }
      response.statusCode = 404;
      return response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface SeenPage {
  /** Path data of every icon that the page shows, however it got there. */
  drawings: string[];
  /** What went wrong in the page. */
  complaints: string[];
  /** True if a link leads to the credits page. */
  linksToCredits: boolean;
}

/** Opens a page and looks at it as a visitor's browser does. */
export async function lookAt(browser: Browser, address: string): Promise<SeenPage> {
  const page = await browser.newPage();
  // Browsers ask for it of their own accord.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  try {
    await page.goto(address, { waitUntil: 'networkidle' });
    const seen = await readPage(page);
    return { ...seen, complaints: [...complaints, ...seen.broken] };
  } finally {
    await page.close();
  }
}

async function readPage(
  page: Page,
): Promise<{ drawings: string[]; broken: string[]; linksToCredits: boolean }> {
  const { inline, addresses, broken, linksToCredits } = await page.evaluate(() => {
    const images = [...document.images];
    const styled = [...document.querySelectorAll('*')].flatMap((element) =>
      [null, '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        return [style.maskImage, style.backgroundImage].flatMap((value) =>
          [...value.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, found = '']) =>
            found.replaceAll(/\\(.)/g, '$1'),
          ),
        );
      }),
    );
    const favicons = [...document.querySelectorAll<HTMLLinkElement>('link[rel~=icon]')].map(
      ({ href }) => href,
    );
    return {
      inline: [...document.querySelectorAll('svg')].map(({ outerHTML }) => outerHTML),
      addresses: [...images.map(({ src }) => src), ...styled, ...favicons],
      broken: images
        .filter(({ naturalWidth }) => naturalWidth === 0)
        .map(({ src }) => `broken: ${src}`),
      linksToCredits: [...document.links].some(
        ({ pathname }) => pathname === '/icon-attribution.html',
      ),
    };
  });
  const fetched = await Promise.all(
    addresses
      .filter((address) => /^(?:data:image\/svg|.*\.svg(?:\?|$))/.test(address))
      .map((address) => page.evaluate(async (url) => (await fetch(url)).text(), address)),
  );
  return { drawings: [...inline, ...fetched], broken, linksToCredits };
}
