import { expect, it } from 'vitest';
import { suggest } from '../../src/request/suggest.ts';

const words = ['color', 'size', 'filetype', 'as', 'title', 'class'];

it.each([
  ['colour', 'color'],
  ['COLOR', 'color'],
  ['sizes', 'size'],
  ['filetpye', 'filetype'],
  ['file', 'filetype'],
  ['titel', 'title'],
  ['claas', 'class'],
  ['a', undefined],
  ['sa', 'as'],
  ['x', undefined],
  ['', undefined],
  ['weight', undefined],
  ['colorcolor', undefined],
])('%j is near %j', (word, nearest) => {
  expect(suggest(word, words)).toBe(nearest);
});

it('takes the nearest, and of equals the first', () => {
  expect(suggest('star', ['stars', 'start', 'star-1'])).toBe('stars');
  expect(suggest('start', ['star', 'start'])).toBe('start');
  expect(suggest('x', [])).toBeUndefined();
});
