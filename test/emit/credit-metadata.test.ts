import { describe, expect, it } from 'vitest';
import { withCreditMetadata } from '../../src/emit/svg-text.ts';
import { HOSTILE } from '../attribution/hostile.ts';
import { credit } from '../attribution/records.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>';

describe('withCreditMetadata', () => {
  it('says whose the file is, in RDF about the file itself', () => {
    const made = credit({ attribution: 'Whale by Ada, CC BY 3.0' });
    expect(withCreditMetadata(SVG, made)).toBe(
      SVG.replace(
        '<path',
        '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dct="http://purl.org/dc/terms/"><cc:Work rdf:about=""><dct:title>Whale</dct:title><cc:attributionName>Ada</cc:attributionName><cc:attributionURL rdf:resource="https://catalog.example/ada/"/><dct:source rdf:resource="https://catalog.example/icon/whale-123/"/><cc:license rdf:resource="https://creativecommons.org/licenses/by/3.0/"/><dct:rights>Whale by Ada, CC BY 3.0</dct:rights><dct:provenance>recoloured; optimised</dct:provenance></cc:Work></rdf:RDF></metadata><path',
      ),
    );
    expect(withCreditMetadata('<svg/>', made)).toMatch(/^<svg><metadata>.*<\/metadata><\/svg>$/);
  });

  it.each(HOSTILE.map((text, index) => [index, text]))(
    'lets nothing of %i become markup',
    (_, text) => {
      const made = credit({
        term: `T${text}`,
        attribution: `C${text}`,
        license_description: 'MIT',
      });
      const svg = withCreditMetadata(SVG, made);
      const names = [...svg.matchAll(/<\/?([^\s/>]+)/g)].map(([, name]) => name);
      const plain = withCreditMetadata(SVG, credit({ license_description: 'MIT' }));
      expect(names).toEqual([...plain.matchAll(/<\/?([^\s/>]+)/g)].map(([, name]) => name));
      expect(svg).not.toMatch(
        /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u,
      );
    },
  );
});
