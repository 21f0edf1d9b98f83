import { describe, expect, it } from 'vitest';
import { toHtmlText } from '../../src/untrusted.ts';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { HtmlValidate } from 'html-validate';
import { parseDocument, DomUtils } from 'htmlparser2';
import { HOSTILE } from '../attribution/hostile.ts';
import { expectedTriples, PAGE, triplesOf } from '../attribution/read-triples.ts';
import { credit, licenseCases, manifest } from '../attribution/records.ts';
import { HOSTILE_CREDITS } from './hostile-credits.ts';
import { elementsOf, readElement, readRoot, textsOf } from './read-list.ts';
import { FRAMEWORKS, SERVERS } from './renderers.ts';

const drawn = credit({ id: '30', term: 'Drawn' }, { drawn: ['Created by Ada', 'from a catalog'] });
const { icons } = manifest([...licenseCases(), drawn]);

describe.each(FRAMEWORKS)('<IconCredits> of %s', (framework) => {
  const render = SERVERS[framework];

  it('says of every icon what the credits page says, under the same licences', async () => {
    const root = readRoot(await render({ credits: icons }), framework);
    const page = parseDocument(
      renderAttribution(manifest([...licenseCases(), drawn]), 'html-fragment'),
    );
    const wordsOf = (tag: string): string[] =>
      DomUtils.getElementsByTagName(tag, page).map((element) =>
        DomUtils.textContent(element).replaceAll('\n', ''),
      );
    expect(textsOf(root, 'li')).toEqual(wordsOf('li'));
    expect(textsOf(root, 'li')).toHaveLength(icons.length);
    expect(textsOf(root, 'h2')).toEqual(wordsOf('h3'));
    expect(textsOf(root, 'p').filter((text) => /not stated, so|Licence text/.test(text))).toEqual(
      wordsOf('p').filter((text) => /not stated, so|Licence text/.test(text)),
    );
  });

  it('says it to machines too, and nothing about the page that holds it', async () => {
    const html = await render({ credits: icons });
    const page = `<!doctype html><html><body>${html}</body></html>`;
    expect(await triplesOf(page)).toEqual(expectedTriples(icons));
  });

  it('makes the same elements as every other framework', async () => {
    const props = { credits: [...icons, ...HOSTILE_CREDITS], heading: 3 };
    const here = readElement(readRoot(await render(props), framework));
    expect(here).toEqual(readElement(readRoot(await SERVERS.react(props), 'react')));
  });

  it('takes a level of headings, one list, classes and other attributes', async () => {
    const given = {
      credits: icons,
      heading: '4',
      class: 'mine',
      id: 'us',
      'data-kind': 'a"b',
    } as const;
    const html = await render(given);
    const root = readRoot(html, framework);
    expect(textsOf(root, 'h4').length).toBeGreaterThan(3);
    expect(textsOf(root, 'h2')).toEqual([]);
    const [outer] = DomUtils.getElementsByTagName('*', parseDocument(html));
    expect(outer?.attribs).toMatchObject({ id: 'us', 'data-kind': 'a"b' });
    expect(outer?.attribs['class']?.split(' ')).toContain('mine');
    expect(root.attribs['class']?.split(' ')).toContain('icon-credits');

    const flat = readRoot(await render({ credits: icons, grouped: false }), framework);
    expect(flat.children).toHaveLength(1);
    expect(textsOf(flat, 'h2')).toEqual([]);
    const titles = textsOf(flat, 'li').map((text) => text.split(/by Ada|Creator not/)[0]);
    expect(titles).toEqual(icons.map(({ title, id }) => title ?? `Untitled icon ${id}`));
  });

  it('is valid within a page, over untrusted words too', async () => {
    const html = await render({ credits: [...icons, ...HOSTILE_CREDITS] });
    const page = `<!doctype html><html lang="en"><head><title>Credits</title></head><body><h1>Credits</h1>${html}</body></html>`;
    const { results } = await new HtmlValidate({
      extends: ['html-validate:standard'],
    }).validateString(page);
    const said = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    );
    expect([...new Set(said)]).toEqual([]);
  });

  it('states that no icon ships', async () => {
    const root = readRoot(await render({ credits: [] }), framework);
    expect(textsOf(root, 'p')).toEqual(['No icons of the catalog are used here.']);
  });

  it('shows untrusted words as words, and links to web addresses only', async () => {
    const html = await render({ credits: HOSTILE_CREDITS });
    const root = readRoot(html, framework);
    const elements = elementsOf(root);
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(['div', 'section', 'h2', 'bdi', 'p', 'ul', 'li', 'span', 'wbr']),
    );
    const names = new Set(elements.flatMap(({ attribs }) => Object.keys(attribs)));
    expect([...names].toSorted()).toEqual(
      ['about', 'aria-labelledby', 'class', 'id', 'prefix', 'property', 'typeof'].toSorted(),
    );
    const shown = new Set(
      elements.filter(({ name }) => name === 'bdi').map((e) => DomUtils.textContent(e)),
    );
    const plain = (text: string): string => toHtmlText(text).replaceAll('\ufffd', '');
    const shownPlain = new Set([...shown].map(plain));
    for (const text of HOSTILE) expect(shownPlain).toContain(plain(text));
    const triples = await triplesOf(`<!doctype html><html><body>${html}</body></html>`);
    expect(triples.filter((triple) => !triple.startsWith(`${PAGE}#icon-`))).toEqual([]);
  });

  it('says what is wrong with its props', async () => {
    const wrong = async (props: object): Promise<unknown> => render(props as never);
    await expect(wrong({ credits: { icons } })).rejects.toThrow(
      "[OPTIONS_INVALID] `credits` of <IconCredits> is an object, not a list of credits.\n  Give it the default export of `icon:credits`: `import credits from 'icon:credits'`.",
    );
    await expect(wrong({ credits: icons, heading: 7 })).rejects.toThrow(
      '`heading` of <IconCredits> is 7, not a heading level.',
    );
  });
});
