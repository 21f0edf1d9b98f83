/** Runs in Bun: imports icons without a build, as after `bun run --preload`. */
import type { BunPlugin } from '../../../src/bundlers/bun/modules.ts';
import { createBunPlugin } from '../../../src/bundlers/bun/plugin.ts';
import { createFakeSession } from '../../build/fake-session.ts';

const { Bun } = globalThis as unknown as { Bun: { plugin(plugin: BunPlugin): Promise<void> } };
await Bun.plugin(createBunPlugin(() => createFakeSession()));
const shown: Record<string, unknown> = {};
for (const specifier of process.argv.slice(2)) {
  const module = (await import(specifier)) as { default: unknown };
  shown[specifier] = module.default;
}
process.stdout.write(JSON.stringify(shown));
