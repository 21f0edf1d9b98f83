import type { Credit } from '../types.ts';

/** Characters that no XML document may hold. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/**
 * The credit as RDF (ccREL and Dublin Core) in a `<metadata>` element, first in the root. It speaks of the file that
 * holds it (`rdf:about=""`).
 */
export function withCreditMetadata(svg: string, credit: Credit): string {
  const start = /<svg\b[^>]*?(\/?)>/.exec(svg);
  if (start === null) return svg;
  const end = start.index + start[0].length;
  const metadata = creditMetadata(credit);
  return start[1] === '/'
    ? `${svg.slice(0, end - 2)}>${metadata}</svg>${svg.slice(end)}`
    : svg.slice(0, end) + metadata + svg.slice(end);
}

export function creditMetadata({
  title,
  creator,
  credit,
  source,
  license,
  changes,
}: Credit): string {
  const author = creator.name ?? creator.username;
  const notes = changes.map(({ summary }) => summary).join('; ');
  return [
    '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dct="http://purl.org/dc/terms/"><cc:Work rdf:about="">',
    text('dct:title', title),
    text('cc:attributionName', author),
    resource('cc:attributionURL', creator.url),
    resource('dct:source', source.url),
    resource('cc:license', license.url),
    text('dct:rights', license.url === null ? license.name : null),
    text('dct:rights', credit.requested),
    text('dct:provenance', notes),
    '</cc:Work></rdf:RDF></metadata>',
  ].join('');
}

function text(name: string, value: string | null): string {
  return value === null || value === '' ? '' : `<${name}>${escapeXml(value)}</${name}>`;
}

function resource(name: string, address: string | null): string {
  return address === null ? '' : `<${name} rdf:resource="${escapeXml(address)}"/>`;
}

function escapeXml(value: string): string {
  return value
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
