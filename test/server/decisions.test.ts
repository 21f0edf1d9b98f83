import { expect, test } from 'vitest';
import { DECISIONS } from '../conformance/support/decisions.ts';

test('each question is decided once, in whole sentences that a table can hold', () => {
  expect(new Set(DECISIONS.map(({ question }) => question)).size).toBe(DECISIONS.length);
  for (const { question, answer } of DECISIONS) {
    expect(question).toMatch(/^[^|\n]+[^.]$/);
    expect(answer).toMatch(/^[^|\n]+\.$/);
  }
});
