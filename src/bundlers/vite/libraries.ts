import { resolve } from 'node:path';
import type { Plugin, UserConfig } from 'vite';
import { readProjectOptions, rootWithOptions } from '../../options/file.ts';
import {
  findInstalled,
  packageAround,
  type PackageManifest,
} from '../../options/import-default.ts';
import type { Options } from '../../options/options.ts';

const NAME = 'unplugin-icon-catalog';

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
  name: `${NAME}:optimizer`,
  setup(build) {
    build.onResolve({ filter: /^icon:/ }, ({ path }) => ({ path, external: true }));
  },
};

/** For installed packages that ship `icon:` imports, and for those that components of icons import. */
export function createLibrariesPlugin(options: Options = {}): Plugin {
  let folder = '.';
  return {
    name: `${NAME}:libraries`,
    async config({ root = '.', optimizeDeps }, { command }) {
      folder = resolve(root);
      const ours = optimizerConfig(this);
      if (command !== 'serve') return ours;
      // The plugin says later what is wrong with options.
      const { framework } =
        Object.keys(options).length > 0
          ? options
          : await readProjectOptions(rootWithOptions(folder)).catch((): Options => ({}));
      const excluded = optimizeDeps?.exclude ?? [];
      const imports = (
        await Promise.all([
          importsOfComponents(framework, folder),
          creditsComponents(framework, folder),
        ])
      ).flat();
      const include = imports.filter((name) => !excluded.includes(packageOf(name)));
      return { optimizeDeps: { ...ours.optimizeDeps, include } };
    },
    // Rendered on the server, such a package cannot be left to Node.
    async configEnvironment(name, { consumer }) {
      if ((consumer ?? (name === 'client' ? 'client' : 'server')) === 'client') return {};
      return { resolve: { noExternal: await findIconLibraries(folder) } };
    },
  };
}

/**
 * What components of icons import, of packages that are installed. Vite's scan does not see these imports. If Vite only
 * finds them once a page runs, it bundles again and reloads the page.
 */
async function importsOfComponents(
  framework: Options['framework'],
  root: string,
): Promise<string[]> {
  // The plugin of Qwik keeps Vite from bundling it.
  if (typeof framework !== 'string' || framework === 'qwik') return [];
  const { runtimeByFramework } = await import('../../emit/module-code.ts');
  const { base, unique } = runtimeByFramework[framework] ?? {};
  const imports = [...`${base}${unique}`.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name);
  const installed = await Promise.all(
    imports.map((name) => findInstalled(packageOf(name), root).then((found) => found && name)),
  );
  return [...new Set(installed.filter((name) => name !== undefined))];
}

const CREDITS: readonly string[] = ['react', 'vue'];

/** The components that list the credits: mostly of a page of its own, which is loaded late. */
async function creditsComponents(framework: Options['framework'], root: string): Promise<string[]> {
  const hasElement = framework === 'lit' || framework === 'web-component';
  const names = CREDITS.filter((name) => typeof framework !== 'string' || framework === name);
  const installed = await Promise.all(
    [NAME, ...names].map(async (name) => (await findInstalled(name, root)) !== undefined),
  );
  if (installed[0] !== true) return [];
  const usable = names.filter((_, at) => installed[at + 1] === true);
  return [...usable, ...(hasElement ? ['web-component'] : [])].map(
    (name) => `${NAME}/credits/${name}`,
  );
}

/** Of `lit/html.js` it is `lit`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Vite 8 says in the context of every hook which Rolldown it runs; the ones before have esbuild. */
function optimizerConfig(context: unknown): UserConfig {
  const { meta } = (context ?? {}) as { meta?: object };
  if (meta !== undefined && 'rolldownVersion' in meta) return {};
  return { optimizeDeps: { esbuildOptions: { plugins: [leaveIconsToServer] } } };
}

/**
 * Names of installed packages that ship `icon:` imports, which they say with a peer dependency on this one: those that
 * the project depends on, and those that such packages depend on in turn. Node cannot load them, so that servers must
 * bundle them.
 */
async function findIconLibraries(root: string): Promise<string[]> {
  const found = new Set<string>();

  async function look(
    folder: string,
    { dependencies, devDependencies }: PackageManifest,
  ): Promise<void> {
    const names = Object.keys({ ...dependencies, ...devDependencies });
    await Promise.all(
      names.map(async (name) => {
        const installed = found.has(name) ? undefined : await findInstalled(name, folder);
        if (installed?.manifest.peerDependencies?.[NAME] === undefined) return;
        found.add(name);
        await look(installed.folder, { dependencies: installed.manifest.dependencies ?? {} });
      }),
    );
  }

  await look(root, (await packageAround(root))?.manifest ?? {});
  return [...found].toSorted();
}
