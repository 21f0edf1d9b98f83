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
 * Starts the first browser found: `CHROME_PATH`, an installed Chromium or Chrome, the one from npm.
 *
 * @param more switches of the command line
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
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
