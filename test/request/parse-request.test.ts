import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IconCatalogError } from '../../src/errors.ts';
import { parseRequest, parseSpecifier } from '../../src/request/parse-request.ts';
import type { ParseSpecifierOptions } from '../../src/request/parse-request.ts';

function refused(specifier: string, options: ParseSpecifierOptions = {}): IconCatalogError {
  try {
    parseSpecifier(specifier, options);
  } catch (error) {
    if (error instanceof IconCatalogError) return error;
    throw error;
  }
  throw new Error(`${specifier} was accepted`);
}

it.each([
  ['icon:123?meta', 'as=meta'],
  ['icon:123?svg', 'as=svg'],
  ['icon:123?png', 'filetype=png'],
])('%s is refused, with `%s` as what was meant', (specifier, meant) => {
  expect(() => parseRequest(specifier, { aliases: {}, defaults: {} })).toThrow(
    `Did you mean \`${meant}\`?`,
  );
});

it('the list of all credits is no icon, and nothing else is proposed for it', () => {
  const parse = () => parseRequest('icon:credits', { aliases: {}, defaults: {} });
  expect(parse).toThrow('`icon:credits` is the list of credits, not an icon');
  expect(parse).not.toThrow('Did you mean');
});

describe('what is left out', () => {
  it('is svg markup in currentColor at 1em', () => {
    expect(parseSpecifier('icon:123')).toEqual({
      id: 123,
      filetype: 'svg',
      as: 'svg',
      color: 'currentColor',
      size: '1em',
      title: null,
      class: null,
      canonical: 'icon:123?as=svg&color=currentColor&filetype=svg&size=1em',
    });
  });

  it('is a file in the colour and size of the service for a png', () => {
    expect(parseSpecifier('icon:123?filetype=png')).toMatchObject({
      as: 'url',
      color: null,
      size: null,
      canonical: 'icon:123?as=url&filetype=png',
    });
  });

  it('comes from the defaults of the options', () => {
    const defaults = { color: '#F00', size: 24, as: 'url', class: 'icon  big' } as const;
    expect(parseSpecifier('icon:1', { defaults })).toMatchObject({
      color: 'ff0000',
      size: '24',
      as: 'url',
      class: 'icon big',
    });
    expect(parseSpecifier('icon:1?color=00f&size=2em&raw&class=x', { defaults })).toMatchObject({
      color: '0000ff',
      size: '2em',
      as: 'svg',
      class: 'x',
    });
    expect(parseSpecifier('icon:1?filetype=png', { defaults })).toMatchObject({
      color: 'ff0000',
      size: '24',
      as: 'url',
      class: null,
    });
  });

  it.each([
    [{ color: 'currentColor', size: '2em', as: 'svg' } as const],
    [{ size: 19 }],
    [{ size: 1201 }],
    [{ size: '24.5' }],
  ])('leaves a png alone where a default cannot be met: %j', (defaults) => {
    expect(parseSpecifier('icon:1?filetype=png', { defaults })).toMatchObject({
      color: null,
      size: null,
      as: 'url',
    });
  });

  it('names the option when a default is at fault', () => {
    expect(refused('icon:1', { defaults: { color: 'red' } })).toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'defaults.color',
    });
    expect(refused('icon:1', { defaults: { size: -1 } })).toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'defaults.size',
    });
    expect(refused('icon:1', { defaults: { class: ' ' } })).toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'defaults.class',
    });
    expect(refused('icon:1', { defaults: { as: 'rul' as 'url' } }).message).toContain(
      'Did you mean `url`?',
    );
  });
});

describe('the reference', () => {
  it.each([
    ['icon:1', 1],
    ['icon:007', 7],
    ['icon:9007199254740991', Number.MAX_SAFE_INTEGER],
    ['icon:%31%32', 12],
    ['icon:house', 5],
    ['icon:caf%C3%A9', 6],
    ['icon:café', 6],
    ['icon:123?', 123],
  ])('%s', (specifier, id) => {
    expect(parseSpecifier(specifier, { aliases: { house: 5, café: 6 } }).id).toBe(id);
  });

  it.each([
    'icon:',
    'icon:?color=f00',
    'icon:0',
    'icon:000',
    'icon:-1',
    'icon:1.5',
    'icon:1e3',
    'icon:0x10',
    'icon:9007199254740993',
    'icon:99999999999999999999999999',
    'icon: 1',
    'icon:1 ',
    'icon:１２',
    'icon:NaN',
    'icon:Infinity',
    'icon:hous',
    'icon:constructor',
    'icon:__proto__',
    'icon:toString',
    'icon://123',
    'icon:123.svg',
    'icon:123#f00',
    'icon:%',
    'icon:%zz',
    'icon:%ff',
    'icon:credits',
    'icon:credits?color=f00',
    'icon:123/4',
    '123',
    'Icon:123',
    '',
  ])('refuses %j', (specifier) => {
    expect(refused(specifier, { aliases: { house: 5 } }).code).toBe('SPECIFIER_INVALID');
  });

  it('offers the nearest spelling', () => {
    const aliases = { house: 5, 'arrow-left': 6 };
    expect(refused('icon:hosue', { aliases }).remedy).toBe('Did you mean `icon:house`?');
    expect(refused('icon:Arrow-Left', { aliases }).remedy).toBe('Did you mean `icon:arrow-left`?');
    expect(refused('icon:credit', { aliases }).remedy).toBe('Did you mean `icon:credits`?');
    expect(refused('icon://123').remedy).toBe('Did you mean `icon:123`?');
    expect(refused('icon:1?as=inline').remedy).toBe('Did you mean `as=data`?');
    for (const word of ['react', 'web-component', 'jsx'])
      expect(refused(`icon:1?as=${word}`).remedy).toBe('Did you mean `as=component`?');
    expect(refused('icon:1?as=raw').remedy).toBe('Did you mean `as=svg`?');
    expect(refused('icon:1?filetype=raw').remedy).toBe('Correct the import.');
    expect(refused('icon:0123.svg').remedy).toBe('Did you mean `icon:123`?');
    expect(refused('icon:zzz', { aliases }).message).toContain('`house`, `arrow-left`');
    expect(refused('icon:zzz', { catalog: 'embedded' }).remedy).toContain('`icon:tabler/zzz`');
    expect(refused('icon:zzz', { aliases }).remedy).toBe('Correct the import.');
  });

  it('distinguishes a wrong alias from a wrong import', () => {
    expect(refused('icon:a', { aliases: { a: -1 } })).toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'aliases.a',
    });
  });
});

describe('color', () => {
  it.each([
    ['f00', 'ff0000'],
    ['F0a', 'ff00aa'],
    ['#f00', 'ff0000'],
    ['%23f00', 'ff0000'],
    ['%23FF00aa', 'ff00aa'],
    ['AbCdEf', 'abcdef'],
    ['currentColor', 'currentColor'],
    ['CURRENTCOLOR', 'currentColor'],
    ['Original', 'original'],
    ['123', '112233'],
  ])('%s is %s', (written, color) => {
    expect(parseSpecifier(`icon:1?color=${written}`).color).toBe(color);
  });

  it('understands everything behind an unencoded #', () => {
    expect(parseSpecifier('icon:1?color=#f00&size=64&as=url')).toEqual(
      parseSpecifier('icon:1?as=url&size=64&color=ff0000'),
    );
  });

  it.each([
    ['red', 'ff0000'],
    ['currentcolour', 'currentColor'],
    ['orginal', 'original'],
    ['ff0000cc', 'ff0000'],
    ['#f00c', 'f00'],
  ])('refuses %s and offers %s', (written, nearest) => {
    expect(refused(`icon:1?color=${written}`).remedy).toBe(`Did you mean \`${nearest}\`?`);
  });

  it.each([
    '',
    '%23',
    'ff',
    'fffff',
    'gggggg',
    'none',
    'transparent',
    '##f00',
    'rgb(1,2,3)',
    '+f00',
    ' f00',
    'var(--x)',
    '\u0661\u0662\u0663',
  ])('refuses %j', (written) => {
    expect(refused(`icon:1?color=${written}`).code).toBe('SPECIFIER_INVALID');
  });
});

describe('size', () => {
  it.each<[string, string]>([
    ['64', '64'],
    ['64px', '64'],
    ['64.0', '64'],
    ['064', '64'],
    ['1em', '1em'],
    ['1.50EM', '1.5em'],
    ['.5rem', '0.5rem'],
    ['2rem', '2rem'],
    ['10Q', '10Q'],
    ['10q', '10Q'],
    ['3cqmin', '3cqmin'],
    ...'cm mm in pc pt em rem ex rex cap rcap ch rch ic ric lh rlh vw vh vi vb vmin vmax svw dvh lvmin cqw cqh cqi'
      .split(' ')
      .map((unit): [string, string] => [`2${unit}`, `2${unit}`]),
    ['100000', '100000'],
    ['0.001', '0.001'],
  ])('svg %s is %s', (written, size) => {
    expect(parseSpecifier(`icon:1?size=${written}`).size).toBe(size);
  });

  it.each([
    '',
    '0',
    '0px',
    '-1',
    '+1',
    '1e3',
    'NaN',
    'Infinity',
    '100001',
    '0.0009',
    '1 em',
    '1emm',
    'em',
    '50%25',
    'calc(1px)',
    '1em;x',
    '1"',
    '９',
  ])('svg refuses %j', (written) => {
    expect(refused(`icon:1?size=${written}`).code).toBe('SPECIFIER_INVALID');
  });

  it.each([
    ['20', '20'],
    ['1200', '1200'],
    ['0064', '64'],
  ])('png %s is %s', (written, size) => {
    expect(parseSpecifier(`icon:1?filetype=png&size=${written}`).size).toBe(size);
  });

  it.each([
    ['19', 'size=20'],
    ['1201', 'size=1200'],
    ['64px', 'size=64'],
    ['64.5', 'size=65'],
    ['0', 'size=20'],
    ['99999999999', 'size=1200'],
  ])('png refuses %s and offers %s', (written, nearest) => {
    expect(refused(`icon:1?filetype=png&size=${written}`).remedy).toBe(
      `Did you mean \`${nearest}\`?`,
    );
  });

  it.each(['', '1em', '-20', '+20', 'x', '2e2'])('png refuses %j', (written) => {
    expect(refused(`icon:1?filetype=png&size=${written}`).message).toContain('20 to 1200');
  });

  it('offers the nearest unit', () => {
    expect(refused('icon:1?size=2rme').remedy).toMatch(/^Did you mean `size=2r?em`\?$/);
  });
});

describe('as and filetype', () => {
  it.each([
    ['raw', 'svg'],
    ['url', 'url'],
    ['inline', 'data'],
    ['raw=', 'svg'],
  ])('?%s means as=%s', (flag, as) => {
    expect(parseSpecifier(`icon:1?${flag}`)).toEqual(parseSpecifier(`icon:1?as=${as}`));
  });

  it.each([
    'as=svg&url',
    'url&raw',
    'as=url&as=url',
    'raw&raw',
    'color=f00&color=00f',
    'size=1&size=1',
    'title=a&title=b',
  ])('refuses %s: given twice', (query) => {
    expect(refused(`icon:1?${query}`).message).toContain('twice');
  });

  it.each(['raw=1', 'url=true', 'inline=data', 'sprite=x'])(
    'refuses the value of a flag: %s',
    (query) => {
      expect(refused(`icon:1?${query}`).message).toContain('takes no value');
    },
  );

  it.each(['as', 'color', 'size&color=f00', 'title'])(
    'refuses a parameter without value: %s',
    (query) => {
      expect(refused(`icon:1?${query}`).message).toContain('has no value');
    },
  );

  it.each([
    ['as=', undefined],
    ['as=vsg', 'as=svg'],
    ['as=SVG', 'as=svg'],
    ['as=dat', 'as=data'],
    ['filetype=PNG', 'filetype=png'],
    ['filetype=gif', undefined],
  ])('refuses %s', (query, nearest) => {
    const { remedy } = refused(`icon:1?${query}`);
    expect(remedy).toBe(
      nearest === undefined ? 'Correct the import.' : `Did you mean \`${nearest}\`?`,
    );
  });

  it.each(['svg', 'component', 'sprite'])('says why a png cannot be as=%s', (as) => {
    expect(refused(`icon:1?filetype=png&as=${as}`).message).toContain(
      'is markup, which a png does not have',
    );
  });

  it.each(['title=Star', 'class=a'])('says why a png cannot have %s', (query) => {
    expect(refused(`icon:1?filetype=png&${query}`).message).toContain('a png has none');
  });

  it('says why a png cannot be in currentColor', () => {
    expect(refused('icon:1?filetype=png&color=currentColor').message).toContain(
      'a png cannot have',
    );
  });

  it('needs a framework for a component, which is then the default of svg', () => {
    const { code, message } = refused('icon:1?component');
    expect(code).toBe('FRAMEWORK_MISSING');
    expect(message).toContain("`framework: 'react'`");
    const vue = { framework: 'vue' } as const;
    expect(parseSpecifier('icon:1', vue).as).toBe('component');
    expect(parseSpecifier('icon:1?component', vue)).toEqual(parseSpecifier('icon:1', vue));
    expect(parseSpecifier('icon:1', { framework: () => '' }).as).toBe('component');
    expect(parseSpecifier('icon:1', { ...vue, defaults: { as: 'svg' } }).as).toBe('svg');
    expect(parseSpecifier('icon:1?filetype=png', vue).as).toBe('url');
    expect(parseSpecifier('icon:1?raw', vue).as).toBe('svg');
  });

  it('is one request for a record, however it would be painted', () => {
    const plain = parseSpecifier('icon:1?as=meta');
    expect(parseSpecifier('icon:1?as=meta&color=f00&size=3em&title=x&class=y')).toEqual(plain);
    expect(parseSpecifier('icon:1?as=meta&filetype=png&size=64')).toEqual(plain);
    expect(refused('icon:1?as=meta&color=nope').code).toBe('SPECIFIER_INVALID');
  });
});

describe('title and class', () => {
  it.each([
    ['Star', 'Star'],
    ['A%20%26%20B', 'A & B'],
    ['a+b', 'a+b'],
    ['a=b', 'a=b'],
    ['%E2%98%85 ★ 👩‍🚀', '★ ★ 👩‍🚀'],
    ['%3Cscript%3E"\'', '<script>"\''],
    [' x ', 'x'],
    ['', null],
    ['%20', null],
    ['what?', 'what?'],
    ['#1', '#1'],
  ])('title %j is %j', (written, title) => {
    expect(parseSpecifier(`icon:1?title=${written}`).title).toBe(title);
  });

  it.each([
    'a%00',
    'a%0Ab',
    'a%7Fb',
    'a%C2%80',
    'a\ud800',
    '\udc00b',
    'a%EF%BF%BF',
    '%',
    '%E2%98',
    '100%',
  ])('refuses the title %j', (written) => {
    expect(refused(`icon:1?title=${written}`).code).toBe('SPECIFIER_INVALID');
  });

  it.each([
    ['a', 'a'],
    ['b%20a%20%20b', 'b a'],
    [' a%09c ', 'a c'],
    ['md:w-1/2', 'md:w-1/2'],
    ['"><x', '"><x'],
  ])('class %j is %j', (written, names) => {
    expect(parseSpecifier(`icon:1?class=${written}`).class).toBe(names);
  });

  it.each(['', '%20', 'a%00', 'a\ud800'])('refuses the class %j', (written) => {
    expect(refused(`icon:1?class=${written}`).code).toBe('SPECIFIER_INVALID');
  });
});

describe('a query', () => {
  it.each(['import', 't=1700000000000', 'v=0a1b2c3d', 'import&t=1', '&', '&&'])(
    'may hold what a dev server appends: %s',
    (query) => {
      expect(parseSpecifier(`icon:1?${query}`)).toEqual(parseSpecifier('icon:1'));
      expect(parseSpecifier(`icon:1?color=f00&${query}`)).toEqual(
        parseSpecifier('icon:1?color=f00'),
      );
    },
  );

  it.each([
    ['colour=f00', 'color'],
    ['Color=f00', 'color'],
    ['fill=f00', 'color'],
    ['width=3', 'size'],
    ['file=svg', 'filetype'],
    ['className=x', 'class'],
    ['alt=x', 'title'],
    ['Raw', 'raw'],
    ['ulr', 'url'],
    ['sise=3', 'size'],
  ])('refuses %s and offers %s', (query, nearest) => {
    const error = refused(`icon:1?${query}`);
    expect(error.remedy).toBe(`Did you mean \`${nearest}\`?`);
    expect(error.message).toContain('Allowed: color, size, filetype, as, title, class');
  });

  it.each(['x=1', '=1', '__proto__=1', 'constructor=1', 't=abc', 'v=xyz', 'import=1', '%zz=1'])(
    'refuses %s',
    (query) => {
      expect(refused(`icon:1?${query}`).code).toBe('SPECIFIER_INVALID');
    },
  );
});

describe('an error', () => {
  it('says what was written, what is allowed, the nearest spelling and the importer', () => {
    const run = () =>
      parseRequest('icon:123?colr=f00', { aliases: {}, defaults: {} }, 'src/app.ts');
    expect(run).toThrowError(
      '[SPECIFIER_INVALID] Cannot use `icon:123?colr=f00`: there is no parameter `colr`. Allowed: color, size, filetype, as, title, class, and the flags raw, url, inline, component, sprite.\n' +
        '  imported by src/app.ts\n  Did you mean `color`?',
    );
    expect(refused('icon:123?colr=f00')).toMatchObject({ icon: '123', importer: undefined });
  });

  it('shows no control characters and no endless text', () => {
    const { message } = refused(`icon:1?title=\u001b[2J\u202e${'x'.repeat(5000)}`);
    expect(message).not.toMatch(/[\u001b\u202e]/u);
    expect(message.length).toBeLessThan(700);
  });
});

const color = fc.oneof(
  fc.constantFrom('currentColor', 'original'),
  fc.stringMatching(/^[\da-f]{6}$/),
);
const text = fc.string({ unit: 'binary', maxLength: 12 });
const specifier = fc
  .record({
    id: fc.integer({ min: 1, max: 2 ** 40 }),
    color: fc.option(color),
    size: fc.option(fc.constantFrom('1em', '64', '2.5rem', '24px')),
    as: fc.option(fc.constantFrom('svg', 'url', 'data', 'meta')),
    title: fc.option(text),
    class: fc.option(text),
  })
  .map(({ id, ...query }) => ({
    id,
    pairs: Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
    ),
  }));

describe('the canonical form', () => {
  const parses = (written: string) => {
    try {
      return parseSpecifier(written);
    } catch {
      return undefined;
    }
  };

  it('is its own canonical form, and safe to stand in a path or in quotes', () => {
    fc.assert(
      fc.property(specifier, ({ id, pairs }) => {
        const request = parses(`icon:${id}?${pairs.join('&')}`);
        fc.pre(request !== undefined);
        expect(parseSpecifier(request.canonical)).toEqual(request);
        expect(request.canonical).toMatch(/^icon:\d+\?[\w.~%=&-]+$/);
      }),
    );
  });

  it('does not depend on order, case or flags', () => {
    fc.assert(
      fc.property(specifier, fc.infiniteStream(fc.nat()), ({ id, pairs }, random) => {
        const request = parses(`icon:${id}?${pairs.join('&')}`);
        fc.pre(request !== undefined);
        const other = pairs
          .map((pair) => ({ pair, rank: random.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ pair }) =>
            pair.startsWith('color=') ? pair.replace(/=.*/, (value) => value.toUpperCase()) : pair,
          )
          .map((pair) => ({ 'as=svg': 'raw', 'as=url': 'url', 'as=data': 'inline' })[pair] ?? pair);
        expect(parseSpecifier(`icon:00${id}?${other.join('&')}&t=1`).canonical).toBe(
          request.canonical,
        );
      }),
    );
  });

  it('never fails otherwise than with a code', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        (first, second) => {
          for (const written of [
            `icon:${first}?${second}`,
            `icon:1?${first}=${second}`,
            `icon:1?color=${first}&size=${second}`,
          ]) {
            try {
              parseSpecifier(written);
            } catch (error) {
              expect(error).toBeInstanceOf(IconCatalogError);
            }
          }
        },
      ),
    );
  });
});
