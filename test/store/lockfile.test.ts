import { describe, expect, it } from 'vitest';
import { encodeLockfile, type Lockfile } from '../../src/store/lockfile-format.ts';
import { parseLockfile } from '../../src/store/parse-lockfile.ts';
import { unchecked } from '../support/unchecked.ts';
import { lockEntry, metaEntry } from './lock-entries.ts';
import { parseLockKey, toLockKey } from '../../src/request/key.ts';

const CATALOG = lockEntry({}, 'a catalog').integrity ?? '';
const OTHER = lockEntry({}, 'another catalog').integrity ?? '';
const lock = (entries: Record<string, unknown>, catalog: string | undefined = CATALOG): Lockfile =>
  ({ catalog, entries: new Map(Object.entries(entries)) }) as Lockfile;
const text = encodeLockfile(
  lock({ '123:svg': lockEntry(), '9:png:64': lockEntry({ term: 'owl' }) }),
);
const parse = (written: string): Lockfile => parseLockfile(Buffer.from(written), 'icons.lock');

function refusal(written: string | Uint8Array): string {
  try {
    parseLockfile(Buffer.from(written), 'icons.lock');
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing is wrong';
}

describe('the text of a lock', () => {
  it('is JSON, one sorted line an icon, the rest last', () => {
    const written = encodeLockfile(
      lock({
        '1000:svg': lockEntry({ term: 'last' }),
        '99:png:ff0000:64': lockEntry({ term: 'raster' }),
        '99:png:64': lockEntry({ term: 'raster' }),
        '99:svg': lockEntry({ rev: 3 }),
        '99:svg:ff0000': lockEntry({ term: 'painted' }),
        '5:meta': metaEntry({ term: 'words "in" quotes \n and lines\u2028', styles: [], tags: [] }),
      }),
    );
    expect(written).toMatchInlineSnapshot(`
      "{
      "5:meta":{"rev":1,"term":"words \\"in\\" quotes \\n and lines ","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[],"tags":[],"check":"fe9c1a7a98bcc0bf"},
      "99:png:64":{"rev":1,"integrity":"sha512-695o4VV7eb2HMAfUOvApBnQLc334G0E3QC2sDyas/FA+SStSmGPX1hRSzPdvz+e4s80VCoOlcCGbO8eUfIp8TA==","size":7,"term":"raster","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[{"style":"line","line_weight":2}],"tags":["night","sky"],"check":"04eea6502cb744cf"},
      "99:png:ff0000:64":{"rev":1,"integrity":"sha512-695o4VV7eb2HMAfUOvApBnQLc334G0E3QC2sDyas/FA+SStSmGPX1hRSzPdvz+e4s80VCoOlcCGbO8eUfIp8TA==","size":7,"term":"raster","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[{"style":"line","line_weight":2}],"tags":["night","sky"],"check":"d4a2cdfccab607cc"},
      "99:svg":{"rev":3,"integrity":"sha512-695o4VV7eb2HMAfUOvApBnQLc334G0E3QC2sDyas/FA+SStSmGPX1hRSzPdvz+e4s80VCoOlcCGbO8eUfIp8TA==","size":7,"term":"star","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[{"style":"line","line_weight":2}],"tags":["night","sky"],"check":"88aec6cb86c8fc4e"},
      "99:svg:ff0000":{"rev":1,"integrity":"sha512-695o4VV7eb2HMAfUOvApBnQLc334G0E3QC2sDyas/FA+SStSmGPX1hRSzPdvz+e4s80VCoOlcCGbO8eUfIp8TA==","size":7,"term":"painted","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[{"style":"line","line_weight":2}],"tags":["night","sky"],"check":"837d6ab0c6513151"},
      "1000:svg":{"rev":1,"integrity":"sha512-695o4VV7eb2HMAfUOvApBnQLc334G0E3QC2sDyas/FA+SStSmGPX1hRSzPdvz+e4s80VCoOlcCGbO8eUfIp8TA==","size":7,"term":"last","creator":{"name":"Ada Example","permalink":"/ada/","username":"ada"},"attribution":"star by Ada Example","license_description":"creative-commons-attribution","permalink":"/icon/star-123/","collections":[{"id":"7","name":"Sky","permalink":"/ada/collection/sky/"}],"styles":[{"style":"line","line_weight":2}],"tags":["night","sky"],"check":"105907679b01b656"},
      "catalog":"sha512-lnvW8cMtSZx3eCTYr1lXLbuy/SoWc0YIOYC93VPIIAMFlPab7vOrRByxDZWEiLCUVimUKB0jqZlnJGMS6zislw==",
      "lockfileVersion":1
      }
      "
    `);
    const { lockfileVersion, catalog, ...icons } = JSON.parse(written) as Record<string, unknown>;
    expect({ lockfileVersion, catalog }).toEqual({ lockfileVersion: 1, catalog: CATALOG });
    expect(Object.keys(icons)).toHaveLength(6);
  });

  it('leaves out bare metadata of an icon that has bytes', () => {
    const written = encodeLockfile(
      lock({ '5:meta': metaEntry(), '5:png': lockEntry(), '55:meta': metaEntry() }),
    );
    expect([...parse(written).entries.keys()]).toEqual(['5:png', '55:meta']);
  });

  it('has one spelling a key', () => {
    for (const key of [
      '1:svg',
      '1:svg:00ff00',
      '1:png',
      '1:png:64',
      '1:png:123456',
      '1:png:123456:1200',
      '1:meta',
    ]) {
      const iconKey = parseLockKey(key);
      expect(iconKey && toLockKey(iconKey)).toBe(key);
    }
    for (const key of [
      '01:svg',
      '1:svg:F00',
      '1:svg:64',
      '1:png:0',
      '1:png:64:123456',
      '1:',
      '1:meta:64',
      'catalog',
      '9999999999999999:svg',
    ]) {
      expect(parseLockKey(key), key).toBe(undefined);
    }
  });
});

describe('reading a lock', () => {
  it('gives back what was written, whatever an editor or git did to white space, order and ends of lines', () => {
    const [first = '', one = '', two = '', ...rest] = text.split('\n');
    const variants = [
      text,
      text.replaceAll('\n', '\r\n'),
      `\uFEFF${text}`,
      [first, two, one, ...rest].join('\n'),
      text.replaceAll(/^"/gm, '  "').replaceAll('":', '" : '),
      `${text}\n\n`,
    ];
    for (const variant of variants) expect(encodeLockfile(parse(variant))).toBe(text);
    expect(parse('').entries.size).toBe(0);
    expect(parse(encodeLockfile(lock({}, undefined))).entries.size).toBe(0);
  });

  it('names the line of whatever is broken', () => {
    const lines = text.split('\n');
    const broken: [string, string][] = [
      [text.replace('"rev":1', '"rev":0'), 'icons.lock:2: the entry of 9:png:64 has a field `rev`'],
      [
        text.replace('sha512-', 'sha1-'),
        'icons.lock:2: the entry of 9:png:64 has a field `integrity`',
      ],
      [
        // Such a digit has bits that no digest of 64 bytes has.
        text.replace(/.(?===")/, 'B'),
        'icons.lock:2: the entry of 9:png:64 has a field `integrity`',
      ],
      [
        text.replace('"size":7', '"size":"7"'),
        'icons.lock:2: the entry of 9:png:64 has a field `size`',
      ],
      [
        text.replace('"term":"owl"', '"tern":"owl"'),
        'icons.lock:2: the entry of 9:png:64 has a field `term`',
      ],
      [
        text.replace('"term":"owl"', '"term":"owl","url":"x"'),
        'icons.lock:2: the entry of 9:png:64 has a field `url`',
      ],
      [text.replace('"123:svg"', '"123:gif"'), 'icons.lock:3: "123:gif" is not a key'],
      [
        text.replace('"123:svg":', '"123:meta":'),
        'icons.lock:3: the entry of 123:meta has a field `integrity`',
      ],
      [text.replace('"owl"', '"owl'), 'icons.lock:2: the entry of 9:png:64 is no object'],
      [lines.with(2, 'hello').join('\n'), 'icons.lock:3: this is not a line of a lock file'],
      [
        lines.toSpliced(2, 0, lines[1] ?? '').join('\n'),
        'icons.lock:3: line 2 is about the same icon',
      ],
      [
        lines.toSpliced(2, 0, lines[1]?.replace('owl', 'cat') ?? '').join('\n'),
        'icons.lock:3: line 2 is about the same icon',
      ],
      [lines.slice(0, 3).join('\n'), 'icons.lock: the line `"lockfileVersion":1` is missing'],
      [text.replace(/\}\n$/, ''), 'icons.lock:5: the file is cut off here'],
      [`${text}"1:meta":{}`, 'icons.lock:7: there is something after the closing'],
      ['{"lockfileVersion":1}', 'icons.lock: the line `"lockfileVersion":1` is missing'],
      [text.replace(CATALOG, 'sha512-x'), 'icons.lock:4: the digest of the catalog'],
      [
        lines.toSpliced(3, 0, lines[3]?.replace(CATALOG, OTHER) ?? '').join('\n'),
        'icons.lock:5: the file names two catalogs',
      ],
      [lines.toSpliced(2, 0, '{').join('\n'), 'icons.lock:3: a second file begins here'],
      [
        text.replace('"lockfileVersion":1', '"lockfileVersion":2'),
        'icons.lock:5: the file has format 2',
      ],
    ];
    for (const [written, said] of broken) {
      expect(refusal(written), said).toContain(said);
      expect(refusal(written)).toContain('[LOCK_INVALID]');
    }
    expect(refusal(text.replace('"lockfileVersion":1', '"lockfileVersion":2'))).toContain(
      'or a later one',
    );
  });

  it('refuses a file in which any byte was turned into no text', () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      expect(refusal(damaged), String(at)).toContain('[LOCK_INVALID]');
    }
  });

  it('notices every bit that is flipped, unless bytes show it or nothing depends on it', () => {
    const reported = ({ entries }: Lockfile): unknown =>
      [...entries].map(([key, entry]) => [key, { ...entry, rev: 0, integrity: '', size: 0 }]);
    const right = JSON.stringify(reported(parse(text)));
    const bytes = Buffer.from(text);
    let noticed = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const altered = new Map<string, number>();
      try {
        const found = parseLockfile(damaged, 'icons.lock', altered);
        if (altered.size === 0) expect(JSON.stringify(reported(found)), `bit ${bit}`).toBe(right);
        else noticed += 1;
      } catch (error) {
        expect((error as Error).message, `bit ${bit}`).toContain('[LOCK_INVALID]');
      }
    }
    expect(noticed).toBeGreaterThan(1000);
  });

  it('takes lines without a check as they are', () => {
    const altered = new Map<string, number>();
    const before = unchecked(text).replace('owl', 'cat');
    const { entries } = parseLockfile(Buffer.from(before), 'icons.lock', altered);
    expect([entries.get('9:png:64')?.term, altered.size]).toEqual(['cat', 0]);
  });

  it.each(['<<<<<<< ours', '=======', '>>>>>>> theirs'])('refuses a lone %s', (marker) => {
    expect(refusal(text.replace('"123:svg"', `${marker}\n"123:svg"`))).toMatch(/icons\.lock:3: /);
  });
});
