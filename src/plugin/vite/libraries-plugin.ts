import { resolve } from 'node:path';
import type { Plugin, UserConfig } from 'vite';
import { findIconLibraries } from './icon-libraries.ts';

/** The parts of esbuild's plugin interface that are needed; Vite 6 and 7 bring their own copy of esbuild. */
interface EsbuildPlugin {
  name: string;
  setup(build: {
    onResolve(
      options: { filter: RegExp },
      callback: (args: { path: string }) => { path: string; external: true },
    ): void;
  }): void;
}

/**
 * Vite bundles dependencies in advance, without the project's plugins. Imports of icons stay imports there, and are
 * answered when a page asks for the dependency. With Rolldown (Vite 8) that is so by itself.
 */
export const leaveIconsToServer: EsbuildPlugin = {
  name: 'unplugin-icon-catalog:optimizer',
  setup(build) {
    build.onResolve({ filter: /^icon:/ }, ({ path }) => ({ path, external: true }));
  },
};

/** For installed packages that ship `icon:` imports. */
export function createLibrariesPlugin(): Plugin {
  let folder = '.';
  return {
    name: 'unplugin-icon-catalog:libraries',
    config({ root = '.' }) {
      folder = resolve(root);
      return optimizerConfig(this);
    },
    // Rendered on the server, such a package cannot be left to Node.
    async configEnvironment(name, { consumer }) {
      if ((consumer ?? (name === 'client' ? 'client' : 'server')) === 'client') return {};
      return { resolve: { noExternal: await findIconLibraries(folder) } };
    },
  };
}

/** Vite 8 says in the context of every hook which Rolldown it runs; the ones before have esbuild. */
function optimizerConfig(context: unknown): UserConfig {
  const { meta } = (context ?? {}) as { meta?: object };
  if (meta !== undefined && 'rolldownVersion' in meta) return {};
  return { optimizeDeps: { esbuildOptions: { plugins: [leaveIconsToServer] } } };
}
