import { expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from './browser.ts';

it('opens further pages after the process of the browser has ended', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const ended = page.waitForEvent('close');
  const session = await browser.newBrowserCDPSession();
  await session.send('Browser.crash').catch(() => undefined);
  await ended;

  const pages = await Promise.all([browser.newPage(), browser.newPage()]);
  for (const each of pages) {
    await each.setContent('<p>here</p>');
    expect(await each.locator('p').textContent()).toBe('here');
  }
  expect(browser.contexts()).toHaveLength(2);
});
