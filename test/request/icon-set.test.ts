import { describe, expect, it } from 'vitest';
import { setCode } from '../../src/emit/module-code.ts';
import { isSetSpecifier, parseSet } from '../../src/request/query.ts';
import { parseRequest } from '../../src/request/parse-request.ts';

const context = { aliases: { house: 7, 'ui/büro': 8, set: 9 }, defaults: {} };

describe('a set of icons', () => {
  it('is several icons with the same parameters', () => {
    const { members, canonical } = parseSet(
      'icon:set?size=24&ids=1,house, ui%2Fb%C3%BCro&color=%23f00&import',
    );
    expect(members.map(({ key }) => key)).toEqual(['1', 'house', 'ui/büro']);
    expect(members.map(({ specifier }) => parseRequest(specifier, context))).toMatchObject([
      { id: 1, size: '24', color: 'ff0000' },
      { id: 7, size: '24', color: 'ff0000' },
      { id: 8, size: '24', color: 'ff0000' },
    ]);
    expect(canonical).toBe('icon:set?ids=1,house,ui%2Fb%C3%BCro&color=%23f00&size=24');
    expect(parseSet(canonical)).toEqual({ members, canonical });
  });

  it('needs `ids`: without them it is an alias', () => {
    expect(isSetSpecifier('icon:set?ids=1')).toBe(true);
    expect(isSetSpecifier('icon:set?size=2&ids=1')).toBe(true);
    expect(isSetSpecifier('icon:set?size=2')).toBe(false);
    expect(parseRequest('icon:set?size=2', context).id).toBe(9);
  });

  it.each([
    ['icon:set?ids=', 'empty place'],
    ['icon:set?ids=1,,2', 'empty place'],
    ['icon:set?ids=1,1', 'names `1` twice'],
    ['icon:set?ids=1&ids=2', 'given twice'],
    ['icon:set?ids=%E0', 'percent sign'],
  ])('%s is refused', (specifier, reason) => {
    expect(() => parseSet(specifier, 'a.js')).toThrow(reason);
  });

  it('is no icon to code that asks for one', () => {
    expect(() => parseRequest('icon:set?ids=1', context)).toThrow('it is a set of icons');
  });

  it('becomes an object that has these names and no others', () => {
    const code = setCode([
      { key: '__proto__', id: 'icon:1?as=svg' },
      { key: "it's </script>", id: 'icon:2?as=svg' },
    ]);
    expect(code).not.toContain('</script>');
    const body = code
      .replace('import icon0 from "icon:1?as=svg";', 'const icon0 = "one";')
      .replace('import icon1 from "icon:2?as=svg";', 'const icon1 = "two";')
      .replace('export default', 'return');
    // oxlint-disable-next-line typescript/no-implied-eval -- runs what the bundler would
    const set = new Function(body)() as Record<string, string>;
    expect(Object.entries(set)).toEqual([
      ['__proto__', 'one'],
      ["it's </script>", 'two'],
    ]);
    expect(set['toString']).toBeUndefined();
    expect(Object.isFrozen(set)).toBe(true);
  });
});
