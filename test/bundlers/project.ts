import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedIconId } from '../../src/server.ts';
import type { Options } from '../../src/options/options.ts';
import type { CountingCatalog } from '../support/counting-catalog.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { readTree } from '../support/write-project.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { BUN } from '../support/bun.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** What webpack and Rspack are run with in every project. */
const RUN_COMPILER = new URL('shared/run-compiler.js', import.meta.url);

export type Bundler =
  | 'vite'
  | 'rollup'
  | 'rolldown'
  | 'webpack'
  | 'rspack'
  | 'esbuild'
  | 'farm'
  | 'bun';

/** By bundler: what a user runs in the project's folder. */
const COMMANDS: Record<Bundler, readonly string[]> = {
  vite: [process.execPath, join(MODULES, 'vite/bin/vite.js'), 'build'],
  rollup: [process.execPath, join(MODULES, 'rollup/dist/bin/rollup'), '--config', '--silent'],
  rolldown: [process.execPath, join(MODULES, 'rolldown/bin/cli.mjs'), '--config'],
  webpack: [process.execPath, 'webpack.mjs'],
  rspack: [process.execPath, 'rspack.mjs'],
  esbuild: [process.execPath, 'esbuild.mjs'],
  farm: [process.execPath, 'farm.mjs'],
  bun: [BUN, 'bun.mjs'],
};

const INSTALLED = [
  'vite',
  'rollup',
  'rolldown',
  'webpack',
  '@rspack/core',
  'esbuild',
  '@farmfe/core',
];

export const BUNDLERS: Bundler[] = Object.keys(COMMANDS) as Bundler[];

/** Twenty icons of three sets; `camera` is only asked for its record, `moon` is never used. */
export const ALIASES: Record<string, number> = Object.fromEntries([
  ...['home', 'star', 'heart', 'bell', 'user', 'settings', 'search', 'camera', 'moon'].map(
    (name) => [name, embeddedIconId('tabler', name)],
  ),
  ...['bus', 'cafe', 'airport', 'bicycle', 'fuel'].map((name) => [
    name,
    embeddedIconId('maki', name),
  ]),
  ...['lion', 'castle', 'crown', 'anchor'].map((name) => [
    name,
    embeddedIconId('game-icons', name),
  ]),
  ['wolf', embeddedIconId('game-icons', 'wolf-head')],
  ['smith', embeddedIconId('game-icons', 'sword-smithing')],
]) as Record<string, number>;

/** Ids of the icons that the output has drawings of, in the order of `toSorted`. */
export const SHIPPED: string[] = Object.entries(ALIASES)
  .filter(([name]) => name !== 'camera' && name !== 'moon')
  .map(([, id]) => String(id))
  .toSorted();

/** What the project's script shows once it runs. */
export interface Shown {
  markup: Record<string, string>;
  data: Record<string, string>;
  /** Addresses of emitted files. */
  files: Record<string, string>;
  named: Record<string, unknown>;
  camera: unknown;
  credits: { id: string }[];
  complete: boolean;
  lazy: Pick<Shown, 'markup' | 'files'>;
}

export interface Build {
  exitCode: number;
  /** Standard output and standard error. */
  said: string;
  /** Requests that the catalog got meanwhile. */
  calls: string[];
  /** The output folder. */
  output: Map<string, Buffer>;
}

export interface BuildOptions {
  /** Folder that keeps icons from one build to the next, below the project's own `.icons` unless it is absolute. */
  cache: string;
  /** Keeps the bundler's own cache too. */
  persistent?: boolean;
  options?: Options;
  /** What stands before the command, and what it finds in its environment besides. */
  wrap?: (command: readonly string[]) => readonly string[];
  env?: Record<string, string>;
  /** `undefined`: nothing is configured. */
  catalog?: Pick<CountingCatalog, 'url' | 'key' | 'secret' | 'calls'> | undefined;
}

export interface Project {
  root: string;
  /** Builds in a process of its own, into an empty folder. */
  build(bundler: Bundler, options: BuildOptions): Promise<Build>;
  /** Runs what the last build of this bundler has written. */
  show(bundler: Bundler): Promise<Shown>;
  remove(): Promise<void>;
}

/**
 * A project in a fresh folder, with this package installed from its tarball.
 *
 * @param folder beside this file; by default the twenty icons
 * @param packages of this repository that it has installed besides the bundlers
 */
export async function createProject(
  folder = 'consumer',
  packages: readonly string[] = [],
): Promise<Project> {
  const consumer: PackedConsumer = await createPackedConsumer({
    packages: [...INSTALLED, ...packages],
    from: fileURLToPath(new URL(folder, import.meta.url)),
    files: { 'run-compiler.js': await readFile(RUN_COMPILER, 'utf8') },
  });
  const { root } = consumer;

  return {
    root,
    remove: () => consumer.remove(),
    async build(
      bundler,
      { cache, persistent = false, options = {}, catalog, wrap = (command) => command, env = {} },
    ) {
      const folder = join(root, 'dist', bundler);
      await removeFolder(folder);
      const before = catalog?.calls.length ?? 0;
      const { exitCode, stdout, stderr } = await execute(wrap(COMMANDS[bundler]), root, {
        ...env,
        BUNDLER: bundler,
        // A catalog in the process of the tests answers late on a busy machine.
        ICON_OPTIONS: JSON.stringify({ aliases: ALIASES, timeout: 100_000, ...options }),
        ICON_CATALOG_CACHE_DIR: resolve(root, '.icons', cache),
        ...(persistent && { BUNDLER_CACHE: `.cache/${bundler}` }),
        ...(catalog && {
          ICON_CATALOG_URL: catalog.url,
          ICON_CATALOG_KEY: catalog.key,
          ICON_CATALOG_SECRET: catalog.secret,
        }),
      });
      const calls = catalog?.calls.slice(before) ?? [];
      return { exitCode, said: stdout + stderr, calls, output: await readTree(folder) };
    },
    async show(bundler) {
      const folder = join(root, 'dist', bundler);
      const names = await readdir(folder, { recursive: true, encoding: 'utf8' });
      const entry =
        names.find((name) => /(?:^|[/\\])(?:main|index-[\w-]+)\.m?js$/.test(name)) ?? '';
      const command = [process.execPath, 'show.mjs', join(folder, entry)];
      const { exitCode, stdout, stderr } = await execute(command, root, {});
      if (exitCode !== 0) throw new Error(`The output of ${bundler} does not run: ${stderr}`);
      return JSON.parse(stdout) as Shown;
    },
  };
}

/** Nothing of this process's environment but what finds programs: no key, no CI, no proxy. */
async function execute(
  [file = '', ...args]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  return new Promise((done, fail) => {
    execFile(
      file,
      args,
      {
        cwd,
        env: {
          PATH,
          TMPDIR,
          HOME: cwd,
          NO_COLOR: '1',
          ICON_CATALOG_SITE_URL: 'https://icons.example',
          ...env,
        },
        timeout: 110_000,
      },
      (error, stdout, stderr) => {
        if (error === null) done({ exitCode: 0, stdout, stderr });
        else if (typeof error.code === 'number') done({ exitCode: error.code, stdout, stderr });
        else fail(error);
      },
    );
  });
}
