import { rm } from 'node:fs/promises';
import type { BunApi, BunBuildConfig, BunBuildResult, BunPlugin } from './bun-types.ts';

/**
 * Builds a second time, now that the shipped icons are known, and puts the outcome in place of the first. Bun names
 * files after their content, so credits written in afterwards would leave an old name on new content; and a build
 * cannot look ahead, as Bun waits forever for a build that is started within another.
 */
export async function buildAgain(
  result: BunBuildResult,
  { config, ours }: { config: BunBuildConfig; ours: BunPlugin },
): Promise<void> {
  const plugins = (config.plugins ?? []).map((plugin) =>
    plugin.name === ours.name ? ours : withoutEnd(plugin),
  );
  const { Bun } = globalThis as { Bun?: BunApi };
  if (Bun === undefined) throw new TypeError('the plugin for Bun works in Bun only');
  const again = await Bun.build({ ...config, plugins, throw: true });
  await discard(
    result.outputs.filter(({ path }) => !again.outputs.some((output) => output.path === path)),
    config,
  );
  result.outputs.splice(0, result.outputs.length, ...again.outputs);
  if (again.metafile !== undefined) result.metafile = again.metafile;
}

/** Takes files away that a build has written. */
export async function discard(
  outputs: readonly { path: string }[],
  { outdir }: BunBuildConfig,
): Promise<void> {
  if (outdir === undefined) return;
  await Promise.all(outputs.map(({ path }) => rm(path, { force: true })));
}

/** Other plugins take part, but what they do with finished output is done once. */
function withoutEnd(plugin: BunPlugin): BunPlugin {
  return {
    name: plugin.name,
    setup: (build) =>
      plugin.setup(
        new Proxy(build, {
          get(target, key) {
            if (key === 'onEnd') return () => undefined;
            const value: unknown = Reflect.get(target, key);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        }),
      ),
  };
}
