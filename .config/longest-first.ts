import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: whole builds, processes that are killed, browsers. A worker that took one of
 * them last would work alone while the others had nothing left.
 */
const LONG: readonly string[] = [
  'test/examples/next-webpack',
  'test/docs/site',
  'test/faults/kill',
  'test/bundlers/sprites',
  'test/bundlers/',
  'test/examples/',
  'test/svg/red-team/',
  'test/svg/engines',
  'test/picker/page',
  'test/components/',
  'test/build/',
  'test/faults/',
  'test/readme',
  'test/credits/',
  'test/integrations/',
  'test/attribution/several-builds/',
  'test/cli/first-minutes',
  'test/cli/commands',
  'test/cli/mcp',
  'test/cli/project-config',
  'test/cli/serve',
  'test/types/',
  'test/conformance/any-service',
  'test/svg/',
  'test/scan/',
  'test/attribution/',
  'test/pipeline/',
  'test/conformance/',
];

/** Sorts the same on every machine, whatever was measured before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/');
      const rank = LONG.findIndex((start) => path.startsWith(start));
      return rank === -1 ? LONG.length : rank;
    };
    // Workers that several files share are kept only while the next file may use them.
    const isShared = ({ project }: TestSpecification): number => Number(!project.config.isolate);
    return files.toSorted(
      (a, b) =>
        isShared(a) - isShared(b) || rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
