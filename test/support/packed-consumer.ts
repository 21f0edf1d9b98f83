import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { removeFolder } from './temporary-folder.js';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface PackedConsumer {
  /** Absolute path of the project. */
  root: string;
  remove(): Promise<void>;
}

export interface PackedConsumerOptions {
  /** Names of this repository's packages that the project has installed besides this one and its dependencies. */
  packages?: string[];
  /** Content by path relative to the project. */
  files?: Record<string, string>;
  /** Folder that is copied into the project. */
  from?: string;
}

/** A project outside this repository that has installed the tarball which `npm publish` would send. */
export async function createPackedConsumer({
  packages = [],
  files = {},
  from,
}: PackedConsumerOptions = {}): Promise<PackedConsumer> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-consumer-')));
  const modules = join(root, 'node_modules');
  await mkdir(modules);
  await cp(await pack(), join(modules, 'unplugin-icon-catalog'), { recursive: true });

  // Only declared dependencies are linked: an import of anything else fails here as it would for a user.
  const manifest = JSON.parse(
    await readFile(join(modules, 'unplugin-icon-catalog', 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  for (const name of new Set([...Object.keys(manifest.dependencies), ...packages])) {
    const link = join(modules, name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(REPOSITORY, 'node_modules', name), link, 'junction');
  }

  await writeFile(
    join(root, 'package.json'),
    '{ "name": "consumer", "private": true, "type": "module" }\n',
  );
  if (from !== undefined) await cp(from, root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return { root, remove: () => removeFolder(root) };
}

/** The unpacked tarball. The first test that needs it in a run leaves it to the others. */
async function pack(): Promise<string> {
  const packed = join(inject('scratch'), 'package');
  if (existsSync(packed)) return packed;
  if (!existsSync(join(REPOSITORY, 'dist', 'index.js')))
    throw new Error('Nothing to pack yet: run `npm run build` first.');
  const folder = await mkdtemp(join(inject('scratch'), 'pack-'));
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: REPOSITORY,
    shell: process.platform === 'win32',
  });
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
    version: string;
  };
  await run('tar', ['-xzf', join(folder, `unplugin-icon-catalog-${version}.tgz`), '-C', folder]);
  // Another worker may have been faster: its folder has the same files.
  await rename(join(folder, 'package'), packed).catch((error: unknown) => {
    if (!existsSync(packed)) throw error;
  });
  return packed;
}
