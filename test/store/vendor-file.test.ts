import { execFile } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sri512 } from '../../src/store/hash.ts';
import { createVendorFile, type VendorFile } from '../../src/store/vendor-file.ts';
import { decodeVendorLine, encodeVendorLine, indexVendor } from '../../src/store/vendor-format.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const NAME = 'icons.vendor.ndjson';
const utf8 = (text: string): Uint8Array => Buffer.from(text);
const STAR = utf8('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>\r\n');
const MOON = utf8('<svg><title>☾ “moon” \u2028</title></svg>');
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0x0a);
const CATALOG = utf8('{"name":"catalog.example","siteUrl":"https://catalog.example/"}');

async function vendorIn(folder: string): Promise<VendorFile> {
  const vendor = createVendorFile({ file: join(folder, NAME), name: NAME });
  await vendor.open();
  return vendor;
}

/** A vendor file of these bytes. */
async function written(text: string | Uint8Array): Promise<VendorFile> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, NAME), text);
  return vendorIn(folder);
}

async function filled(
  ...contents: Uint8Array[]
): Promise<{ folder: string; file: string; text: string }> {
  const folder = await temporaryFolder();
  const vendor = await vendorIn(folder);
  for (const bytes of contents) vendor.put(bytes);
  await vendor.flush();
  const file = join(folder, NAME);
  return { folder, file, text: await readFile(file, 'utf8') };
}

const bytesOf = (vendor: VendorFile, bytes: Uint8Array): Buffer | undefined => {
  const found = vendor.get(sri512(bytes));
  return found && Buffer.from(found);
};
describe('the vendor file', () => {
  it('holds text as text, other bytes in base64, the catalog as it describes itself; sorted, one line each', async () => {
    const { text } = await filled(STAR, PNG, CATALOG, MOON);
    expect(text).toMatchInlineSnapshot(`
      "{"integrity":"sha512-U0iIXo13zXij7FNrioedaXSgqgP812M/JA4ib/IJ8rRlwYJGMF2HIEATZIDBWc+yBDPj9QBM2NzauNLUryvfFg==","catalog":{"name":"catalog.example","siteUrl":"https://catalog.example/"}}
      {"integrity":"sha512-ZiucKdHkiggTbeoH5d5bigfjHAr43Ilk5v9Cyt2d+u9zxb/oB2xesOzE/5WczqMJzNWgwXAcJxgSm/JSy09RHw==","svg":"<svg><title>☾ “moon”  </title></svg>"}
      {"integrity":"sha512-lOuTrUr/ddVPk3hpBt1/i+dbdkbFLMUVGvNCIl2f3sOLVreIz6e13lAjHdXhGeJ8XDAElc/V1S/a0vtPXNHheg==","svg":"<svg xmlns=\\"http://www.w3.org/2000/svg\\"><path d=\\"M0 0h1\\"/></svg>\\r\\n"}
      {"integrity":"sha512-o2uRoFdXWxiCfLJfj0qMTN2+vwp7O3Mr3ww/09QnemotDeqzLOFCSe4c9wMB+hAI26TIqv6KOxMfGhMsEMN9+w==","base64":"iVBOR/8ACg=="}
      "
    `);
  });

  it('gives back every byte it was given', async () => {
    const { folder } = await filled(STAR, PNG, CATALOG, MOON);
    const vendor = await vendorIn(folder);
    for (const bytes of [STAR, PNG, CATALOG, MOON])
      expect(bytesOf(vendor, bytes)).toEqual(Buffer.from(bytes));
    expect(bytesOf(vendor, utf8('another'))).toBeUndefined();
    expect(vendor.problems()).toEqual([]);
  });

  it('survives any bytes: of text, of half a character, of JSON', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary' }).map(utf8),
      fc.json().map(utf8),
      fc.constantFrom(utf8('\ufeff<svg/>'), utf8(''), utf8('{}'), utf8('{"__proto__":1}')),
    );
    fc.assert(
      fc.property(anything, (bytes) => {
        const { integrity, line } = encodeVendorLine(bytes);
        const [[found] = []] = [...indexVendor(line).lines.values()];
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(found && decodeVendorLine(line, found)).toEqual({
          ok: true,
          integrity,
          bytes: Buffer.from(bytes),
        });
      }),
    );
  });

  it('is not touched where nothing changes, also unsorted or with CRLF', async () => {
    const { folder, file, text } = await filled(STAR, MOON);
    const other = text.trimEnd().split('\n').toReversed().join('\r\n');
    await writeFile(file, other);
    const before = await stat(file);
    const vendor = await vendorIn(folder);
    vendor.put(STAR);
    vendor.keepOnly(new Set([sri512(STAR), sri512(MOON)]));
    expect(await vendor.flush()).toEqual({ added: [], removed: [] });
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
    expect(await readFile(file, 'utf8')).toBe(other);
  });

  it('is made only when there is something to hold', async () => {
    const folder = await temporaryFolder();
    const vendor = await vendorIn(folder);
    await vendor.flush();
    await expect(stat(join(folder, NAME))).rejects.toThrow('ENOENT');
    const integrity = vendor.put(STAR);
    expect(await vendor.flush()).toEqual({ added: [integrity], removed: [] });
    expect(await vendor.flush()).toEqual({ added: [], removed: [] });
  });

  it('keeps what another process wrote meanwhile, and drops what is not wanted', async () => {
    const { folder } = await filled(STAR);
    const one = await vendorIn(folder);
    const other = await vendorIn(folder);
    one.put(MOON);
    other.put(PNG);
    await Promise.all([one.flush(), other.flush()]);
    const after = await vendorIn(folder);
    expect(after.integrities()).toEqual([STAR, MOON, PNG].map(sri512).toSorted());
    after.keepOnly(new Set([sri512(MOON)]));
    expect(await after.flush()).toEqual({
      added: [],
      removed: [STAR, PNG].map(sri512).toSorted(),
    });
    expect((await vendorIn(folder)).integrities()).toEqual([sri512(MOON)]);
  });
});

describe('a vendor file from version control', () => {
  it('reads with CRLF, a byte order mark, duplicates, empty lines, another spacing and in any order', async () => {
    const { text } = await filled(STAR, PNG, CATALOG);
    const lines = text.trimEnd().split('\n');
    const spaced = lines.map((line) => line.replaceAll('":', '": ').replace(',"', ', "'));
    const turned = lines.map((line) => {
      const { integrity, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ ...rest, integrity });
    });
    for (const variant of [
      `\ufeff${lines.join('\r\n')}\r\n`,
      [...lines, ...lines].toReversed().join('\n'),
      `\n\n${lines.join('\n\n')}`,
      spaced.join('\n'),
      turned.join('\n'),
    ]) {
      const vendor = await written(variant);
      for (const bytes of [STAR, PNG, CATALOG])
        expect(bytesOf(vendor, bytes), variant).toEqual(Buffer.from(bytes));
      expect(vendor.problems()).toEqual([]);
    }
  });

  it('reads with the markers of a merge, and is written without them', async () => {
    const [star = '', moon = '', png = ''] = [STAR, MOON, PNG].map((bytes) =>
      encodeVendorLine(bytes).line.toString(),
    );
    const vendor = await written(
      `${star}<<<<<<< HEAD\n${moon}||||||| 1a2b3c4\n=======\r\n${png}>>>>>>> other branch\n`,
    );
    for (const bytes of [STAR, MOON, PNG])
      expect(bytesOf(vendor, bytes)).toEqual(Buffer.from(bytes));
    vendor.put(CATALOG);
    await vendor.flush();
    expect(vendor.problems()).toEqual([]);
    expect(vendor.integrities()).toHaveLength(4);
  });

  it('merges in git from two branches that each added icons', async () => {
    const { folder, file } = await filled(STAR);
    const git = (...args: string[]): Promise<unknown> =>
      run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
    await writeFile(
      join(folder, '.gitattributes'),
      `${NAME} text eol=lf merge=union -diff linguist-generated\n`,
    );
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('commit', '-qm', 'one');
    const contents = Array.from({ length: 40 }, (_, at) => utf8(`<svg id="i${at}"/>`));
    for (const [branch, part] of [
      ['left', contents.slice(0, 25)],
      ['right', contents.slice(15)],
    ] as const) {
      await git('checkout', '-qb', branch, 'main');
      const vendor = await vendorIn(folder);
      for (const bytes of part) vendor.put(bytes);
      await vendor.flush();
      await git('commit', '-qam', branch);
    }
    await git('merge', '-q', 'left', '-m', 'both');
    expect(await readFile(file, 'utf8')).not.toContain('<<<<');
    const vendor = await vendorIn(folder);
    for (const bytes of [STAR, ...contents])
      expect(bytesOf(vendor, bytes)).toEqual(Buffer.from(bytes));
    expect(vendor.problems()).toEqual([]);
    expect(vendor.integrities()).toHaveLength(41);
  });
});

describe('a vendor file that is wrong', () => {
  it('says file and line where the bytes of an icon are not those of its digest', async () => {
    const { text } = await filled(STAR, MOON);
    const at = text.split('\n').findIndex((line) => line.includes('moon')) + 1;
    const vendor = await written(text.replace('moon', 'noon'));
    expect(() => vendor.get(sri512(MOON))).toThrow(
      `[LOCK_MISMATCH] Line ${at} of ${NAME} holds other bytes than its digest says.`,
    );
    expect(bytesOf(vendor, STAR)).toEqual(Buffer.from(STAR));
    expect(vendor.problems()).toEqual([{ line: at, why: 'mismatch' }]);
  });

  it('reports it too if the icon that is asked for may be in a line that lost its digest', async () => {
    const { text } = await filled(STAR, MOON);
    const lost = await written(`\n${text.replace(sri512(MOON), 'sha512-none')}`);
    expect(() => lost.get(sri512(MOON))).toThrow(`of ${NAME} is no line of a vendor file`);
    const other = await written(text.replace(sri512(MOON), sri512('other')));
    expect(() => other.get(sri512(MOON))).toThrow('[LOCK_MISMATCH]');
    expect(bytesOf(other, STAR)).toEqual(Buffer.from(STAR));
  });

  it('refuses what a newer version wrote, and says that it is one', async () => {
    const { text } = await filled(STAR);
    const newer = text.replace('"svg":', '"avif":');
    const vendor = await written(newer);
    expect(() => vendor.get(sri512(STAR))).toThrow(
      '[LOCK_INVALID] Line 1 of icons.vendor.ndjson has `avif`, which this version does not know.\n  Update unplugin-icon-catalog',
    );
    const extended = await written(text.replace('"svg":', '"zip":true,"svg":'));
    expect(() => extended.get(sri512(STAR))).toThrow('has `zip`');
    const header = await written(`{"vendorVersion":2}\n`);
    expect(() => header.get(sri512(STAR))).toThrow('has `vendorVersion`');
  });

  it('is not rewritten: an unreadable line would be lost', async () => {
    const { folder, file, text } = await filled(STAR, MOON);
    for (const broken of [
      text.slice(0, -20),
      text.replace('moon', 'noon'),
      text.replace('"svg":', '"avif":'),
      `${text}what is this\n`,
    ]) {
      await writeFile(file, broken);
      const vendor = await vendorIn(folder);
      vendor.put(PNG);
      await expect(vendor.flush()).rejects.toThrow(/\[LOCK_(?:INVALID|MISMATCH)\] Line \d of/);
      expect(await readFile(file, 'utf8')).toBe(broken);
    }
  });

  it('takes the intact one of two lines', async () => {
    const { text } = await filled(MOON);
    const vendor = await written(text.replace('moon', 'noon') + text);
    expect(bytesOf(vendor, MOON)).toEqual(Buffer.from(MOON));
  });

  it('ships nothing wrong, whichever byte is changed', async () => {
    const contents = [STAR, PNG, CATALOG];
    const { text } = await filled(...contents);
    const whole = Buffer.from(text);
    const seen = new Set<string | boolean>();
    for (let at = 0; at < whole.length; at += 1) {
      for (const bit of [0x01, 0x80]) {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ bit;
        const index = indexVendor(damaged);
        for (const bytes of contents) {
          for (const line of index.lines.get(sri512(bytes)) ?? []) {
            const decoded = decodeVendorLine(damaged, line);
            seen.add(decoded.ok || decoded.why);
            if (decoded.ok) expect(decoded.bytes).toEqual(Buffer.from(bytes));
          }
        }
      }
    }
    expect(seen).toEqual(new Set(['broken', 'mismatch', 'unknown', true]));
  });

  it('names who holds its lock if a process of another host does not release it', async () => {
    const file = join(await temporaryFolder(), NAME);
    const holder = { host: 'another-host', pid: 4321, token: 'a-token' };
    await writeFile(`${file}.lock`, JSON.stringify(holder));
    const warnings: string[] = [];
    const vendor = createVendorFile({ file, name: NAME, warn: (said) => warnings.push(said) });
    vendor.put(STAR);
    const flushing = vendor.flush();
    await expect
      .poll(() => warnings, { timeout: 20_000 })
      .toEqual([
        `${NAME}.lock is held by process 4321 of the host another-host, which has not released it for 2 seconds. Delete it if that process has ended.`,
      ]);
    await rm(`${file}.lock`);
    expect((await flushing).added).toEqual([sri512(STAR)]);
  });

  it('is an error where it is there and is no file', async () => {
    const folder = await temporaryFolder();
    await run('mkdir', [join(folder, NAME)]);
    await expect(vendorIn(folder)).rejects.toThrow(
      `[LOCK_INVALID] The vendor file ${NAME} is there but cannot be read (EISDIR, a folder lies where a file should be).`,
    );
  });
});
