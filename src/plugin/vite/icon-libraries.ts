import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const NAME = 'unplugin-icon-catalog';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Names of installed packages that ship `icon:` imports, which they say with a peer dependency on this one: those that
 * the project depends on, and those that such packages depend on in turn. Node cannot load them, so that servers must
 * bundle them.
 */
export async function findIconLibraries(root: string): Promise<string[]> {
  const found = new Set<string>();

  async function look(folder: string, { dependencies, devDependencies }: Manifest): Promise<void> {
    const names = Object.keys({ ...dependencies, ...devDependencies });
    await Promise.all(
      names.map(async (name) => {
        const installed = found.has(name) ? undefined : await readInstalled(name, folder);
        if (installed?.manifest.peerDependencies?.[NAME] === undefined) return;
        found.add(name);
        await look(installed.folder, { dependencies: installed.manifest.dependencies ?? {} });
      }),
    );
  }

  await look(root, (await readManifest(root)) ?? {});
  return [...found].toSorted();
}

/** Looks where Node would. */
export async function readInstalled(
  name: string,
  from: string,
): Promise<{ folder: string; manifest: Manifest } | undefined> {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    const manifest = await readManifest(folder);
    if (manifest !== undefined) return { folder, manifest };
    if (dirname(at) === at) return undefined;
  }
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
