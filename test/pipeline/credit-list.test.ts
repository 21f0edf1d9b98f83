import { expect, it } from 'vitest';
import { createCredit, type CreditInput } from '../../src/attribution/credit/create-credit.ts';
import { createCreditList } from '../../src/pipeline/credits.ts';
import type { Credit } from '../../src/types.ts';
import { lockEntry } from '../store/lock-entries.ts';

const { rev: _rev, integrity: _integrity, size: _size, ...WORDS } = lockEntry();
const creditOf = (id: string, more: Partial<CreditInput> = {}): Credit =>
  createCredit({
    record: { id, ...WORDS, term: `icon ${id}` },
    sha256: 'ab'.repeat(32),
    changes: [{ kind: 'recolor', summary: 'Recoloured', visible: true, by: 'plugin' }],
    siteUrl: 'https://catalog.example',
    ...more,
  });

it('gives credits back as they were put in, to the order of their fields, sorted by id', () => {
  const credits = [
    creditOf('9'),
    creditOf('10', { drawn: ['Created by a fox'], changes: [] }),
    creditOf('8', { sha256: null, notices: ['https://creativecommons.org/licenses/by/3.0/'] }),
    creditOf('7', { assertion: { license: 'MIT', by: 'the shop', evidence: 'a letter' } }),
  ];
  const list = createCreditList();
  for (const credit of credits) list.add(credit);
  const sorted = credits.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(JSON.stringify(list.all())).toBe(JSON.stringify(sorted));
});

it('keeps the first credit of an icon', () => {
  const list = createCreditList();
  list.add(creditOf('1'));
  list.add(creditOf('1', { changes: [] }));
  expect(list.all()).toEqual([creditOf('1')]);
});

it('is not changed by what callers do with what they put in and got', () => {
  const list = createCreditList();
  const mine = creditOf('1', { drawn: ['Created by a fox'] });
  list.add(mine);
  list.add(creditOf('2'));
  mine.source.url = 'https://elsewhere.example';
  mine.creator.name = 'Nobody';
  mine.license.name = 'None';
  mine.credit.drawn?.push('and another');
  for (const credit of list.all()) {
    credit.creator.name = 'Somebody';
    credit.changes.length = 0;
    credit.credit.line = '';
  }
  expect(list.all()).toEqual([creditOf('1', { drawn: ['Created by a fox'] }), creditOf('2')]);
});
