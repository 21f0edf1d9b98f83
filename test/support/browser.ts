import { existsSync } from 'node:fs';
import { chromium as playwright, type Browser } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * A second list takes the place of Playwright's, so its names stand here too. The first three are ours: for each new page
 * Chromium starts another process, for the suggestions of an address bar that nobody sees.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Starts the first browser found: `CHROME_PATH`, an installed Chromium or Chrome, the one from npm. If its process ends,
 * as on a machine without memory, the next page gets a new one: only the test that ran meanwhile fails.
 *
 * @param more switches of the command line
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  let current = await start(more);
  let restart: Promise<Browser> | undefined;

  async function running(): Promise<Browser> {
    if (current.isConnected()) return current;
    restart ??= start(more).finally(() => (restart = undefined));
    return (current = await restart);
  }

  async function open<Opened>(how: (browser: Browser) => Promise<Opened>): Promise<Opened> {
    try {
      return await how(await running());
    } catch (error) {
      if (current.isConnected()) throw error;
      return how(await running());
    }
  }

  const opening: Pick<Browser, 'newPage' | 'newContext'> = {
    newPage: (options) => open((browser) => browser.newPage(options)),
    newContext: (options) => open((browser) => browser.newContext(options)),
  };
  return new Proxy(current, {
    get(_, name) {
      if (name === 'newPage' || name === 'newContext') return opening[name];
      const value: unknown = Reflect.get(current, name);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
}

async function start(more: readonly string[]): Promise<Browser> {
  const installed = process.env['CHROME_PATH'] ?? INSTALLED.find((path) => existsSync(path));
  // Without these flags Chromium looks up hosts of its own at every start.
  const quiet = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  if (installed !== undefined) {
    const args = [...quiet, ...more, `--disable-features=${WITHOUT.join()}`];
    return playwright.launch({ executablePath: installed, args });
  }
  const { default: packaged } = await import('@sparticuz/chromium');
  return playwright.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args, ...quiet, ...more],
  });
}
