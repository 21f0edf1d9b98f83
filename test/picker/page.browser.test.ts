import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { fakeIcon, type FakePicker, startFakePicker } from '../support/fake-picker.ts';

/** The page in a real browser, over a handler that can be in any state. */

let browser: Browser;
let fake: FakePicker;
let shared: Page;
/** What pages report as an error, and what they ask of other origins. */
let wrong: string[] = [];
beforeAll(async () => {
  [browser, fake] = await Promise.all([launchBrowser(), startFakePicker()]);
  shared = await newPage({});
});
afterAll(async () => {
  await browser.close();
  await fake.close();
});
beforeEach(async () => {
  fake.reset();
  await shared.goto('about:blank');
  wrong = [];
  return () => expect(wrong).toEqual([]);
});

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Each visit is the first one, unless the page is loaded again.
  await context.addInitScript(() => {
    if (location.hash !== '') {
      localStorage.clear();
      sessionStorage.clear();
    }
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // A status of 400 and more is a line of the console, too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) {
      wrong.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL('/', fake.url).href)) wrong.push(request.url());
  });
  return page;
}

/** Opens the page as on a first visit; with options, in a window of its own. */
async function open(search = '', options?: BrowserContextOptions): Promise<Page> {
  const page = options === undefined ? shared : await newPage(options);
  if (options !== undefined) onTestFinished(() => page.context().close());
  await page.goto(fake.at(search));
  return page;
}

const cells = (page: Page) => page.getByRole('gridcell');
const notice = (page: Page) => page.locator('.notice');

async function find(page: Page, query: string): Promise<void> {
  await page.fill('#query', query);
  await page.keyboard.press('Enter');
  await page.locator('.count-line', { hasText: /call|asked/ }).waitFor();
  await expect
    .poll(() => cells(page).first().getAttribute('data-id'))
    .toContain(query.split(' ')[0]);
}

/** Calls of the handler that may cost a call of the catalog. */
const costly = () =>
  fake.calls.filter(
    ({ name, body }) => body['remote'] === true || name === 'add' || name === 'suggest',
  );

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Like an error page of a handler. */
function failRemote(
  status: number,
  error: { code: string; message: string; clock?: { here: string; there: string } },
): void {
  for (const name of ['search!', 'add!']) fake.state.failures.set(name, { status, error });
}

describe('what costs a call', () => {
  it('opening, moving, filtering loaded hits, ten colours and five sizes cost none', async () => {
    const page = await open();
    await find(page, 'calendar');
    expect(fake.signed()).toBe(1);
    await cells(page).nth(1).click();
    for (const key of ['ArrowRight', 'ArrowDown', 'End', 'Home', 'PageDown'])
      await page.keyboard.press(key);
    for (const name of ['Line', 'Allowed here', 'Line'])
      await page.getByRole('button', { name, exact: true }).click();
    for (let at = 0; at < 10; at += 1) await page.getByLabel('Colour in hex').fill(`12345${at}`);
    for (const size of [16, 20, 24, 32, 48])
      await page.locator('.size-row label', { hasText: `${size}` }).click();
    expect(
      await page
        .locator('.stage .glyph')
        .evaluate((glyph) => getComputedStyle(glyph).backgroundColor),
    ).toBe('rgb(18, 52, 89)');
    for (const name of ['Collections', 'This project', 'Help'])
      await page.getByRole('navigation').getByRole('button', { name }).click();
    expect(fake.signed()).toBe(1);
    expect(costly()).toHaveLength(1);
  });

  it('a word that is typed is searched once in the catalog, and again for nothing', async () => {
    const page = await open();
    await page.locator('#query').pressSequentially('calendar', { delay: 80 });
    await page.locator('.count-line', { hasText: '37 icons · 1 call · 4,811 left' }).waitFor();
    expect(fake.calls.filter(({ body }) => body['remote'] === true)).toEqual([
      { name: 'search', body: { query: 'calendar', remote: true } },
    ]);
    await page.fill('#query', '');
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await page.reload();
    await page.locator('.count-line', { hasText: '37 icons · asked' }).waitFor();
    expect(fake.signed()).toBe(1);
  });

  it('search, details and Add cost two', async () => {
    const page = await open();
    await find(page, 'rocket');
    await cells(page).first().click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.diff', { hasText: "+    'rocket': 'tabler/rocket'" }).waitFor();
    expect(fake.signed()).toBe(2);
    expect(fake.calls.find(({ name }) => name === 'add')?.body).toEqual({
      items: [{ id: 'tabler/rocket', alias: 'rocket' }],
      ifMatch: 'a1',
    });
  });

  it('after a limit none is made, and what is on this machine stays', async () => {
    const page = await open();
    fake.state.costs.stopped = {
      code: 'CATALOG_USAGE_LIMIT',
      message: 'All calls of this month are used.',
      renewsAt: '2026-12-01T00:00:00Z',
    };
    failRemote(429, { code: 'CATALOG_USAGE_LIMIT', message: 'All calls of this month are used.' });
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await notice(page).filter({ hasText: 'It is renewed on December 1, 2026.' }).waitFor();
    const before = costly().length;
    await page.fill('#query', 'home');
    await page.keyboard.press('Enter');
    await expect.poll(() => cells(page).count()).toBe(1);
    await page.getByRole('button', { name: 'This project' }).click();
    await expect.poll(() => cells(page).count()).toBe(5);
    expect(costly()).toHaveLength(before);
  });

  it('the budget of the session asks, and one click goes on', async () => {
    fake.state.costs.session = 40;
    failRemote(402, { code: 'BUDGET', message: '40 calls were made.' });
    const page = await open();
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await notice(page).filter({ hasText: '40 calls made in this session. Go on?' }).waitFor();
    fake.state.failures.clear();
    await page.getByRole('button', { name: 'Allow 40 more' }).click();
    await page.locator('.count-line', { hasText: '37 icons · 1 call' }).waitFor();
    expect(await notice(page).count()).toBe(0);
  });
});

describe('every state', () => {
  it('without a query: what is used, and what is on this machine', async () => {
    const page = await open();
    expect(await page.getByRole('grid', { name: 'Used here' }).getByRole('gridcell').count()).toBe(
      4,
    );
    expect(
      await page.getByRole('grid', { name: 'Icons of this machine' }).getByRole('gridcell').count(),
    ).toBe(5);
    await page.getByRole('button', { name: 'Tabler 1,200' }).waitFor();
    expect(costly()).toEqual([]);
  });

  it('while it types: hits of this machine, and what Enter costs', async () => {
    const page = await open();
    await page.fill('#query', 'ca');
    await page.getByRole('button', { name: 'Enter: search the catalog (1 call)' }).waitFor();
    await expect.poll(() => cells(page).count()).toBe(1);
    expect(await page.locator('.count-line').textContent()).toContain('1 icon · on this machine');
  });

  it('while it loads: the grid keeps its size', async () => {
    const page = await open();
    await find(page, 'calendar');
    const height = () => page.getByRole('grid').evaluate((grid) => grid.clientHeight);
    const before = await height();
    let resolve = (): void => {};
    fake.state.hold = new Promise((done) => {
      resolve = done;
    });
    await page.fill('#query', 'arrow');
    await page.keyboard.press('Enter');
    await page.locator('[role=grid][aria-busy=true]').waitFor();
    expect(await height()).toBe(before);
    resolve();
    await page.locator('[role=grid][aria-busy=false]').waitFor();

    await page.goto('about:blank');
    const fresh = await open();
    fake.state.hold = new Promise(() => {});
    await fresh.fill('#query', 'arrow');
    await fresh.locator('.skeleton i').first().waitFor();
    delete fake.state.hold;
  });

  it('no hits: the query, filters to drop and words to try', async () => {
    const page = await open('?style=solid&q=nothing-at-all');
    await page
      .getByRole('heading', { name: 'Nothing on this machine for “nothing-at-all”' })
      .waitFor();
    await page.getByRole('button', { name: 'Search the catalog (1 call)', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing for “nothing-at-all”' }).waitFor();
    expect(await page.locator('.empty .chip').allTextContents()).toEqual([
      'solid icons ×',
      'calendar',
      'clock',
      'date',
    ]);
    await page.getByRole('button', { name: 'solid icons ×' }).click();
    await expect.poll(() => page.url()).not.toContain('style');
  });

  it('no catalog: both ways, the three names and the installed sets', async () => {
    fake.state.project.configured = false;
    const page = await open('?view=project');
    const text = await notice(page).textContent();
    for (const word of [
      'ICON_CATALOG_URL',
      'ICON_CATALOG_KEY',
      'ICON_CATALOG_SECRET',
      "catalog: 'embedded'",
    ])
      expect(text).toContain(word);
    await page.getByRole('button', { name: 'Use installed sets' }).click();
    await page.getByRole('grid', { name: 'Icons of this machine' }).waitFor();
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await expect.poll(() => cells(page).count()).toBe(1);
    expect(costly()).toEqual([]);
  });

  it('a refused signature: key or clock, and both clocks', async () => {
    failRemote(401, {
      code: 'CATALOG_UNAUTHORIZED',
      message: 'The catalog answered 401.',
      clock: { here: '10:00:00', there: '10:20:00' },
    });
    const page = await open();
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    const text = notice(page).filter({ hasText: 'refused the signature' });
    await text.waitFor();
    expect(await text.textContent()).toMatch(/key or the secret.*clocks.*10:00:00.*10:20:00/s);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => notice(page).count()).toBe(0);
  });

  it('a key that may only have public-domain icons: a button that turns the filter on', async () => {
    const page = await open();
    await find(page, 'rocket');
    failRemote(403, { code: 'CATALOG_FORBIDDEN', message: 'The catalog answered 403.' });
    await cells(page).first().click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await notice(page).filter({ hasText: 'Your key may only have public-domain icons.' }).waitFor();
    await page.getByRole('button', { name: 'Show public-domain icons' }).click();
    await expect.poll(() => page.url()).toContain('pd=1');
    expect(
      await page
        .getByRole('button', { name: 'Public domain', exact: true })
        .getAttribute('aria-pressed'),
    ).toBe('true');
  });

  it('offline: what is on this machine, and no attempt', async () => {
    fake.state.project.mode = 'offline';
    const page = await open();
    await page.getByRole('heading', { name: 'Showing 5 icons of this machine' }).waitFor();
    await page.locator('#query').pressSequentially('calendar');
    await page.keyboard.press('Enter');
    await expect.poll(() => cells(page).count()).toBe(1);
    expect(costly()).toEqual([]);
  });

  it('a file that cannot be edited: lines to copy, with the reason', async () => {
    fake.state.project.write = { possible: false, reason: 'The options are not a literal.' };
    const page = await open();
    await find(page, 'rocket');
    await cells(page).first().click();
    await page.getByText('The options are not a literal.').waitFor();
    await page.getByRole('button', { name: 'Copy these lines' }).click();
    await page.locator('.result .lines').waitFor();
    await expect.poll(() => clipboard(page)).toBe("  'rocket': 'tabler/rocket',");
  });

  it('a licence that the project refuses: a badge, Add off, and why', async () => {
    const icon = fakeIcon('rocket');
    const license = {
      ...icon.license,
      verdict: 'refused' as const,
      reason: 'The policy allows MIT only.',
    };
    fake.state.icons = [{ ...icon, license }];
    const page = await open();
    await find(page, 'rocket');
    expect(await cells(page).first().textContent()).toContain('not allowed');
    await cells(page).first().click();
    await page.getByText('The policy allows MIT only.').waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Allowed here' }).click();
    await page.getByRole('heading', { name: 'Nothing for' }).waitFor();
  });

  it('no token: the address of the terminal; it takes effect in the same tab', async () => {
    fake.state.token = 'of a later process';
    const page = await open('?view=project');
    await notice(page).filter({ hasText: 'Open the address that the terminal shows' }).waitFor();
    await page.goto(`${fake.at('?view=project').split('#')[0]}#t=of a later process`);
    await expect.poll(() => cells(page).count()).toBe(5);
    expect(page.url()).not.toContain('#');
    expect(await notice(page).count()).toBe(0);
  });

  it('a dev server that is gone: copying works, and the page connects by itself', async () => {
    const page = await open();
    await find(page, 'calendar');
    await cells(page).nth(1).click();
    fake.pause();
    await notice(page).filter({ hasText: 'does not answer' }).waitFor();
    await page.locator('[data-form=import]').click();
    await expect
      .poll(() => clipboard(page))
      .toBe("import calendarBolt from 'icon:tabler/calendar-bolt';");
    fake.resume();
    await expect.poll(() => notice(page).count()).toBe(0);
  });

  it('a picture whose address died: a placeholder, and a button that says what it costs', async () => {
    fake.state.icons = [fakeIcon('rocket', { thumb: undefined, thumbExpired: true })];
    const page = await open();
    await find(page, 'rocket');
    expect(await page.locator('.cell .glyph.none').count()).toBe(1);
    fake.state.icons = [fakeIcon('rocket')];
    await page.getByRole('button', { name: 'Reload the pictures (1 call)' }).click();
    await page.locator('.cell .glyph.mask').waitFor();
    expect(fake.signed()).toBe(2);
  });
});
