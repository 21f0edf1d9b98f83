import type { Transform } from 'node:stream';
import { RdfaParser } from 'rdfa-streaming-parser';
import { describe, expect, it } from 'vitest';
import { describeChanges } from '../../src/attribution/compute-changes.ts';
import { renderAttribution } from '../../src/attribution/render-attribution.ts';
import type { Manifest, ManifestIcon } from '../../src/types.ts';
import { HOSTILE } from './hostile.ts';
import { credit, licenseCases, manifest } from './records.ts';
import { artworkOf } from './visit-page.ts';

const PAGE = 'https://site.example/credits';
const CC = 'http://creativecommons.org/ns#';
const DCT = 'http://purl.org/dc/terms/';

interface Quad {
  subject: { value: string };
  predicate: { value: string };
  object: { termType: string; value: string };
}

/** Triples as lines `subject predicate object`, the objects of literals in quotes. */
async function triplesOf(html: string): Promise<string[]> {
  // It is a stream of Node, which its types do not say.
  const parser = new RdfaParser({
    baseIRI: PAGE,
    contentType: 'text/html',
  }) as unknown as Transform;
  const triples: string[] = [];
  parser.on('data', ({ subject, predicate, object }: Quad) => {
    const value = object.termType === 'Literal' ? JSON.stringify(object.value) : object.value;
    triples.push(`${subject.value} ${predicate.value} ${value}`);
  });
  await new Promise((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', reject);
    parser.end(html);
  });
  return triples.toSorted();
}

/** What the JSON says, in the same form. */
function expected({ icons }: Manifest): string[] {
  return icons.flatMap(triplesOfIcon).toSorted();
}

function triplesOfIcon(icon: ManifestIcon): string[] {
  const subject = `${PAGE}#icon-${icon.id}`;
  const author = icon.creator.name ?? icon.creator.username;
  const lines: [string, string | null][] = [
    ['http://www.w3.org/1999/02/22-rdf-syntax-ns#type', `${CC}Work`],
    [`${DCT}title`, literal(icon.title)],
    [`${DCT}source`, icon.source.url],
    [`${CC}attributionName`, literal(author)],
    [`${CC}attributionURL`, author === null ? null : icon.creator.url],
    [`${DCT}rights`, literal(icon.credit.requested)],
    ...(icon.credit.drawn ?? []).map((words): [string, string | null] => [
      `${DCT}rights`,
      literal(words),
    ]),
    [`${DCT}rights`, icon.license.url === null ? literal(icon.license.name) : null],
    [`${CC}license`, icon.license.url],
    [`${DCT}provenance`, literal(describeChanges(icon.changes))],
  ];
  return lines.flatMap(([predicate, object]) =>
    object === null ? [] : [`${subject} ${predicate} ${object}`],
  );
}

function literal(text: string | null): string | null {
  return text === null ? null : JSON.stringify(text);
}

const drawn = credit({ id: '30', term: 'Drawn' }, { drawn: ['Created by Ada', 'from a catalog'] });

describe.each(['html', 'html-fragment'] as const)('RDFa of the %s', (format) => {
  it('says what the JSON says, and nothing about the page that holds it', async () => {
    const made = manifest([...licenseCases(), drawn]);
    const html = renderAttribution(made, format, { artwork: artworkOf(made) });
    const page = format === 'html' ? html : `<!doctype html><html><body>${html}</body></html>`;
    expect(await triplesOf(page)).toEqual(expected(made));
  });

  it('takes no triple from strangers’ words', async () => {
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
    expect(triples).toHaveLength(expected(made).length);
    const subjects = new Set(triples.map((triple) => triple.split(' ')[0]));
    expect([...subjects].every((subject) => subject?.startsWith(`${PAGE}#icon-`))).toBe(true);
  });
});
