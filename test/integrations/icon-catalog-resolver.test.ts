import { expect, it } from 'vitest';
import { IconCatalogResolver, parseSpecifier } from '../../src/index.ts';

const aliases = { house: 1, 'arrow-left': 2, 'ui/büro': 3, x2: 4 };

it('finds ids and aliases under every spelling of a name', () => {
  const { type, resolve } = IconCatalogResolver({ aliases });
  expect(type).toBe('component');
  expect(['IconHouse', 'iconHouse', 'icon-house', 'ICONHOUSE'].map(resolve)).toEqual(
    Array.from({ length: 4 }, () => 'icon:house?as=component'),
  );
  expect(resolve('Icon123')).toBe('icon:123?as=component');
  expect(resolve('IconArrowLeft')).toBe('icon:arrow-left?as=component');
  expect(resolve('IconUiBüro')).toBe('icon:ui%2Fb%C3%BCro?as=component');
  expect(resolve('IconX2')).toBe('icon:x2?as=component');
});

it('leaves names of others alone', () => {
  const { resolve } = IconCatalogResolver({ aliases });
  for (const name of ['Icon', 'IconButton', 'House', 'RouterLink', 'Icon0', 'Icon-', 'toString'])
    expect(resolve(name)).toBeUndefined();
});

it('takes a prefix and parameters', () => {
  const { resolve } = IconCatalogResolver({
    prefix: 'I-',
    aliases,
    params: { size: '1.5em', class: 'a b' },
  });
  expect(resolve('IconHouse')).toBeUndefined();
  expect(resolve('IHouse')).toBe('icon:house?as=component&size=1.5em&class=a%20b');
  const specifier = resolve('IHouse') ?? '';
  expect(parseSpecifier(specifier, { aliases, framework: 'vue' })).toMatchObject({
    id: 1,
    as: 'component',
    size: '1.5em',
    class: 'a b',
  });
});

it('finds the icons of installed sets by their names, and no others', () => {
  const { resolve } = IconCatalogResolver({ prefix: 'i', aliases });
  for (const name of ['ITablerArrowLeft', 'i-tabler-arrow-left', 'i-tabler:arrow-left'])
    expect(resolve(name)).toBe('icon:tabler/arrow-left?as=component');
  // Tools that write names in one word lose the hyphen before a digit.
  expect(resolve('ITablerSquareNumber3')).toBe('icon:tabler/square-number-3?as=component');
  expect(resolve('IGameIconsHouse')).toBe('icon:game-icons/house?as=component');
  expect(resolve('IHouse')).toBe('icon:house?as=component');
  // The set hides it: its owner withdrew it, and projects that show it still build.
  expect(resolve('ITablerArrowBottomCircle')).toBe('icon:tabler/arrow-bottom-circle?as=component');
  for (const name of ['ITabler', 'ITablerNowhere', 'IonButton', 'IMdiHome', 'TablerHome'])
    expect(resolve(name)).toBeUndefined();

  const some = IconCatalogResolver({ prefix: 'i', sets: ['maki'] });
  expect(some.resolve('IMakiHome')).toBe('icon:maki/home?as=component');
  expect(some.resolve('ITablerHome')).toBeUndefined();
  expect(IconCatalogResolver({ sets: [] }).resolve('IconMakiHome')).toBeUndefined();
});
