import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BEYOND_REQUESTS, ROWS } from './support/rows.ts';

const folder = new URL('.', import.meta.url);
const tests = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

test('every row of the interface that a request can show has its test', () => {
  expect(ROWS.filter((row) => !tests.includes(`'${row}':`))).toEqual([]);
});

test('rows are named once, and those that no request can show have a reason', () => {
  expect(new Set(ROWS).size).toBe(ROWS.length);
  for (const [row, reason] of Object.entries(BEYOND_REQUESTS)) {
    expect(reason).not.toBe('');
    expect(ROWS.some((name) => name.startsWith(`${row}:`))).toBe(false);
  }
});
