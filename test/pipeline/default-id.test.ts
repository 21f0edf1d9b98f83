import { expect, it } from 'vitest';
import {
  isOwnValue,
  isDefaultId,
  toCanonical,
  toIconId,
  toDefaultId,
} from '../../src/request/key.ts';
import type { IconRequest } from '../../src/types.ts';

const USUAL: Omit<IconRequest, 'canonical'> = {
  id: 123,
  as: 'svg',
  class: null,
  color: 'currentColor',
  filetype: 'svg',
  size: '1em',
  title: null,
};

it.each([
  {},
  { color: 'ff0000' },
  { color: null },
  { size: null, color: null },
  { as: 'data' as const, size: '2rem' },
  { class: 'icon size as=svg', title: '#1 & "as" = ?' },
  { filetype: 'png' as const, as: 'data' as const, size: '64', color: null },
])('the id of a value leads back to the icon: %j', (differing) => {
  const icon = toCanonical({ ...USUAL, ...differing });
  const value = toDefaultId(icon);
  expect(isDefaultId(icon)).toBe(false);
  expect(isDefaultId(value)).toBe(true);
  expect(toIconId(value)).toBe(icon);
  expect(toIconId(icon)).toBe(icon);
  expect(isOwnValue(value, icon)).toBe(true);
});

it('the usual icon has the shortest id', () => {
  expect(toDefaultId(toCanonical(USUAL))).toBe('icon:123;');
});

it('only the icon itself may import its value', () => {
  expect(isOwnValue('icon:123;', 'main.js')).toBe(false);
  expect(isOwnValue('icon:123;', undefined)).toBe(false);
  expect(isOwnValue('icon:123;', toCanonical({ ...USUAL, id: 124 }))).toBe(false);
});
