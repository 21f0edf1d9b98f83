import { describe, expect, it } from 'vitest';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { HOSTILE } from './hostile.ts';
import { credit, licenseCases, manifest } from './records.ts';
import { expectedTriples, PAGE, triplesOf } from './read-triples.ts';
import { artworkOf } from './visit-page.ts';

const drawn = credit(
  { id: '30', term: 'Drawn' },
  { drawn: ['Created by Ada', 'from a catalog'], notices: ['© 2020 Ada'] },
);

describe.each(['html', 'html-fragment'] as const)('RDFa of the %s', (format) => {
  it('says what the JSON says, and nothing about the page that holds it', async () => {
    const made = manifest([...licenseCases(), drawn]);
    const html = renderAttribution(made, format, { artwork: artworkOf(made) });
    const page = format === 'html' ? html : `<!doctype html><html><body>${html}</body></html>`;
    expect(await triplesOf(page)).toEqual(expectedTriples(made.icons));
  });

  it('takes no triple from untrusted words', async () => {
    const made = manifest(
      HOSTILE.map((text, index) =>
        credit({
          id: String(index + 1),
          term: text,
          attribution: text,
          creator: { name: text, permalink: text, username: text },
          license_description: 'MIT',
        }),
      ),
    );
    const html = renderAttribution(made, format);
    const page = format === 'html' ? html : `<!doctype html><html><body>${html}</body></html>`;
    const triples = await triplesOf(page);
    expect(triples).toHaveLength(expectedTriples(made.icons).length);
    const subjects = new Set(triples.map((triple) => triple.split(' ')[0]));
    expect([...subjects].every((subject) => subject?.startsWith(`${PAGE}#icon-`))).toBe(true);
  });
});
