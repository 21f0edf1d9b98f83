import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { violationsOf } from '../attribution/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { fakeIcon, type FakePicker, startFakePicker } from '../support/fake-picker.ts';
import { takeCalendarByKeyboard } from './keyboard-walk.ts';

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
  error: {
    code: string;
    message: string;
    remedy?: string;
    clock?: { here: string; there: string };
  },
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
    // On a clock of its own: a busy machine would rest between two keys.
    const page = await newPage({});
    onTestFinished(() => page.context().close());
    await page.clock.install();
    await page.goto(fake.at(''));
    await page.locator('#query:focus').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const key of 'calendar') {
      await page.keyboard.type(key);
      await page.clock.runFor(80);
    }
    expect(fake.signed()).toBe(0);
    await page.clock.runFor(600);
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

  it('Enter while a search is on its way sends it no second time', async () => {
    const page = await open();
    let release = (): void => undefined;
    fake.state.hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.fill('#query', 'calendar');
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Enter');
    await expect.poll(() => costly().length).toBe(1);
    release();
    await page.locator('.count-line', { hasText: '37 icons · 1 call' }).waitFor();
    expect(costly()).toHaveLength(1);
    // Another word asks again.
    await page.fill('#query', 'rocket');
    await page.keyboard.press('Enter');
    await expect.poll(() => costly().length).toBe(2);
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
      attempt: expect.any(String),
    });
  });

  it('the budget of the session asks, and one click goes on', async () => {
    fake.state.costs.session = 40;
    // The budget has been raised before: the total is no longer the step.
    failRemote(402, { code: 'BUDGET', message: '40 calls were made.', remedy: 'Allow 20 more.' });
    const page = await open();
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await notice(page).filter({ hasText: '40 calls made in this session. Go on?' }).waitFor();
    fake.state.failures.clear();
    await page.getByRole('button', { name: 'Allow 20 more' }).click();
    await page.locator('.count-line', { hasText: '37 icons · 1 call' }).waitFor();
    expect(await notice(page).count()).toBe(0);
  });
});

describe('every state', () => {
  it('without a query: what is used, and what is on this machine', async () => {
    const page = await open();
    // The page is there before what its handler says of the project.
    const cellsOf = (name: string) => page.getByRole('grid', { name }).getByRole('gridcell');
    await expect.poll(() => cellsOf('Used here').count()).toBe(4);
    // Those that are used stand above alone.
    await expect.poll(() => cellsOf('Icons of this machine').count()).toBe(1);
    await page.getByRole('button', { name: 'Tabler 1,200' }).waitFor();
    await cells(page).first().click();
    await page.fill('#alias', 'home');
    await page.getByText('This icon has this name already.').waitFor();
    await page.fill('#alias', 'user');
    await page.getByText('Another icon has this name.').waitFor();
    expect(costly()).toEqual([]);
  });

  it('without a query and without an icon: words to start with, and what a search costs', async () => {
    fake.state.project.icons = [];
    const page = await open();
    await page.getByRole('heading', { name: 'Which icon do you need?' }).waitFor();
    await page.getByText('Try (1 call)').waitFor();
    expect(costly()).toEqual([]);
    await page.getByRole('button', { name: 'calendar', exact: true }).click();
    await page.locator('.count-line', { hasText: '37 icons · 1 call' }).waitFor();
    expect(fake.signed()).toBe(1);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('query');
    await page.getByRole('heading', { name: 'Which icon do you need?' }).waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'This project' }).click();
    await page.getByRole('heading', { name: 'This project has no icon yet' }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/0 icons|All 0/);
    expect(fake.signed()).toBe(1);
  });

  it('while it types: hits of this machine, and what Enter costs', async () => {
    const page = await open();
    await page.fill('#query', 'ca');
    await page.getByRole('button', { name: 'Enter: search the catalog (1 call)' }).waitFor();
    // Before the grid has been measured it has one cell, too.
    const line = page.locator('.count-line');
    await expect.poll(() => line.textContent()).toContain('1 icon · on this machine');
    await expect.poll(() => cells(page).count()).toBe(1);
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

  it('a refused signature: key or clock, and both clocks', async () => {
    failRemote(401, {
      code: 'CATALOG_UNAUTHORIZED',
      message: 'The catalog answered 401.',
      clock: { here: '10:00:00', there: '10:20:00' },
    });
    const page = await open();
    let resolve = (): void => {};
    fake.state.hold = new Promise((done) => {
      resolve = done;
    });
    await page.fill('#query', 'calendar');
    // The search of this machine is still on its way when Enter asks the catalog.
    await page.locator('.skeleton i').first().waitFor();
    await page.keyboard.press('Enter');
    resolve();
    const text = notice(page).filter({ hasText: 'refused the signature' });
    await text.waitFor();
    // What is on this machine shows instead.
    await expect.poll(() => cells(page).count()).toBe(1);
    expect(await text.textContent()).toMatch(/key or the secret.*clocks.*10:00:00.*10:20:00/s);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => notice(page).count()).toBe(0);
  });

  it('no token: the address of the terminal; it takes effect in the same tab', async () => {
    fake.state.token = 'of-a-later-process';
    const page = await open('?view=project');
    await notice(page).filter({ hasText: 'Open the address that the terminal shows' }).waitFor();
    await page.goto(`${fake.at('?view=project').split('#')[0]}#t=of-a-later-process`);
    await expect.poll(() => cells(page).count()).toBe(5);
    expect(page.url()).not.toContain('#');
    expect(await notice(page).count()).toBe(0);
  });

  it('a token that no header can hold is a wrong one', async () => {
    const page = await open();
    await page.goto(`${fake.at('').split('#')[0]}#t=%00☃`);
    await notice(page).filter({ hasText: 'Open the address that the terminal shows' }).waitFor();
    expect(page.url()).not.toContain('#');
  });

  it('no token, in a panel without an address bar: the address is pasted', async () => {
    fake.state.token = 'another';
    const page = await open('?view=project');
    const field = page.getByLabel('Or paste it here');
    await field.fill(fake.at('').split('#')[0] ?? '');
    await field.press('Enter');
    await page.getByText('does not end with its key').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(` ${fake.at('').split('#')[0]}#t=another `);
    await page.getByRole('button', { name: 'Connect' }).click();
    await expect.poll(() => cells(page).count()).toBe(5);
    expect(await notice(page).count()).toBe(0);
  });

  it('a dev server that is gone: copying works, and the page connects by itself', async () => {
    const page = await open();
    await find(page, 'arrow');
    await cells(page).nth(1).click();
    fake.pause();
    await notice(page).filter({ hasText: 'does not answer' }).waitFor();
    // Pictures that are not loaded yet come with the connection.
    await page.evaluate(() => scrollTo(0, 1500));
    await page.locator('.cell .glyph.none').first().waitFor();
    await page.locator('[data-form=import]').click();
    await expect
      .poll(() => clipboard(page))
      .toBe("import arrowAutofitContent from 'icon:tabler/arrow-autofit-content';");
    fake.resume();
    await expect.poll(() => notice(page).count()).toBe(0);
    await expect.poll(() => page.locator('.cell .glyph.none').count()).toBe(0);
  });

  it('a collection that could not be loaded can be asked for again', async () => {
    const page = await open('?view=collections');
    await page.locator('.card').first().waitFor();
    fake.state.failures.set('collection', {
      status: 502,
      error: { code: 'CATALOG_ERROR', message: 'It broke.' },
    });
    await page.locator('.card').first().click();
    await notice(page).filter({ hasText: 'It broke.' }).waitFor();
    fake.state.failures.clear();
    await page.getByRole('button', { name: 'Load this collection (1 call)' }).click();
    await cells(page).first().waitFor();
    expect(await page.locator('.skeleton').count()).toBe(0);
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

describe('the grid', () => {
  it('is one tab stop with rows and cells, and keeps the focus while it scrolls', async () => {
    const page = await open();
    await find(page, 'arrow');
    const grid = page.getByRole('grid');
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(10);
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
    expect(
      await page
        .locator('[role=grid] > :not([role=row]), [role=row] > :not([role=gridcell])')
        .count(),
    ).toBe(0);
    await page.locator('#query').press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-at'));
    expect(await focused()).toBe('1');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect
      .poll(() => page.locator('[role=row]').last().getAttribute('aria-rowindex'))
      .toBe(await grid.getAttribute('aria-rowcount'));
    expect(await focused()).toBe('1');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('2');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getBoundingClientRect().top))
      .toBeGreaterThan(0);
    await page.keyboard.press('Control+End');
    expect(Number(await focused())).toBe(119);
    await page.keyboard.press('Home');
    expect(Number(await focused()) % Number(await grid.getAttribute('aria-colcount'))).toBe(0);
  });

  it('names the set of each icon where hits are of several, and of none where they are of one', async () => {
    const ofLucide = { id: 'lucide/home', collections: [{ id: '9', name: 'Lucide' }] };
    fake.state.icons = [fakeIcon('home'), fakeIcon('home', ofLucide), fakeIcon('help')];
    const page = await open();
    await find(page, 'home');
    const sets = () => cells(page).locator('.set').allTextContents();
    expect(await sets()).toEqual(['Tabler', 'Lucide']);
    await page.fill('#query', 'help');
    await page.keyboard.press('Enter');
    await expect.poll(() => cells(page).count()).toBe(1);
    expect(await sets()).toEqual([]);
  });

  it('says which icon the panel shows when it steps to another', async () => {
    const page = await open();
    await find(page, 'arrow');
    await page.locator('#query').press('ArrowDown');
    await page.keyboard.press('Enter');
    const status = page.locator('.detail > [role=status]');
    const title = page.locator('.detail h2');
    const terms: (string | null)[] = [];
    for (const [key, at] of [
      ['', 1],
      [']', 2],
      [']', 3],
      ['[', 2],
    ] as const) {
      if (key !== '') await page.keyboard.press(key);
      await expect.poll(() => status.textContent()).toMatch(new RegExp(`, ${at} of 120$`));
      terms.push(await title.textContent());
      expect(await status.textContent()).toBe(`${terms.at(-1)}, ${at} of 120`);
    }
    expect(new Set(terms).size).toBe(3);
  });

  it('says the count of a search once', async () => {
    const page = await open();
    await page.locator('main > [role=status]').evaluate((status) => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      new MutationObserver(() => said.push(status.textContent ?? '')).observe(status, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    await page.locator('#query').pressSequentially('calendar', { delay: 30 });
    await expect.poll(said).toEqual(['37 icons for calendar']);
    await page.getByRole('button', { name: 'Small', exact: true }).click();
    await page.getByRole('button', { name: 'Solid' }).click();
    await expect.poll(said).toHaveLength(2);
  });

  it('of 6,400 icons holds at most 3,000 nodes at any position, and 40 MB', async () => {
    fake.state.icons = Array.from({ length: 6400 }, (_, at) =>
      fakeIcon('home', { id: String(at), name: String(at), term: `home ${at}` }),
    );
    fake.state.pageSize = 6400;
    const page = await open();
    await page.fill('#query', 'home');
    await page.keyboard.press('Enter');
    await page.locator('.count-line', { hasText: '6,400 icons' }).waitFor();
    for (const size of ['Large, with names', 'Small']) {
      await page.getByRole('button', { name: size }).click();
      for (const share of [0, 0.31, 0.5, 0.77, 1]) {
        const nodes = await page.evaluate(async (at) => {
          scrollTo(0, document.body.scrollHeight * at);
          await new Promise((drawn) => {
            requestAnimationFrame(() => requestAnimationFrame(drawn));
          });
          return document.getElementsByTagName('*').length;
        }, share);
        expect(nodes).toBeLessThan(3000);
        expect(await cells(page).count()).toBeGreaterThan(50);
      }
    }
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    expect(usedSize).toBeLessThan(40e6);
  });
});

describe('a search that costs nothing', () => {
  it('goes on by itself to the last of 10,000 hits, also where the page is busy', async () => {
    fake.state.icons = Array.from({ length: 10_000 }, (_, at) =>
      fakeIcon('home', { id: String(at), name: String(at), term: `home ${at}` }),
    );
    fake.state.project.isFree = true;
    fake.state.pageSize = 1000;
    const page = await open('', {});
    // A browser that is busy tells of several changes at once.
    await page.addInitScript(() => {
      const Native = globalThis.IntersectionObserver;
      globalThis.IntersectionObserver = class extends Native {
        constructor(call: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          super((entries, observer) => {
            const before = entries.map(
              ({ target }) => ({ target, isIntersecting: false }) as IntersectionObserverEntry,
            );
            call([...before, ...entries], observer);
          }, options);
        }
      };
    });
    await page.reload();
    await page.fill('#query', 'home');
    await page.keyboard.press('Enter');
    await page.locator('.count-line', { hasText: '10,000 icons' }).waitFor();
    const last = cells(page).filter({ hasText: 'home 9999' });
    await expect
      .poll(
        async () => {
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          return last.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    expect((await session.send('Runtime.getHeapUsage')).usedSize).toBeLessThan(60e6);
  });
});

describe('the address', () => {
  it('brings back query, filters, icon, pages and scroll after a reload and after Back, and never holds the token', async () => {
    const page = await open();
    await expect.poll(() => page.url()).not.toContain('#');
    await find(page, 'arrow');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.locator('.count-line', { hasText: '240 of' }).waitFor();
    await page.getByRole('button', { name: 'Line', exact: true }).click();
    await page
      .getByRole('button', { name: 'Load more' })
      .or(page.getByText('narrowed'))
      .first()
      .waitFor();
    await page.evaluate(() => scrollTo(0, 1000));
    await cells(page).filter({ hasText: 'arrow' }).nth(60).click();
    await page.locator('.detail').waitFor();
    await page.waitForFunction(() => (history.state as { y?: number }).y === scrollY);
    const address = page.url();
    const top = await page.evaluate(() => scrollY);
    expect(address).toMatch(/\?q=arrow&style=line&icon=tabler%2Farrow/);
    expect(address).not.toContain('token');
    const term = await page.locator('.detail h2').textContent();

    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.goBack();
    expect(await page.locator('.detail h2').textContent()).toBe(term);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);

    await page.reload();
    await expect.poll(() => page.locator('.detail h2').textContent()).toBe(term);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
    expect(page.url()).toBe(address);
    expect(await page.locator('#query').inputValue()).toBe('arrow');
    expect(
      await page.getByRole('button', { name: 'Line', exact: true }).getAttribute('aria-pressed'),
    ).toBe('true');
    expect(costly()).toHaveLength(2);
  });

  it('brings back an icon that no list has, from what this machine knows, and says if it does not', async () => {
    const page = await open('?icon=tabler%2Fzoom-in');
    await page.getByRole('heading', { name: 'zoom in' }).waitFor();
    expect(costly()).toEqual([]);
    fake.state.failures.set('icon', {
      status: 404,
      error: { code: 'NOT_FOUND', message: 'Unknown.' },
    });
    await page.goto(fake.at('?icon=tabler%2Fnope'));
    await page.getByText('This machine does not know the icon tabler/nope.').waitFor();
    await expect.poll(() => page.url()).not.toContain('icon=');
    expect(await notice(page).count()).toBe(0);
  });

  it('holds no query that a handler refuses, and no filter that lets everything through', async () => {
    const page = await open(`?q=${'x'.repeat(3000)}&weight=99-0`);
    await page.locator('.empty').getByRole('button', { name: 'Search the catalog' }).waitFor();
    expect(await page.inputValue('#query')).toHaveLength(200);
    expect(await page.locator('.weight').textContent()).toContain('any');
  });
});

describe('answers that take their time', () => {
  /** Answers wait until the function that is returned is called. */
  function hold(): () => void {
    let letGo = (): void => {};
    fake.state.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    return () => {
      delete fake.state.hold;
      letGo();
    };
  }

  it('the next page of an earlier search takes the place of nothing newer', async () => {
    const page = await open();
    await find(page, 'arrow');
    const letGo = hold();
    await page.getByRole('button', { name: 'Load more' }).click();
    // The hits stay readable while more of them come.
    await page.getByRole('button', { name: 'Loading…' }).waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-busy')).toBe('false');
    delete fake.state.hold;
    await find(page, 'calendar');
    const late = page.waitForResponse((response) => response.url().endsWith('api/search'));
    letGo();
    await late;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await cells(page).first().getAttribute('data-id')).toContain('calendar');
    // It was paid for, so it is there when its search is.
    await page.fill('#query', 'arrow');
    await page.locator('.count-line', { hasText: '240 of' }).waitFor();
  });

  it('words are asked for once, and that there are none is said', async () => {
    fake.state.suggestions = [];
    const page = await open();
    await page.fill('#query', 'qq');
    const button = page.getByRole('button', { name: 'Suggest words (1 call)' });
    await button.waitFor();
    const letGo = hold();
    await button.click();
    expect(await page.getByRole('button', { name: 'Asking…' }).isDisabled()).toBe(true);
    letGo();
    await page.getByText('The catalog has no word to suggest.').waitFor();
    expect(fake.calls.filter(({ name }) => name === 'suggest')).toHaveLength(1);
  });

  it('Undo that is pressed twice takes one write back, a drawing is asked for once', async () => {
    const page = await open();
    await find(page, 'arrow');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    for (const at of [1, 2]) {
      await cells(page).nth(at).click();
      await add.click();
      await page.locator('.toast', { hasText: 'Added' }).waitFor();
      await expect.poll(() => fake.calls.filter(({ name }) => name === 'add').length).toBe(at);
      await page.locator('.result').waitFor();
    }
    const letGo = hold();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast', { hasText: 'Taking it back…' }).waitFor();
    await page.locator('body').press('Control+z');
    await page.locator('.raw summary').click();
    const draw = page.getByRole('button', { name: 'Copy SVG with credit comment' });
    await draw.click();
    expect(await draw.isDisabled()).toBe(true);
    letGo();
    await expect.poll(() => draw.isEnabled()).toBe(true);
    expect(fake.calls.filter(({ name }) => name === 'undo')).toHaveLength(1);
  });

  it('a search that is on its way is said, and Enter offers it no second time', async () => {
    const page = await open();
    await find(page, 'arrow');
    const letGo = hold();
    await page.fill('#query', 'calendar');
    await page.keyboard.press('Enter');
    await page.locator('.count-line', { hasText: 'Searching…' }).waitFor();
    expect(await page.locator('.offer').count()).toBe(0);
    letGo();
    await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  });
});

it('untrusted texts are shown as text', async () => {
  const hostile = [
    '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>',
    'safe\u202Egnp.exe\u202C',
    `null\u0000bell\u0007 back\u0008`,
    'a'.repeat(10_000),
  ];
  fake.state.icons = hostile.map((text, at) =>
    fakeIcon('home', {
      id: String(at + 1),
      name: String(at + 1),
      term: `home ${text}`,
      creator: { name: text, url: 'javascript:document.title="run"' },
      credit: text,
      tags: [text],
      collections: [{ id: text.slice(0, 9), name: text }],
      license: {
        ...fakeIcon('home').license,
        label: text,
        asks: text,
        url: 'javascript:document.title="run"',
      },
    }),
  );
  const page = await open();
  await page.fill('#query', 'home');
  await page.keyboard.press('Enter');
  await page.locator('.count-line', { hasText: '4 icons' }).waitFor();
  for (let at = 0; at < hostile.length; at += 1) {
    await cells(page).nth(at).click();
    await page.locator('.detail h2').waitFor();
    expect(
      await page.locator('main script, .detail script, img[onerror], a[href^=javascript]').count(),
    ).toBe(0);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
    expect(await page.locator('body').textContent()).not.toMatch(
      /[\u202E\u202C\u0000\u0007\u0008]/,
    );
  }
  await cells(page).first().click();
  expect(await page.locator('.detail h2').textContent()).toContain('<img src=x onerror=');
  expect(await page.title()).not.toBe('run');
});

it('marks of use follow what the project does by themselves', async () => {
  const page = await open();
  await find(page, 'rocket');
  expect(await cells(page).first().locator('.flag').count()).toBe(0);
  const icon = fakeIcon('rocket', {
    pinned: true,
    uses: [{ use: 9, file: 'src/Launch.vue', line: 12, column: 3 }],
  });
  fake.state.project.icons = [...fake.state.project.icons, icon];
  await cells(page).first().locator('.flag.used').waitFor();
  await cells(page).first().click();
  await page.getByRole('button', { name: 'src/Launch.vue:12' }).click();
  await expect
    .poll(
      () =>
        fake.calls.at(-1)?.name === 'open' || fake.calls.find(({ name }) => name === 'open')?.body,
    )
    .toEqual({ use: 9 });
});

describe('everybody can use it', () => {
  const SCREENS = ['', '?view=collections', '?view=project', '?view=help'];

  it('axe finds nothing on any screen, light or dark', async () => {
    const page = await open('', { bypassCSP: true, colorScheme: 'light' });
    const found: Record<string, string[]> = {};
    const check = async (screen: string): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await violationsOf(page);
        if (violations.length > 0) found[`${screen} ${colorScheme}`] = violations;
      }
    };
    await find(page, 'calendar');
    await check('search');
    await cells(page).nth(1).focus();
    for (const key of ['x', 'ArrowRight', 'x', 'Enter']) await page.keyboard.press(key);
    await page.locator('.detail').waitFor();
    await check('detail');
    for (const screen of ['Collections', 'This project', 'Bag', 'Help']) {
      await page.getByRole('navigation').getByRole('button', { name: screen }).click();
      await page.getByRole('heading', { level: 1, name: screen }).waitFor();
      await check(screen);
    }
    expect(found).toEqual({});
  });

  it('nothing is cut off at 320 pixels, which 400 % of zoom is, and keys do the same there', async () => {
    const long = 'long'.repeat(20);
    fake.state.project.name = long;
    fake.state.icons = fake.state.icons.map((icon) => ({ ...icon, tags: [long] }));
    const page = await open('', { viewport: { width: 320, height: 256 } });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    for (const screen of SCREENS) {
      await page.goto('about:blank');
      await page.goto(fake.at(screen));
      await page.locator('h1').waitFor({ state: 'attached' });
      expect(await wide()).toBe(320);
      const edge = (selector: string, side: 'left' | 'right') =>
        page.locator(selector).evaluate((part, at) => part.getBoundingClientRect()[at], side);
      await page.locator('.brand-name', { hasText: 'long' }).waitFor();
      expect(await edge('.brand-name', 'right')).toBeLessThan(await edge('.tools', 'left'));
    }
    await page.goto('about:blank');
    await page.goto(fake.at(''));
    await find(page, 'calendar');
    await cells(page).nth(1).click();
    await page.getByRole('heading', { name: 'calendar bolt' }).waitFor();
    expect(await page.locator('main').isVisible()).toBe(false);
    expect(await wide()).toBe(320);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('main').isVisible()).toBe(true);
    for (let at = 0; at < 4; at += 1) await cells(page).nth(at).press('x');
    const bar = page.locator('.bag-bar');
    await bar.getByText('4 icons').waitFor();
    expect(await bar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await bar.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(60);
  });

  it('on a phone the details begin at their top, and the list is where it was', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 } });
    await find(page, 'arrow');
    await page.evaluate(() => scrollTo(0, 1600));
    await page.locator('[data-at="45"]').scrollIntoViewIfNeeded();
    const scroll = () => page.evaluate(() => scrollY);
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    for (const leave of ['Close', 'Back']) {
      const before = await scroll();
      await page.locator('[data-at="45"]').click();
      await page.locator('.detail').waitFor();
      expect(await scroll()).toBe(0);
      expect(await focused()).toBe('H2');
      if (leave === 'Back') await page.goBack();
      else await page.getByRole('button', { name: 'Close' }).click();
      await expect.poll(scroll).toBe(before);
      const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-at'));
      await expect.poll(at).toBe('45');
    }
    // Where the focus goes after Add, too.
    await page.locator('[data-at="45"]').click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.result').waitFor();
    await expect.poll(focused).toBe('H2');
  });

  it('forced colours show icons and what is chosen, and reduced motion moves nothing', async () => {
    const page = await open('', { forcedColors: 'active', reducedMotion: 'reduce' });
    await find(page, 'calendar');
    await page.getByRole('button', { name: 'Allowed here' }).click();
    const glyph = cells(page).first().locator('.glyph.mask');
    const [ink, ground] = await glyph.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(ink).not.toBe(ground);
    expect(
      await page
        .getByRole('button', { name: 'Allowed here' })
        .evaluate((chip) => getComputedStyle(chip).outlineStyle),
    ).toBe('solid');
    await cells(page).first().focus();
    await page.keyboard.press('c');
    expect(
      await page.locator('.toast').evaluate((toast) => getComputedStyle(toast).animationName),
    ).toBe('none');
  });

  it('a window behind others, without frames and with slow timers, shows what was answered', async () => {
    const page = await newPage({});
    onTestFinished(() => page.context().close());
    await page.addInitScript(() => {
      const { setTimeout } = window;
      const slow = (task: () => void, delay = 0): number => setTimeout(task, Math.max(delay, 1000));
      Object.assign(window, { requestAnimationFrame: () => 0, setTimeout: slow });
    });
    await page.goto(fake.at('?view=project'));
    await expect.poll(() => page.locator('[role=gridcell]').count()).toBeGreaterThan(0);
  });

  it('the key that the empty field shows leads into it and is not written there', async () => {
    const page = await open();
    await page.locator('#query:focus').waitFor();
    await page.keyboard.type('/and/or');
    expect(await page.locator('#query').inputValue()).toBe('and/or');
  });

  it('the link to the icons moves the focus and asks nothing', async () => {
    const page = await open();
    await find(page, 'arrow');
    const { calls } = fake;
    const asked = calls.filter(({ name }) => name === 'search').length;
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('query');
    expect(page.url()).not.toContain('#');
    expect(calls.filter(({ name }) => name === 'search')).toHaveLength(asked);
  });

  it('the focus stays on Add if it fails, and is on the icon after Undo', async () => {
    const page = await open();
    await find(page, 'arrow');
    await cells(page).nth(1).click();
    failRemote(409, { code: 'CHANGED', message: 'The file has changed.' });
    const add = page.getByRole('button', { name: 'Add', exact: true });
    await add.click();
    await page.getByRole('alert').filter({ hasText: 'The file has changed.' }).waitFor();
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
    fake.state.failures.clear();
    await page.keyboard.press('Enter');
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter');
    await page.locator('.toast', { hasText: 'Undone' }).waitFor();
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-at'));
    await expect.poll(at).toBe('1');
  });

  it('the keyboard alone: a word, the second hit, a name, Add, copy', async () => {
    const page = await open();
    const { strokes, copied } = await takeCalendarByKeyboard(page);
    expect(copied).toBe("import day from 'icon:day';");
    expect(strokes).toBeLessThanOrEqual(12);
    expect(fake.signed()).toBe(2);
    await page.keyboard.press('Control+z');
    await page.locator('.toast', { hasText: 'Undone: Added day' }).waitFor();
  });
});

it('several icons go through the bag in one write', async () => {
  const page = await open();
  await find(page, 'rocket');
  await page.locator('#query').press('ArrowDown');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('navigation').getByRole('button', { name: 'Bag' }).click();
  await page.getByLabel('Name of rocket', { exact: true }).fill('credits');
  await page.getByText('“icon:credits” is reserved.').waitFor();
  expect(await page.getByRole('button', { name: 'Add 2 icons' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Use “credits-icon”' }).click();
  await page.getByRole('button', { name: 'Add 2 icons' }).click();
  await page.getByRole('heading', { name: 'Nothing in the bag' }).waitFor();
  expect(fake.calls.filter(({ name }) => name === 'add').map(({ body }) => body)).toEqual([
    {
      items: [
        { id: 'tabler/rocket', alias: 'credits-icon' },
        { id: 'tabler/rocket-off', alias: 'rocket-off' },
      ],
      ifMatch: 'a1',
      attempt: expect.any(String),
    },
  ]);
});

it('a pointer selects icons in the grid, and what is selected is named below it', async () => {
  const page = await open('', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  await find(page, 'rocket');
  for (const at of [0, 1]) await page.locator('.pick').nth(at).tap();
  expect(await page.locator('.detail').count()).toBe(0);
  expect(await page.locator('[role=gridcell][aria-selected=true]').count()).toBe(2);
  const bar = page.getByRole('region', { name: 'Bag' });
  expect(await bar.textContent()).toContain('2 icons');
  await page.locator('.pick').nth(1).tap();
  await bar.filter({ hasText: '1 icon' }).waitFor();
  await bar.getByRole('button', { name: 'Name and add' }).tap();
  await page.getByLabel('Name of rocket', { exact: true }).waitFor();
  expect(await bar.count()).toBe(0);
});

it('one colour and one size show in the whole grid, whose cells copy them, for no call', async () => {
  const page = await open('?size=24');
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  await find(page, 'rocket');
  const glyph = cells(page).first().locator('.glyph.mask');
  const look = () =>
    glyph.evaluate((one) => {
      const { backgroundColor, width } = getComputedStyle(one);
      return [backgroundColor, width];
    });
  await expect.poll(look).toEqual([expect.any(String), '24px']);
  // A mask that is the picture that was loaded: asking twice would show nothing in between.
  const pictures = seen.filter((url) => url.includes('/thumb/'));
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures).toHaveLength(new Set(pictures).size);
  // Safari loads as soon as a picture has an address, so how to load it comes before.
  const names = await glyph.evaluate((one) => one.getAttributeNames());
  expect(names.indexOf('crossorigin')).toBeLessThan(names.indexOf('src'));
  expect(names).toContain('crossorigin');
  await page.getByLabel('Colour of all icons').fill('#ff0000');
  await expect.poll(look).toEqual(['rgb(255, 0, 0)', '24px']);
  expect(new URL(page.url()).searchParams.get('color')).toBe('ff0000');
  await cells(page).first().hover();
  await cells(page).first().locator('.quick').click();
  await page.locator('.toast', { hasText: 'Copied import' }).waitFor();
  expect(await clipboard(page)).toBe(
    "import rocket from 'icon:tabler/rocket?color=ff0000&size=24';",
  );
  expect(await page.locator('.detail').count()).toBe(0);
  await page.getByRole('button', { name: 'No colour' }).click();
  await expect.poll(async () => (await look())[0]).not.toBe('rgb(255, 0, 0)');
  expect(costly()).toHaveLength(1);
});

it('an icon that has a name gets another one in its place', async () => {
  const page = await open('?icon=tabler/calendar');
  const rename = page.getByRole('button', { name: 'Rename' });
  await page.getByText('This icon has this name already.').waitFor();
  expect(await rename.isDisabled()).toBe(true);
  await page.fill('#alias', 'day');
  await page.getByText('Rename leaves sources as they are: 1 use.').waitFor();
  await rename.click();
  await page.locator('.toast', { hasText: 'Renamed calendar to day' }).waitFor();
  expect(fake.calls.find(({ name }) => name === 'add')?.body['items']).toEqual([
    { id: 'tabler/calendar', alias: 'day', replaces: 'calendar' },
  ]);
  await expect.poll(() => page.locator('.has-alias code').allTextContents()).toEqual(['day']);
});

it('what the server says of the project counts, also if it said the same before a write', async () => {
  const page = await open();
  await find(page, 'rocket');
  const before = { ...fake.state.project };
  const asked = () => fake.calls.filter(({ name }) => name === 'project').length;
  const added = () => fake.calls.filter(({ name }) => name === 'add');
  const error = { code: 'FAILED', message: 'The server starts again.' };
  fake.state.failures.set('project', { status: 500, error });
  await cells(page).first().click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.toast', { hasText: 'Added rocket' }).waitFor();
  // Somebody restores the file, which is as the page has seen it at first.
  fake.state.project = before;
  fake.state.failures.clear();
  const count = asked();
  await expect.poll(asked).toBeGreaterThan(count + 1);
  await page.fill('#alias', 'start');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => added().length).toBe(2);
  expect(added().map(({ body }) => body['ifMatch'])).toEqual(['a1', 'a1']);
});

it('icons of one designer are a click away', async () => {
  const page = await open('?icon=tabler/calendar');
  await page.locator('.creator').getByRole('link', { name: 'Tabler contributors' }).click();
  await page.locator('.count-line', { hasText: '5 icons' }).waitFor();
  expect(new URL(page.url()).searchParams.get('by')).toBe('Tabler contributors');
  await page.goto(fake.at('?by=Somebody'));
  await page.getByRole('button', { name: 'by Somebody ×' }).last().click();
  await expect.poll(() => new URL(page.url()).searchParams.has('by')).toBe(false);
  expect(costly()).toEqual([]);
});

it('the details show the preview and Add without scrolling, and save the drawing with its credit', async () => {
  const page = await open();
  await find(page, 'rocket');
  await cells(page).first().click();
  const add = page.getByRole('button', { name: 'Add', exact: true });
  const { y = 0, height = 0 } = (await add.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(720);
  await page.getByText('The drawing itself').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download it (1 call)' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('rocket.svg');
  expect(await readFile(await file.path(), 'utf8')).toMatch(
    /^<!--! “rocket” by Tabler contributors, MIT License -->\n<svg /,
  );
  await page.locator('.creator').getByRole('button', { name: 'Tabler' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tabler' }).waitFor();
});

it('copies a drawing where a page may copy during a click only, as in Safari', async () => {
  const page = await open('?icon=tabler/calendar');
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const { write } = clipboard;
    clipboard.write = async (items) => {
      if (window.event === undefined) throw new DOMException('No click.', 'NotAllowedError');
      return write.call(clipboard, items);
    };
    clipboard.writeText = () => Promise.reject(new DOMException('Too late.', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  const copies = page.getByRole('button', { name: 'Copy SVG with credit comment' });
  const toast = page.locator('.toast');
  await page.getByText('The drawing itself').click();
  await copies.click();
  await toast.filter({ hasText: 'Copied SVG with its credit' }).waitFor();
  expect(await clipboard(page)).toMatch(/^<!--! “calendar” by .+ -->\n<svg /);
  const error = { code: 'FAILED', message: 'The catalog answered 500.' };
  fake.state.failures.set('render', { status: 500, error });
  await copies.click();
  await toast.filter({ hasText: 'The catalog answered 500.' }).waitFor();
  expect(await clipboard(page)).toMatch(/^<!--! “calendar”/);
});

it('head and body of a very wide window have the same edges', async () => {
  const page = await open('', { viewport: { width: 2560, height: 900 } });
  await find(page, 'rocket');
  const left = (name: string): Promise<number> =>
    page.locator(name).evaluate((one) => Math.round(one.getBoundingClientRect().left));
  expect(await left('.brand')).toBe(await left('.filters'));
});

it('all files of the page take at most 40 kB, its scripts 32, and the licences of what is bundled are beside them', async () => {
  const folder = new URL('../../dist/picker/', import.meta.url);
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /\.\w+$|^NOTICES$/.test(name));
  const sizes = await Promise.all(
    files.map(async (name) => gzipSync(await readFile(new URL(name, folder))).length),
  );
  const sum = (fits: (name: string) => boolean): number =>
    files.reduce((total, name, at) => total + (fits(name) ? (sizes[at] ?? 0) : 0), 0);
  expect(sum(() => true)).toBeLessThan(40_000);
  expect(sum((name) => name.endsWith('.js'))).toBeLessThan(32_000);
  const notices = await readFile(new URL('NOTICES', folder), 'utf8');
  expect(notices).toMatch(/preact.*\(MIT\)/);
  const html = await readFile(new URL('index.html', folder), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|https?:/);
});
