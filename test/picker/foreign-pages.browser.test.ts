import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createServer } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { pickerState } from '../../src/picker/shell.ts';
import vitePlugin from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { attack, servePages, WAYS } from '../support/foreign-pages.ts';
import { iconIds } from '../support/icon-ids.ts';
import { writeProject } from '../support/write-project.ts';

const CONFIG = 'icon-catalog.config.json';
let catalog: CountingCatalog;
let browser: Browser;

beforeAll(async () => {
  const rules = '--host-resolver-rules=MAP *.test 127.0.0.1';
  [catalog, browser] = await Promise.all([
    startCountingCatalog({ sets: ['maki'] }),
    launchBrowser([rules]),
  ]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

/** Runs in the attacker's page, which has got hold of the token as well. Returns what it can read. */
async function callAsPage({
  address,
  token,
  id,
}: {
  address: string;
  token: string;
  id: string;
}): Promise<string[]> {
  const read: string[] = [];
  const bodies: [string, object][] = [
    ['search', { query: 'bank', remote: true }],
    ['project', {}],
    ['add', { items: [{ id, alias: 'stolen' }] }],
  ];
  for (const [name, body] of bodies) {
    const text = JSON.stringify(body);
    const ways: RequestInit[] = [
      { mode: 'no-cors', body: text },
      { body: text, headers: { 'content-type': 'application/json' } },
      {
        body: text,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      },
      { mode: 'no-cors', body: text, headers: { authorization: `Bearer ${token}` } },
    ];
    for (const way of ways) {
      try {
        const response = await fetch(`${address}api/${name}`, { method: 'POST', ...way });
        // An answer that says no more than that there is none is not worth anything.
        if (response.status === 200) read.push(await response.text());
      } catch {
        // The browser keeps the answer from the page.
      }
    }
    const form = Object.assign(document.createElement('form'), {
      method: 'post',
      action: `${address}api/${name}`,
      enctype: 'text/plain',
      target: 'frame',
    });
    const input = Object.assign(document.createElement('input'), { name: text, value: '' });
    form.append(input);
    const frame = Object.assign(document.createElement('iframe'), { name: 'frame' });
    document.body.append(frame, form);
    const loaded = new Promise((resolve) =>
      frame.addEventListener('load', resolve, { once: true }),
    );
    form.submit();
    await loaded;
    try {
      if (frame.contentDocument?.body.textContent?.includes('icons'))
        read.push(frame.contentDocument.body.textContent);
    } catch {
      // The frame is of another origin.
    }
    frame.remove();
    form.remove();
  }
  return read;
}

it('lets no page of another origin spend a call, write a file or read an answer', async () => {
  const [id] = iconIds('maki', 1).map(String);
  const { url: baseUrl, key, secret } = catalog;
  const config = JSON.stringify({
    catalog: { baseUrl, key, secret },
    cacheDir: '.cache',
    aliases: {},
  });
  const root = await writeProject({ [CONFIG]: config, 'index.html': '<title>x</title>' });
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', allowedHosts: true },
    plugins: [vitePlugin()],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const { port } = new URL(server.resolvedUrls?.local[0] ?? '');
  const state = pickerState(root);
  const own = `http://127.0.0.1:${port}/__icon-catalog/`;
  const search = await fetch(`${own}api/search`, {
    method: 'POST',
    body: JSON.stringify({ query: 'bank', remote: true }),
    headers: {
      origin: `http://127.0.0.1:${port}`,
      'content-type': 'application/json',
      authorization: `Bearer ${state.token}`,
    },
  });
  const { icons } = (await search.json()) as { icons: { thumb?: string }[] };
  const thumb = icons.find((icon) => icon.thumb !== undefined)?.thumb ?? '';
  catalog.reset();
  const foreign = await servePages({});
  const origins = [
    [`http://localhost:${foreign}/`, own],
    [`http://evil.test:${foreign}/`, own],
    // Its name leads to this machine, and Vite is configured to accept it.
    [`http://evil.test:${port}/`, `http://evil.test:${port}/__icon-catalog/`],
  ];
  for (const [from = '', address = ''] of origins) {
    const page = await browser.newPage();
    await page.goto(from);
    const addresses = [
      '',
      'api/search?query=bank',
      'api/project',
      thumb.split('/').slice(2).join('/'),
    ];
    for (const path of addresses) {
      const targets = Object.fromEntries(WAYS.map((way) => [way, `${address}${path}`]));
      const read = await page.evaluate(attack, targets);
      const useful = read.filter((text) => /<html|icons|image|write/.test(text));
      expect([from, path, useful]).toEqual([from, path, []]);
    }
    const input = { address, token: state.token, id: id ?? '' };
    expect([from, await page.evaluate(callAsPage, input)]).toEqual([from, []]);
    await page.close();
  }
  expect(catalog.calls.filter((call) => !call.includes('/asset/'))).toEqual([]);
  expect(await readFile(join(root, CONFIG), 'utf8')).toBe(config);
});
