import { describe, expect, it } from 'vitest';
import { allCases, problemsOf, type Case } from '../attribution/several-builds/untouched.ts';
import { printTable } from './support/print-table.ts';

const ONLY = process.env['BENCH_ONLY'];
describe('untouched outputs', () => {
  it('pass `attribution check`, and list what they hold', async () => {
    const failed: string[] = [];
    const rows = new Map<string, { builds: number; failures: number }>();
    for (const each of allCases()) {
      if (ONLY !== undefined && each.bundler !== ONLY) continue;
      const row = rows.get(each.bundler) ?? { builds: 0, failures: 0 };
      rows.set(each.bundler, row);
      row.builds += 1;
      const problems = await problemsOf(each).catch((error: unknown) => [String(error)]);
      if (problems.length > 0) row.failures += 1;
      if (problems.length > 0) failed.push(`${nameOf(each)}: ${problems.join('; ')}`);
    }
    const table = Array.from(rows, ([bundler, { builds, failures }]) => [
      bundler,
      String(builds),
      String(failures),
    ]);
    printTable('Untouched outputs', ['', 'builds', 'failures'], table);
    expect(failed).toEqual([]);
  });
});

function nameOf({ bundler, minifier, form, isSplit }: Case): string {
  return `${bundler}, ${minifier}, ${form}${isSplit ? ', split' : ''}`;
}
