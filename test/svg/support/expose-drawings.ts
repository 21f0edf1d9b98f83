import type { Browser } from 'playwright-core';
import { svgToDataUri } from '../../../src/emit/svg-text.ts';
import type { Engine } from '../../support/firefox.ts';
import { serveDrawings } from './drawing-server.ts';

export interface Exposure {
  /** Dialogs that a script opened. */
  dialogs: number;
  /** Addresses that were asked for, other than the page and the drawings. */
  requests: string[];
  /** Addresses that the page or a frame in it went to. */
  navigations: string[];
  /** Elements that events were fired on. */
  elements: number;
}

/**
 * Puts the drawings into a page in every way there is, each in the form that we emit for it (parsed with the document, a
 * module's string by innerHTML, an emitted file as image, object and frame, a blob, a data address as image and background), fires every event at every element and reports what happened.
 */
export async function exposeDrawings(
  browser: Browser,
  drawings: readonly string[],
): Promise<Exposure> {
  const server = await serveDrawings(drawings);
  const context = await browser.newContext();
  const exposure: Exposure = {
    dialogs: 0,
    requests: [],
    navigations: [],
    elements: 0,
  };
  const expected = new Set([
    `${server.url}/`,
    ...drawings.map((_, index) => `${server.url}/drawing/${index}.svg`),
  ]);
  try {
    await context.route('**', (route) => {
      const url = route.request().url();
      if (expected.has(url) || /^(?:data|blob|about):/.test(url)) return route.continue();
      exposure.requests.push(url);
      return route.abort();
    });
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      exposure.dialogs += 1;
      void dialog.dismiss().catch(() => undefined);
    });
    page.on('framenavigated', (frame) => {
      if (!expected.has(frame.url()) && !/^(?:about:blank|about:srcdoc|blob:)/.test(frame.url()))
        exposure.navigations.push(frame.url());
    });
    await page.goto(`${server.url}/`, { waitUntil: 'load' });
    await page.evaluate(embed, withData(drawings));
    exposure.elements = await page.evaluate(fireEvents);
    await page.evaluate(pause);
    exposure.requests.push(...server.strays);
  } finally {
    await context.close();
    await server.close();
  }
  return exposure;
}

/** The same in an installed browser, where a navigation is a request as well. */
export async function exposeInEngine(
  engine: Engine,
  drawings: readonly string[],
): Promise<Omit<Exposure, 'navigations'>> {
  return exposeOnce(engine, drawings).catch((error: unknown) => {
    // WebKitGTK on a busy machine now and then does not answer after a dialog. A page that stalls it does so again.
    if (error instanceof Error && error.name === 'TimeoutError')
      return exposeOnce(engine, drawings);
    throw error;
  });
}

async function exposeOnce(
  engine: Engine,
  drawings: readonly string[],
): Promise<Omit<Exposure, 'navigations'>> {
  const server = await serveDrawings(drawings);
  try {
    const page = await engine.newPage();
    await page.goto(`${server.url}/`);
    await page.evaluate(embed, withData(drawings));
    const elements = await page.evaluate(fireEvents);
    await page.evaluate(pause);
    const strange = page.requests.filter(
      (url) => !/^(?:data|blob|about):/.test(url) && !url.startsWith(`${server.url}/`),
    );
    return {
      elements,
      dialogs: page.dialogs,
      requests: [...strange, ...server.strays],
    };
  } finally {
    await server.close();
  }
}

function withData(drawings: readonly string[]): { svg: string; data: string }[] {
  return drawings.map((svg) => ({ svg, data: svgToDataUri(svg) }));
}

/** In the page: a moment for what the events set off. */
function pause(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => resolve(null)), 50));
}

/** In the page. */
async function embed(drawings: readonly { svg: string; data: string }[]): Promise<void> {
  const { modules } = globalThis as unknown as { modules?: string[] };
  // A drawing that ended the script, or that came out of it changed, has broken out of its string.
  if (JSON.stringify(modules) !== JSON.stringify(drawings.map(({ svg }) => svg)))
    throw new Error('A module does not hold its drawing.');
  const loaded: Promise<unknown>[] = [];
  const append = (element: HTMLElement): void => {
    loaded.push(
      new Promise((resolve) => {
        element.addEventListener('load', resolve);
        element.addEventListener('error', resolve);
      }),
    );
    document.body.append(element);
  };
  for (const [index, { svg, data }] of drawings.entries()) {
    const address = `/drawing/${index}.svg`;
    const inline = document.createElement('div');
    inline.innerHTML = modules?.[index] ?? '';
    document.body.append(inline);
    append(Object.assign(new Image(), { src: address }));
    append(
      Object.assign(document.createElement('object'), {
        type: 'image/svg+xml',
        data: address,
      }),
    );
    append(Object.assign(document.createElement('iframe'), { src: address }));
    append(
      Object.assign(document.createElement('iframe'), {
        src: URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })),
      }),
    );
    append(Object.assign(new Image(), { src: data }));
    const background = document.createElement('div');
    background.style.cssText = 'width:9px;height:9px';
    background.style.backgroundImage = `url(${data})`;
    if (background.style.backgroundImage === '') throw new Error('A data address ends its url().');
    document.body.append(background);
  }
  await Promise.all(loaded);
}

/** In the page. */
function fireEvents(): number {
  const types =
    'load unload error abort resize scroll begin end repeat beginEvent endEvent repeatEvent click dblclick auxclick contextmenu mousedown mouseup mouseover mouseout mousemove mouseenter mouseleave pointerdown pointerup pointerover pointerenter pointermove wheel keydown keyup keypress focus blur focusin focusout activate input change submit toggle beforetoggle copy cut paste drag dragstart drop animationstart animationend transitionend touchstart touchend securitypolicyviolation'.split(
      ' ',
    );
  const frames = [
    ...document.querySelectorAll<HTMLIFrameElement | HTMLObjectElement>('iframe, object'),
  ];
  const roots = [document, ...frames.map((frame) => frame.contentDocument)];
  let count = 0;
  for (const root of roots) {
    for (const element of root?.querySelectorAll('svg, svg *, parsererror') ?? []) {
      count += 1;
      for (const type of types) {
        const init = { bubbles: true, cancelable: true, composed: true };
        element.dispatchEvent(
          /click|mouse|menu/.test(type) ? new MouseEvent(type, init) : new Event(type, init),
        );
      }
      if ('focus' in element && typeof element.focus === 'function') element.focus();
    }
  }
  return count;
}