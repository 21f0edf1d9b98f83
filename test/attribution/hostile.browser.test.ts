import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/attribution/render/render-attribution.ts';
import { launchBrowser } from '../support/browser.ts';
import { HOSTILE } from './hostile.ts';
import { credit, licenseCases, manifest } from './records.ts';
import { visit } from './visit-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('untrusted words on the credits page', () => {
  it('shows untrusted words as words', async () => {
    const made = manifest(
      HOSTILE.map((text, index) =>
        credit({
          id: index === 0 ? '"><script>hit()</script>' : `${index} ${text}`.slice(0, 60),
          term: `T${text}`,
          attribution: `C${text}`,
          creator: { name: `N${text}`, permalink: text, username: text },
          license_description: `L${text}`,
          permalink: text,
        }),
      ),
      {
        catalog: { name: HOSTILE.join(' '), siteUrl: 'javascript:hit()' },
        generator: { name: HOSTILE.join(' '), version: '1' },
      },
    );
    const { page, requests, errors } = await visit(browser, renderHtml(made, new Map()), {
      bypassCSP: true,
    });
    const found = await page.evaluate(() => {
      for (const element of document.querySelectorAll('*')) {
        for (const type of ['click', 'mouseover', 'focus', 'load', 'error'])
          element.dispatchEvent(new Event(type));
      }
      const texts = (selector: string): string[] =>
        [...document.querySelectorAll(selector)].map((element) => element.textContent);
      return {
        scripts: [...document.querySelectorAll('script')].map((element) => element.type),
        elements: [
          ...new Set([...document.querySelectorAll('body *')].map((element) => element.localName)),
        ].sort(),
        handlers: [...document.querySelectorAll('*')]
          .flatMap((element) => element.getAttributeNames())
          .filter((name) => name.startsWith('on')),
        links: [...document.querySelectorAll('a')].map((element) => element.protocol),
        titles: texts('[property="dct:title"]'),
        names: texts('[property="cc:attributionName"]'),
        isolated: [
          ...document.querySelectorAll(
            '.credits [property="dct:title"], .credits [property="cc:attributionName"]',
          ),
        ].every((element) => element.localName === 'bdi'),
      };
    });
    expect(found.scripts).toEqual(['']);
    expect(found.elements).toEqual([
      'a',
      'bdi',
      'button',
      'dialog',
      'div',
      'fieldset',
      'footer',
      'h1',
      'h2',
      'header',
      'input',
      'label',
      'legend',
      'li',
      'main',
      'nav',
      'output',
      'p',
      'script',
      'section',
      'span',
      'textarea',
      'ul',
    ]);
    expect(found.handlers).toEqual([]);
    expect([...new Set(found.links)]).toEqual(['http:', 'https:']);
    expect(found.isolated).toBe(true);
    const shown = (text: string): string =>
      text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe]|\p{Surrogate}/gu, '\uFFFD');
    expect(found.titles.toSorted()).toEqual(HOSTILE.map((text) => shown(`T${text}`)).toSorted());
    expect(found.names.toSorted()).toEqual(HOSTILE.map((text) => shown(`N${text}`)).toSorted());
    expect(requests).toEqual([]);
    // `hit` is defined nowhere: a run of it would be an error of the page.
    expect(errors).toEqual([]);
    await page.close();
  });

  it('would notice a script that runs', async () => {
    const html = renderHtml(
      manifest(licenseCases()),
      new Map([['1', '<svg onload="hit()"></svg>']]),
    );
    const bypassed = await visit(browser, html, { bypassCSP: true });
    expect(bypassed.errors.join()).toContain('hit');
    await bypassed.page.close();
    const guarded = await visit(browser, html);
    expect(guarded.errors.join()).toContain('Content Security Policy');
    expect(guarded.errors.join()).not.toContain('hit is not defined');
    await guarded.page.close();
  });
});
