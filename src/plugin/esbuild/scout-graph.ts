import type { Plugin, PluginBuild } from 'esbuild';
import type { ManifestBuild } from '../../types.ts';
import type { Session } from '../session-types.ts';
import { addIconHooks } from './add-icon-hooks.ts';
import { foundUsages, outputsOf, shippedIcons } from './found-usages.ts';
import { readOutputs } from './read-outputs.ts';

/**
 * Looks ahead: runs the same build without writing, to know which icons it will ship. esbuild names files after their
 * content, so the credits and the sprite file must be there before the real build is linked; changed afterwards, they would keep an old name.
 *
 * @returns `undefined` if the build fails. The real one fails then as well, and says why.
 */
export async function scoutGraph(
  build: PluginBuild,
  {
    self,
    session,
    root,
    identity,
  }: { self: Plugin; session: Session; root: string; identity: ManifestBuild },
): Promise<Set<string> | undefined> {
  const scout: Plugin = {
    name: self.name,
    setup: (inner) =>
      addIconHooks(inner, {
        session,
        root,
        credits: async () => session.pendingCreditsCode(),
        // One content, so that one path has one: nobody sees it.
        sprite: async () => '<svg/>',
      }),
  };
  const { plugins = [], ...options } = build.initialOptions;
  try {
    const { metafile, outputFiles } = await build.esbuild.build({
      ...options,
      plugins: plugins.map((plugin) => (plugin.name === self.name ? scout : withoutEnd(plugin))),
      write: false,
      metafile: true,
      sourcemap: false,
      logLevel: 'silent',
    });
    const outputs = outputsOf(metafile);
    const usages = foundUsages(outputs, { folder: '', consumer: identity.consumer });
    const present = await session.present(usages, identity, () =>
      readOutputs(outputs, { root, folder: root, built: outputFiles }),
    );
    // The sprite file of this look is empty: what is in it counts by the graph.
    const inSprite = [...shippedIcons(outputs)].filter((id) => id.includes('as=sprite'));
    return new Set([...present, ...inSprite]);
  } catch {
    return undefined;
  }
}

/** Other plugins take part, but what they do with finished output is for the real build only. */
function withoutEnd(plugin: Plugin): Plugin {
  return {
    name: plugin.name,
    setup: (build) => plugin.setup({ ...build, onEnd: () => undefined }),
  };
}
