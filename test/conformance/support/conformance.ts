import { afterAll, beforeAll, describe, test, type TestContext } from 'vitest';
import type { Row } from './rows.ts';
import type { Embedded, Target } from './target.ts';
import { TARGETS } from './targets.ts';

type Check = (target: Target, context: TestContext) => unknown;

/** Runs each check, named after the row that it checks, against every target. */
export function conformance(checks: Partial<Record<Row, Check | Record<string, Check>>>): void {
  checkTargets(
    Object.entries(checks).flatMap(([row, check]): [string, Check][] =>
      typeof check === 'function'
        ? [[row, check]]
        : Object.entries(check).map(([detail, one]): [string, Check] => [
            `${row} — ${detail}`,
            one,
          ]),
    ),
  );
}

/** The same for names that are made of a row and a field. */
export function checkTargets(checks: readonly (readonly [name: string, check: Check])[]): void {
  describe.each(TARGETS)('$name', ({ open }) => {
    let target: Target;
    beforeAll(async () => {
      target = await open();
    });
    afterAll(() => target?.close());
    for (const [name, check] of checks) {
      test(name, async (context) => {
        await check(target, context);
      });
    }
  });
}

/** A check that needs a clock, limits or access levels of its own. */
export function embedded(
  check: (target: Target & { embedded: Embedded }, context: TestContext) => unknown,
): Check {
  return (target, context) => {
    const own = target.embedded;
    if (own === undefined) return context.skip('only a catalog of our own has keys for this');
    return check({ ...target, embedded: own }, context);
  };
}

/** A check that changes the blacklists of the key. */
export function writing(check: Check): Check {
  return (target, context) =>
    target.mayWrite
      ? check(target, context)
      : context.skip('CONFORMANCE_WRITE=1 allows changes of the blacklist');
}

/** A check of the legacy generation, which services keep for those who had it. */
export function legacy(check: Check): Check {
  return async (target, context) => {
    if (!(await target.hasV1())) return context.skip('the key has no access to v1');
    return check(target, context);
  };
}
