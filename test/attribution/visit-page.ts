import type { Browser, Page } from 'playwright-core';
import type { Manifest } from '../../src/types.ts';

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="currentColor"><path d="M4 4h16v16H4z"></path></svg>';

export interface Visit {
  page: Page;
  requests: string[];
  errors: string[];
}

/** Opens the page as a file of a site would be; everything else that it asks for is listed and refused. */
export async function visit(
  browser: Browser,
  html: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Visit> {
  const page = await browser.newPage(options);
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => errors.push('dialog')));
  await page.route('**', (route) => {
    const url = route.request().url();
    if (url === 'http://site.example/icon-attribution.html') {
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    }
    if (!url.startsWith('data:')) requests.push(url);
    return route.abort();
  });
  await page.goto('http://site.example/icon-attribution.html');
  return { page, requests, errors };
}

export function artworkOf({ icons }: Manifest): Map<string, string> {
  return new Map(icons.map(({ id }) => [id, DRAWING]));
}
