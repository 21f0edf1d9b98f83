import type { Plugin, PluginBuild } from 'esbuild';
import type { ManifestBuild } from '../../types.ts';
import type { Session } from '../session-types.ts';
import { addIconHooks } from './add-icon-hooks.ts';
import { outputsOf, shippedIcons } from './found-usages.ts';

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
      plugins: plugins.map((plugin) => (plugin === self ? scout : withoutEnd(plugin))),
      write: false,
      metafile: true,
      sourcemap: false,
      logLevel: 'silent',
    });
    const ids = shippedIcons(outputsOf(metafile));
    const files = outputFiles.map(({ path, contents }) => ({ fileName: path, content: contents }));
    const listed = Array.from(ids, (id) => ({ id }));
    for (const { id } of await session.missed(listed, identity, () => files)) ids.add(id);
    return ids;
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
