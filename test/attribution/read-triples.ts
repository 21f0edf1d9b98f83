import type { Transform } from 'node:stream';
import { RdfaParser } from 'rdfa-streaming-parser';
import { describeChanges } from '../../src/attribution/credit/create-credit.ts';
import type { Credit } from '../../src/types.ts';

/** Address of the page that the triples are read from. */
export const PAGE = 'https://site.example/credits';
const CC = 'http://creativecommons.org/ns#';
const DCT = 'http://purl.org/dc/terms/';

interface Quad {
  subject: { value: string };
  predicate: { value: string };
  object: { termType: string; value: string };
}

/** Triples as lines `subject predicate object`, the objects of literals in quotes. */
export async function triplesOf(html: string): Promise<string[]> {
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
export function expectedTriples(icons: readonly Credit[]): string[] {
  return icons.flatMap(triplesOfIcon).toSorted();
}

function triplesOfIcon(icon: Credit): string[] {
  const subject = `${PAGE}#icon-${icon.id}`;
  const author = icon.creator.name ?? icon.creator.username;
  const lines: [string, string | null][] = [
    ['http://www.w3.org/1999/02/22-rdf-syntax-ns#type', `${CC}Work`],
    [`${DCT}title`, literal(icon.title)],
    [`${DCT}source`, icon.source.url],
    [`${CC}attributionName`, literal(author)],
    [`${CC}attributionURL`, author === null ? null : icon.creator.url],
    [`${DCT}rights`, literal(icon.credit.requested)],
    ...(icon.credit.notices ?? []).map((words): [string, string | null] => [
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
