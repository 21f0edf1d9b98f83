import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { credit, licenseCases, manifest } from './records.ts';
import { artworkOf } from './visit-page.ts';

const made = manifest(licenseCases());
const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

const LAYOUT = `<!DOCTYPE html>
<html lang="en">
<head>
<title>Shop: credits</title>
</head>
<body>
<main>
<h1>Our credits</h1>
<!-- icon-credits -->
</main>
</body>
</html>
`;

describe('the fragment', () => {
  it('is one section without style and script, and without artwork that was not given', () => {
    const html = renderAttribution(made, 'html-fragment');
    expect(html).toMatch(/^<section class="icon-credits"[^>]*>\n<h2 [^]*<\/section>\n$/);
    expect(html).not.toMatch(/<(?:style|script|link|meta|svg|img)\b|class="tile/);
    for (const { id } of made.icons) expect(html).toContain(`<li id="icon-${id}"`);
    const drawn = renderAttribution(made, 'html-fragment', { artwork: artworkOf(made) });
    expect(drawn.match(/<svg /g)).toHaveLength(made.icons.length);
  });

  it('takes its place among the headings of a page', () => {
    const html = renderAttribution(made, 'html-fragment', { headingLevel: 4 });
    expect(html).toContain('<h4 id="icon-credits-name">');
    expect(html).toContain('<h5 id="licence-');
    expect(html).not.toMatch(/<h[1236]\b/);
  });

  it('says where the list is not complete', () => {
    expect(renderAttribution(manifest([credit()], { complete: false }), 'html-fragment')).toContain(
      'not complete yet',
    );
  });
});

describe('a page of one’s own', () => {
  it('holds the credits at their place, and is valid', async () => {
    const page = renderAttribution(made, 'html', { template: LAYOUT, artwork: artworkOf(made) });
    const [head = '', foot = ''] = LAYOUT.split('<!-- icon-credits -->');
    expect(page.startsWith(head)).toBe(true);
    expect(page.endsWith(foot)).toBe(true);
    const { results } = await validator.validateString(page);
    expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
  });

  it('may be written by a function', () => {
    const page = renderAttribution(made, 'html', {
      template: ({ fragment, manifest: { icons } }) => `${icons.length}: ${fragment}`,
    });
    expect(page).toMatch(/^12: <section class="icon-credits"/);
  });

  it('keeps words that look like patterns of a replacement', () => {
    const odd = manifest([credit({ term: "$& $1 $' $$" })]);
    expect(renderAttribution(odd, 'html', { template: LAYOUT })).toContain('$&#38; $1 $&#39; $$');
  });

  it('is refused where it has no place for them', () => {
    expect(() => renderAttribution(made, 'html', { template: '<p>Hello</p>' })).toThrow(
      /OPTIONS_INVALID[\s\S]*<!-- icon-credits -->/,
    );
  });
});
