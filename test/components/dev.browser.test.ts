import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Framework } from '../../src/component.ts';
import iconCatalog from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createApps, iconOptions } from './build-app.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function serve(framework: Framework): Promise<{ server: ViteDevServer; url: string }> {
  const root = await temporaryFolder();
  await createApps(root);
  await writeFile(
    join(root, 'index.html'),
    `<div id="app"></div><script type="module">
      import { createElement as h } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Glow, Home } from '/shared/icons.js';
      createRoot(document.querySelector('#app')).render([h(Home, { key: 1 }), h(Glow, { key: 2 })]);
    </script>`,
  );
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
    plugins: [iconCatalog({ ...iconOptions(root), framework })],
  });
  onTestFinished(() => server.close());
  await server.listen();
  return { server, url: server.resolvedUrls?.local[0] ?? '' };
}

it('components are drawn by the dev server, in a browser and on its own side', async () => {
  const { server, url } = await serve('react');
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelectorAll('#app svg').length === 2);
  expect(await page.locator('#app svg [id]').count()).toBe(3);
  expect(errors).toEqual([]);
  await page.close();

  const { render } = (await server.ssrLoadModule('/react/server.js')) as {
    render(): Promise<string>;
  };
  expect(await render()).toContain('<title>Start</title>');
});
