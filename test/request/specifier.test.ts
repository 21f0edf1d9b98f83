import { expect, it } from 'vitest';
import { isCreditsSpecifier, isIconSpecifier } from '../../src/request/key.ts';

it.each([
  ['icon:1', true],
  ['icon:', true],
  ['icon:credits', true],
  ['icons:1', false],
  ['./icon:1', false],
  ['Icon:1', false],
])('%s is ours: %s', (id, ours) => {
  expect(isIconSpecifier(id)).toBe(ours);
});

it.each([
  ['icon:credits', true],
  ['icon:credits?', true],
  ['icon:credits?import', true],
  ['icon:credits?t=1&import', true],
  ['icon:credits?raw', false],
  ['icon:creditsx', false],
  ['icon:credit', false],
  ['icon:1', false],
])('%s is the list of credits: %s', (id, credits) => {
  expect(isCreditsSpecifier(id)).toBe(credits);
});
