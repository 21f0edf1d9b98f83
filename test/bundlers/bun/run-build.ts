/** Runs in Bun: builds as standard input says, and tells on standard output what became of it. */
import { createBunPlugin } from '../../../src/bundlers/bun/plugin.ts';
import type { BunApi, BunBuildConfig, BunPlugin } from '../../../src/bundlers/bun/modules.ts';
import {
  createFakeSession,
  type FakeSession,
  type FakeSessionOptions,
} from '../../build/fake-session.ts';

export interface BuildOutcome {
  success: boolean;
  /** Message and code of everything that went wrong. */
  errors: string[];
  outputs: { path: string; kind: string; text: string }[];
  hasMetafile: boolean;
  calls: string[];
  summaries: (readonly string[])[];
  events: string[];
  /** How often a plugin before and one after ours saw the end of a build. */
  ends: [number, number];
}

/** One process builds all configurations in turn, with one plugin object. */
const configs = JSON.parse(process.argv[2] ?? '[]') as BunBuildConfig[];
const { Bun } = globalThis as unknown as { Bun: BunApi };
const fake = JSON.parse(process.argv[3] ?? '{}') as FakeSessionOptions;
const sessions: FakeSession[] = [];
const plugin = createBunPlugin(() => {
  const session = createFakeSession(fake);
  sessions.push(session);
  return session;
});
const outcomes: BuildOutcome[] = [];
for (const config of configs) outcomes.push(await run(config));
process.stdout.write(JSON.stringify(outcomes));

async function run(config: BunBuildConfig): Promise<BuildOutcome> {
  const ends: [number, number] = [0, 0];
  const counter = (index: 0 | 1): BunPlugin => ({
    name: `counter-${index}`,
    setup(build) {
      build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      build.onLoad({ filter: /./, namespace: 'virtual' }, () => ({
        contents: "export { default } from 'icon:7'",
        loader: 'js',
      }));
      build.onEnd?.(() => void (ends[index] += 1));
    },
  });
  const reported = (): Pick<BuildOutcome, 'calls' | 'summaries' | 'events' | 'ends'> => {
    const { calls = [], summaries = [], events = [] } = sessions.at(-1) ?? {};
    return { calls, summaries, events, ends };
  };
  try {
    const result = await Bun.build({ ...config, plugins: [counter(0), plugin, counter(1)] });
    const outputs = await Promise.all(
      result.outputs.map(async (output) => ({
        path: output.path,
        kind: output.kind,
        text: Buffer.from(await output.arrayBuffer()).toString('latin1'),
      })),
    );
    const errors = result.logs.map(String);
    const { success, metafile } = result;
    return { success, errors, outputs, hasMetafile: metafile !== undefined, ...reported() };
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors.map(String) : [String(error)];
    return { success: false, errors, outputs: [], hasMetafile: false, ...reported() };
  }
}
