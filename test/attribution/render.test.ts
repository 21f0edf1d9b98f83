import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import {
  PAGE_SCRIPT,
  PAGE_SCRIPT_SOURCE,
  SEARCH_FROM,
} from '../../src/attribution/render/page-assets.ts';
import { MANY } from '../../src/attribution/credit/describe-credit.ts';
import { renderAttribution, renderHtml } from '../../src/attribution/render/render-attribution.ts';
import { renderFragment } from '../../src/attribution/render/section.ts';
import { renderJson, renderMarkdown, renderText } from '../../src/attribution/render/text.ts';
import { toPlainLine } from '../../src/untrusted.ts';
import type { Credit } from '../../src/types.ts';
import { HOSTILE } from './hostile.ts';
import { activeCharacters, readMarkdownText } from './markdown-reader.ts';
import { credit, licenseCases, manifest } from './records.ts';
import MarkdownIt from 'markdown-it';

const NO_ARTWORK: ReadonlyMap<string, string> = new Map();

function hostileCredit(text: string, index: number): Credit {
  return credit({
    id: String(index + 1),
    term: `T${text}`,
    attribution: `C${text}`,
    creator: { name: `N${text}`, permalink: text, username: text },
    collections: [{ id: text, name: text, permalink: text }],
    license_description: 'MIT',
    permalink: text,
  });
}

/** Icons of one set by one creator, each with its name in its credit text. */
function setOf(length: number, from = 1): Credit[] {
  return Array.from({ length }, (_, index) =>
    credit({
      id: String(from + index),
      term: `Boat ${from + index}`,
      attribution: `“Boat ${from + index}” by Ada (https://ada.example/a_(b)) from Sea`,
      license_description: 'MIT',
    }),
  );
}

const HOSTILE_MANIFEST = manifest(HOSTILE.map(hostileCredit));

it('says of a licence without a public text what it asks for, or that it asks for no credit', () => {
  const said = (license_description: string): string =>
    renderHtml(manifest([credit({ id: '1', license_description })]), NO_ARTWORK);
  const none = 'No credit is required; it is given all the same.';
  expect(said('public-domain')).toContain(none);
  expect(said('royalty-free')).not.toContain(none);
});

describe('renderJson', () => {
  it('is the manifest, one line an icon', () => {
    const made = manifest(licenseCases());
    const text = renderJson(made);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(made)));
    expect(text.split('\n').filter((line) => line.startsWith('    {'))).toHaveLength(
      made.icons.length,
    );
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(renderJson(manifest([])))).toMatchObject({ icons: [], schemaVersion: 1 });
  });

  it('keeps hostile words as they are', () => {
    const { icons } = JSON.parse(renderJson(HOSTILE_MANIFEST)) as { icons: Credit[] };
    const titleById = new Map(icons.map(({ id, title }) => [id, title]));
    for (const [index, text] of HOSTILE.entries())
      expect(titleById.get(String(index + 1))).toBe(`T${text}`);
  });
});

describe('renderMarkdown', () => {
  it('writes one line an icon under the heading of its licence', () => {
    expect(renderMarkdown(manifest(licenseCases().slice(1, 2)))).toBe(`# Icon credits

1 icon by 1 creator under 1 licence.

## Creative Commons Attribution 3.0 Unported

Licence text: <https://creativecommons.org/licenses/by/3.0/>

- “Stated” by Ada (<https://catalog.example/ada/>). Source: <https://catalog.example/icon/whale-2/>. Licence: [Creative Commons Attribution 3.0 Unported](<https://creativecommons.org/licenses/by/3.0/>). Changes: recoloured; optimised (encoding only). Credit: Stated by Ada (CC BY 3.0)
`);
  });

  it('lets no untrusted text become markup', () => {
    const lines = renderMarkdown(HOSTILE_MANIFEST)
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(lines).toHaveLength(HOSTILE.length);
    for (const line of lines) {
      const own = line.replace(
        '[MIT License](<https://spdx.org/licenses/MIT.html>)',
        'MIT License',
      );
      expect(activeCharacters(own)).not.toMatch(/[\\`*_~[\]{}<>&|!#$^]/);
      // An address is whole and nothing else: no other text can begin one.
      expect(own.replace(/<https?:\/\/[^<>\s]*>/gi, '')).not.toMatch(/\bhttps?:\/\//i);
      expect(own).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\ud800-\udfff]/);
    }
    const read = readMarkdownText(lines.join('\n'));
    for (const text of HOSTILE) expect(read).toContain(`“${toPlainLine(`T${text}`)}”`);
  });

  it('leaves addresses alone, so that they lead where they say', () => {
    const text = '“Bus” by Ada (https://ada.example/a_b*c?x=1&y=[2]), www.ada.example, @ada';
    const page = renderMarkdown(manifest([credit({ attribution: text })]));
    expect(page).toContain('(<https://ada.example/a_b*c?x=1&y=[2]>), www.ada.example, \\@ada');
    expect(page).not.toMatch(/[\u200b-\u200f\u2060\ufeff]/);
    const html = new MarkdownIt().render(page);
    expect(html).toContain('<a href="https://ada.example/a_b*c?x=1&amp;y=%5B2%5D">');
    expect(html).toContain(', www.ada.example, @ada');
    const inside = 'By Ada (http://127.0.0.1:8080/a), https://wiki.corp/b';
    const plain = new MarkdownIt({ linkify: true }).render(
      renderMarkdown(manifest([credit({ attribution: inside })])),
    );
    expect(plain).toContain(inside);
    expect(plain).not.toMatch(/href="[^"]*(?:127|corp)/);
  });

  it('says when a list is not complete', () => {
    expect(renderMarkdown(manifest([], { complete: false }))).toContain(
      '> This list is not complete yet',
    );
    expect(renderMarkdown(manifest([]))).not.toContain('complete');
  });
});

describe('renderText', () => {
  it('writes one line an icon', () => {
    const lines = renderText(HOSTILE_MANIFEST)
      .split('\n')
      .filter((line) => line.startsWith('- “T'));
    expect(lines).toHaveLength(HOSTILE.length);
    expect(renderText(manifest(licenseCases().slice(1, 2)))).toBe(`Icon credits

1 icon by 1 creator under 1 licence.

Creative Commons Attribution 3.0 Unported (https://creativecommons.org/licenses/by/3.0/)
- “Stated” by Ada. Source: https://catalog.example/icon/whale-2/. Licence: Creative Commons Attribution 3.0 Unported (https://creativecommons.org/licenses/by/3.0/). Changes: recoloured; optimised (encoding only). Credit: Stated by Ada (CC BY 3.0)
`);
  });
});

describe('renderHtml', () => {
  it('never puts the page that holds it under a licence', () => {
    const page = renderHtml(manifest(licenseCases()), NO_ARTWORK);
    expect(page).not.toMatch(/rel="?license/);
    expect(
      page.match(/<li id="icon-[^"]+" about="#icon-[^"]+" typeof="cc:Work"[ >]/g),
    ).toHaveLength(12);
  });

  it('asks for nothing from anywhere', () => {
    const page = renderHtml(
      manifest(licenseCases()),
      new Map([
        ['1', 'https://evil.example/x.svg'],
        ['2', 'data:text/html,x'],
      ]),
    );
    expect(page).not.toMatch(/<(?:script src|img|link rel="stylesheet|iframe|object|embed)/);
    expect(page).not.toMatch(/@import|url\(/);
  });

  it('lets its own script run and no other', () => {
    const digest = createHash('sha256').update(PAGE_SCRIPT).digest('base64');
    expect(PAGE_SCRIPT_SOURCE).toBe(`'sha256-${digest}'`);
    expect(renderHtml(manifest([credit()]), NO_ARTWORK)).toContain(
      `script-src ${PAGE_SCRIPT_SOURCE};`,
    );
    const empty = renderHtml(manifest([]), NO_ARTWORK);
    expect(empty).not.toContain('script-src');
    expect(empty).not.toContain('<script');
  });

  it('draws svg and pictures', () => {
    const artwork = new Map([
      ['1', '<svg viewBox="0 0 1 1" fill="currentColor"></svg>'],
      ['2', '<svg viewBox="0 0 2 2" fill="#000"></svg>'],
      ['3', 'data:image/png;base64,AAAA'],
    ]);
    const page = renderHtml(manifest(licenseCases().slice(0, 4)), artwork);
    expect(page).toContain('<div class="tile" aria-hidden="true"><svg viewBox="0 0 1 1"');
    expect(page).toContain('<div class="tile plate" aria-hidden="true"><svg viewBox="0 0 2 2"');
    expect(page).toContain('<img src="data:image/png;base64,AAAA" alt=""');
    expect(page.match(/class="tile blank"/g)).toHaveLength(1);
  });

  it('says on no drawing what the page says for all of them; a fragment has no style sheet to say it', () => {
    const root =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2em" height="1em" viewBox="0 0 2 1" fill="currentColor" class="a" aria-hidden="true" focusable="false">';
    const body = '<g class="b" width="1"><path d="M0 0"/></g></svg>';
    const made = manifest(licenseCases().slice(0, 1));
    const artwork = new Map([['1', root + body]]);
    expect(renderHtml(made, artwork)).toContain(
      `<div class="tile" aria-hidden="true"><svg height="1em" viewBox="0 0 2 1" fill="currentColor">${body}</div>`,
    );
    expect(renderFragment(made, { artwork })).toContain(root + body);
  });

  it('offers a search only for a list that is too long to look through', () => {
    const many = (length: number): string =>
      renderHtml(
        manifest(Array.from({ length }, (_, index) => credit({ id: String(index) }))),
        NO_ARTWORK,
      );
    expect(many(SEARCH_FROM)).toContain('type="search"');
    expect(many(SEARCH_FROM - 1)).not.toContain('type="search"');
  });

  it('says what many icons of a set share once, and draws them as a grid', () => {
    const page = renderHtml(manifest(setOf(MANY)), NO_ARTWORK);
    expect(page.match(/<p class="author">/g)).toHaveLength(1);
    expect(page.match(/<ul class="grid">/g)).toHaveLength(1);
    expect(page).not.toContain('<ul class="credits">');
    expect(page).toContain(
      '“<var>{name of the icon}</var>” by Ada (<a href="https://ada.example/a_(b)">',
    );
    for (let id = 1; id <= MANY; id += 1) expect(page).toContain(`<li id="icon-${id}"`);
    const same = Array.from({ length: MANY }, (_, at) =>
      credit({ id: `${at}`, term: `Boat ${at}`, attribution: 'See https://ada.example/b' }),
    );
    expect(renderHtml(manifest(same), NO_ARTWORK)).toContain(
      '<bdi>See <a href="https://ada.example/b">https://ada.example/b</a></bdi>',
    );
    expect(renderHtml(manifest(setOf(MANY - 1)), NO_ARTWORK)).not.toContain('class="grid"');
  });

  it('keeps what has more to say than its set out of the grid', () => {
    const [first, second, ...others] = setOf(MANY + 4);
    const odd = [
      { ...first, changes: [] },
      { ...second, credit: { ...second?.credit, drawn: ['Drawn by Ada'] } },
      credit({ id: '90', term: 'Other words', attribution: 'Please name Ada' }),
      credit({ id: '91', creator: { name: 'Bo', permalink: '/bo/', username: 'bo' } }),
    ] as Credit[];
    const page = renderHtml(manifest([...odd, ...others]), NO_ARTWORK);
    expect(page.match(/<ul class="grid">/g)).toHaveLength(1);
    expect(page.match(/property="rdfa:copy"/g)).toHaveLength(MANY + 2);
    expect(page.match(/<p class="author">/g)).toHaveLength(1 + odd.length);
    expect(page).toContain('Drawn by Ada');
  });

  it('says a notice that all files of a set hold once, in the grid’s facts', () => {
    const set = setOf(MANY + 1);
    for (const { credit: said } of set.slice(1)) said.notices = ['© 2020 Ada'];
    const page = renderHtml(manifest(set), NO_ARTWORK);
    expect(page.match(/© 2020 Ada/g)).toHaveLength(1);
    expect(page.match(/property="rdfa:copy"/g)).toHaveLength(MANY);
    expect(renderHtml(manifest(set), NO_ARTWORK, { language: 'de' })).toContain(
      'Hinweis in der Datei: <bdi property="dct:rights">© 2020 Ada</bdi>',
    );
  });

  it.each(['html', 'markdown', 'text', 'spdx', 'cyclonedx'] as const)(
    'has the notices of a file in the %s, and drawn ones once',
    (format) => {
      const drawn = ['Created by Bo'];
      const made = manifest([credit({}, { drawn, notices: ['Copyright 2020 Ada'] })]);
      const output = renderAttribution(made, format);
      expect(output.match(/Created by Bo/g)).toHaveLength(1);
      // In software bills, who holds the rights has a field of its own.
      const isBill = format === 'spdx' || format === 'cyclonedx';
      expect(output.match(/Copyright 2020 Ada/g)).toHaveLength(isBill ? 2 : 1);
    },
  );

  it('makes addresses in credit texts links, and nothing else of them', () => {
    const link = (text: string): string =>
      /<p class="requested">Credit: <bdi[^>]*>(.*)<\/bdi><\/p>/.exec(
        renderHtml(manifest([credit({ attribution: text })]), NO_ARTWORK),
      )?.[1] ?? '';
    expect(link('By Ada (https://a.example/x?a=1&b=2).')).toBe(
      'By Ada (<a href="https://a.example/x?a=1&#38;b=2">https://a.example/x?a=1&#38;b=2</a>).',
    );
    expect(link('“https://a.example/wiki/A_(b)”, javascript:hit()')).toBe(
      '“<a href="https://a.example/wiki/A_(b)">https://a.example/wiki/A_(b)</a>”, javascript:hit()',
    );
    expect(link('https://" onclick=hit()')).not.toContain('<a');
    const inside = 'http://127.0.0.1:8080/a, http://0x7f.1/, https://wiki.corp/b, http://[::1]/';
    expect(link(`${inside} and https://a.example/`)).toBe(
      `${inside} and <a href="https://a.example/">https://a.example/</a>`,
    );
  });

  it('names the site, the way back and the other formats', () => {
    const page = renderHtml(manifest(licenseCases()), NO_ARTWORK, {
      title: 'Fish & Co',
      home: '/shop?a=1&b',
      formats: { JSON: '../credits.json', Markdown: 'credits.md' },
    });
    expect(page).toContain('<title>Icon credits – Fish &#38; Co</title>');
    expect(page).toMatch(/<meta name="description" content="\d+ icons? by [^"<]+\.">/);
    expect(page).toContain('<a href="/shop?a=1&#38;b">Back to Fish &#38; Co</a>');
    const only = renderHtml(manifest(licenseCases()), NO_ARTWORK, { home: '/shop' });
    expect(only).toContain('<p class="home"><a href="/shop">/shop</a></p>');
    expect(page).toContain(
      '<a href="../credits.json">JSON</a> · <a href="credits.md">Markdown</a>',
    );
  });

  it('speaks German, and any language that a project brings', () => {
    const made = manifest([...licenseCases(), ...setOf(MANY, 40)]);
    const german = renderHtml(made, NO_ARTWORK, { language: 'de' });
    expect(german).toContain('<html lang="de"');
    expect(german).toContain(
      'Änderungen: <span property="dct:provenance">umgefärbt; optimiert (nur Kodierung)',
    );
    // What is left is code, names of licences and untrusted words.
    const visible = german
      .replace(/<(style|script|title)>[^]*?<\/\1>/g, '')
      .replace(/<bdi[^>]*>.*?<\/bdi>/g, '')
      .replace(/<[^>]+>/g, ' ');
    expect(visible).not.toMatch(
      /\b(?:the|credit|icons? by|changes|licen[cs]e|stated|copy|close)\b/i,
    );
    // The embedded catalog has a name of our own.
    const catalog = { name: 'Icon sets installed with the project', siteUrl: 'https://a.example/' };
    expect(renderHtml({ ...made, catalog }, NO_ARTWORK, { language: 'de' })).toContain(
      'Sie stammen aus: <a href="https://a.example/"><bdi>mit dem Projekt installierte Icon-Sammlungen</bdi></a>',
    );
    const own = renderHtml(made, NO_ARTWORK, {
      language: { code: 'fr', words: { title: 'Crédits <des> icônes', by: 'par ' } },
    });
    expect(own).toContain('<h1>Crédits &#60;des&#62; icônes</h1>');
    expect(own).toContain('<p class="author">par <a');
    expect(own).toContain('Changes: ');
  });

  it.each([
    ['ar', ' dir="rtl"'],
    ['fa-IR', ' dir="rtl"'],
    ['pa-Arab', ' dir="rtl"'],
    ['ar-Latn', ''],
    ['fr', ''],
    ['arn', ''],
  ])('is written in the direction of its language: %s', (code, direction) => {
    const page = renderHtml(manifest(licenseCases()), NO_ARTWORK, { language: { code } });
    expect(page).toContain(`<html lang="${code}"${direction} prefix=`);
  });

  it('holds 4,000 icons of a set in 1.5 MB', () => {
    const made = manifest(setOf(4000));
    const artwork = new Map(
      made.icons.map(({ id }) => [
        id,
        `<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"><path d="M${id} 12h14${Math.sqrt(Number(id)).toFixed(4)}${'l3 4v-2'.repeat(14)}"></path></svg>`,
      ]),
    );
    const page = renderHtml(made, artwork);
    expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
    expect(page).not.toContain('<svg');
    expect(renderHtml(made, artwork)).toBe(page);
  });

  it('renders 5,000 icons in every format', () => {
    const credits = Array.from({ length: 5000 }, (_, index) =>
      credit({ id: String(index), term: `Icon ${index}`, license_description: 'MIT' }),
    );
    const artwork = new Map(
      credits.map(({ id }) => [
        id,
        '<svg viewBox="0 0 24 24"><path d="M0 0h24v24H0z"></path></svg>',
      ]),
    );
    const made = manifest(credits);
    const size =
      renderJson(made).length + renderHtml(made, artwork).length + renderMarkdown(made).length;
    expect(size).toBeGreaterThan(5_000_000);
  });
});
