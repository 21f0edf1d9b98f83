import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEntry, encodeLockfile, type Lockfile } from '../../src/store/lockfile-format.ts';
import { mergeLockfiles } from '../../src/store/lockfile.ts';
import { parseLockfile } from '../../src/store/parse-lockfile.ts';
import type { LockEntry } from '../../src/types.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { lockEntry } from './lock-entries.ts';

type Entries = Record<string, LockEntry>;
const CATALOG = lockEntry({}, 'a catalog').integrity ?? '';
const lock = (entries: Entries): Lockfile => ({
  catalog: CATALOG,
  entries: new Map(Object.entries(entries)),
});
const encode = (entries: Entries): string => encodeLockfile(lock(entries));
const parse = (text: string): Lockfile => parseLockfile(Buffer.from(text), 'icons.lock');
const entriesOf = ({ entries }: Lockfile): Entries => Object.fromEntries(entries);

/** What git makes of two branches that come from `base`. */
async function merged(
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>,
  { attributes = '', style = 'merge' }: { attributes?: string; style?: string } = {},
): Promise<string> {
  const root = await temporaryFolder();
  const file = join(root, 'icons.lock');
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
    try {
      execFileSync('git', [...who, '-c', `merge.conflictStyle=${style}`, ...args], {
        cwd: root,
        env,
        stdio: 'pipe',
      });
    } catch (error) {
      if (args[0] !== 'merge') throw error;
    }
  };
  const commit = async (text: string): Promise<void> => {
    await writeFile(file, text);
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'change');
  };
  git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(root, '.gitattributes'), attributes);
  await commit(base);
  git('checkout', '--quiet', '-b', 'theirs');
  await commit(theirs);
  git('checkout', '--quiet', 'main');
  await commit(ours);
  git('merge', '--quiet', 'theirs');
  return readFile(file, 'utf8');
}

const ATTRIBUTES = { attributes: 'icons.lock text eol=lf\n' };
const icon = (term: string, rev = 1): LockEntry => lockEntry({ term, rev }, `${term} ${rev}`);

describe('two branches that each added icons', () => {
  const base = { '5:svg': icon('five'), '50:svg': icon('fifty') };
  const ours = { ...base, '6:svg': icon('six'), '7:svg': icon('seven'), '90:svg': icon('ninety') };
  const theirs = {
    ...base,
    '7:svg': icon('seven'),
    '8:svg': icon('eight'),
    '91:svg': icon('more'),
  };
  const both = { ...ours, ...theirs };
  const sides = { base: encode(base), ours: encode(ours), theirs: encode(theirs) };

  it.each([
    ['conflict markers', { style: 'merge' }],
    ['conflict markers with the base', { style: 'diff3' }],
    ['conflict markers as short as may be', { style: 'zdiff3' }],
    ['the line for .gitattributes', ATTRIBUTES],
  ] as const)('merge into a lock that has all of them: %s', async (_name, options) => {
    const text = await merged(sides, options);
    expect(text).toContain('<<<<<<<');
    expect(encodeLockfile(parse(text))).toBe(encode(both));
  });

  it('merge also where both made the file', async () => {
    const marked = await merged({ ...sides, base: '' });
    expect(encodeLockfile(parse(marked))).toBe(encode(both));
  });
});

describe('two branches that changed the same icon', () => {
  const sides = (ours: LockEntry, theirs: LockEntry) => ({
    base: encode({ '5:svg': icon('old') }),
    ours: encode({ '5:svg': ours }),
    theirs: encode({ '5:svg': theirs }),
  });

  it.each([
    ['conflict markers', {}],
    ['the line for .gitattributes', ATTRIBUTES],
  ] as const)('have the one that was updated more often: %s', async (_name, options) => {
    for (const [one, other] of [
      [2, 3],
      [3, 2],
    ] as const) {
      const text = await merged(sides(icon('new', one), icon('new', other)), options);
      expect(entriesOf(parse(text))).toEqual({ '5:svg': icon('new', 3) });
    }
  });

  it('are an error with both lines where neither is newer', async () => {
    const differing = sides(icon('this', 2), icon('that', 2));
    const text = await merged(differing);
    expect(() => parse(text)).toThrow(
      /icons\.lock:5: line 3 states something else about the same icon/,
    );
  });
});

const term = fc.string({ unit: 'binary', maxLength: 12 });
const entry: fc.Arbitrary<LockEntry> = fc
  .record({ rev: fc.integer({ min: 1, max: 4 }), term, tags: fc.array(term, { maxLength: 3 }) })
  .map((fields) => lockEntry(fields, JSON.stringify(fields)));
const key = fc
  .tuple(
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom('svg', 'svg:00ff00', 'png', 'png:64', 'png:00ff00:64'),
  )
  .map(([id, kind]) => `${id}:${kind}`);
const entries = fc.dictionary(key, entry, { maxKeys: 12 });

describe('whatever is in a lock', () => {
  it('comes back from its text, which is sorted and the same again', () => {
    fc.assert(
      fc.property(entries, (some) => {
        const text = encode(some);
        expect(text.split('\n')).toHaveLength(Object.keys(some).length + 5);
        const back = parse(text);
        expect(new Map(back.entries)).toEqual(new Map(Object.entries(some)));
        expect(encodeLockfile(back)).toBe(text);
      }),
    );
  });

  it('is kept when another lock is merged in, except for what was updated', () => {
    fc.assert(
      fc.property(entries, entries, (some, others) => {
        const result = mergeLockfiles(lock(some), lock(others));
        const expected = { ...others, ...some };
        for (const [name, other] of Object.entries(others)) {
          const { rev = 0 } = some[name] ?? {};
          if (other.rev > rev) expected[name] = other;
        }
        expect(entriesOf(result)).toEqual(expected);
        const again = mergeLockfiles(result, lock(others));
        expect(again).toBe(result);
      }),
    );
  });

  it('comes through conflict markers: the highest `rev` of both sides', () => {
    fc.assert(
      fc.property(entries, entries, (some, others) => {
        const lines = (all: Entries): string =>
          Object.entries(all)
            .map(([name, value]) => `"${name}":${encodeEntry(value)},\n`)
            .join('');
        const text = `{\n<<<<<<< ours\n${lines(some)}||||||| base\nanything\n=======\n${lines(others)}>>>>>>> theirs\n"lockfileVersion":1\n}\n`;
        const differ = Object.keys(some).some(
          (name) =>
            others[name]?.rev === some[name]?.rev &&
            encodeEntry(others[name]) !== encodeEntry(some[name]),
        );
        if (differ) expect(() => parse(text)).toThrow('LOCK_INVALID');
        else {
          const { entries: expected } = mergeLockfiles(lock(some), lock(others));
          expect(entriesOf(parse(text))).toEqual(Object.fromEntries(expected));
        }
      }),
    );
  });
});
