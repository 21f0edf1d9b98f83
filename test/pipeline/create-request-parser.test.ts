import { describe, expect, it } from 'vitest';
import { createRequestParser, parseRequest } from '../../src/request/parse-request.ts';

const context = {
  aliases: { house: 7, 12: 99 },
  framework: undefined,
  defaults: { color: '#F00', class: 'a b' },
};

const QUERIES = [
  '',
  '?',
  '?raw',
  '?size=2em',
  '?title=A%20%3F%20b',
  '?filetype=png&size=64',
  '?as=data&color=%23abc',
];

describe('reading many imports', () => {
  it('is the same as reading each by itself, in any order', () => {
    const parse = createRequestParser(context);
    const references = [
      '1',
      '123',
      '999999999999999',
      '9007199254740991',
      '007',
      'house',
      '12',
      '%31',
    ];
    const specifiers = references.flatMap((reference) =>
      QUERIES.map((query) => `icon:${reference}${query}`),
    );
    for (const specifier of [...specifiers, ...specifiers.toReversed()]) {
      const request = parseRequest(specifier, context);
      expect(parse(specifier), specifier).toEqual(request);
      expect(parse(request.canonical), specifier).toEqual(parseRequest(request.canonical, context));
    }
  });

  it('refuses each wrong import with its own importer', () => {
    const parse = createRequestParser(context);
    for (const specifier of [
      'icon:0',
      'icon:1?colour=red',
      'icon:2?colour=red',
      'icon:1e3',
      'icon:1#a',
      'icon:credits',
    ]) {
      for (const importer of ['a.js', 'b.js']) {
        expect(() => parse(specifier, importer)).toThrow(importer);
      }
    }
  });
});
