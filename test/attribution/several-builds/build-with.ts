import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import esbuildPlugin from '../../../src/esbuild.ts';
import type { Options } from '../../../src/options/options.ts';
import rollupPlugin from '../../../src/rollup.ts';
import { embeddedIconId } from '../../../src/server.ts';
import type { Manifest } from '../../../src/types.ts';
import vitePlugin from '../../../src/vite.ts';
import webpackPlugin from '../../../src/webpack.ts';
import { readTree } from '../../support/write-project.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

export const BUNDLERS = ['vite', 'rollup', 'webpack', 'esbuild'] as const;
export type Bundler = (typeof BUNDLERS)[number];

/** Icons by the names that the projects of these tests give them. */
const ICONS = {
  home: ['tabler', 'home'],
  star: ['tabler', 'star'],
  bell: ['tabler', 'bell'],
  bus: ['maki', 'bus'],
} as const;
export type Name = keyof typeof ICONS;
const NAMES = Object.keys(ICONS) as Name[];

export const idOf = (name: Name): number => embeddedIconId(ICONS[name][0], ICONS[name][1]);

/** `optimize: false` leaves path data as the set has it, so that the scan below needs nothing of ours. */
export function optionsOf(root: string, more: Options = {}): Options {
  return {
    catalog: { embedded: { sets: ['tabler', 'maki'], root: process.cwd() } },
    aliases: Object.fromEntries(NAMES.map((name) => [name, idOf(name)])),
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'icons.lock'),
    logLevel: 'silent',
    ...more,
    svg: { optimize: false },
  };
}

export interface BuildInput {
  root: string;
  entry: string;
  /** Relative to the root. */
  outDir: string;
  options?: Options;
  isServer?: boolean;
  /** Of the output, where the bundler can do that. */
  clean?: boolean;
}

/** One build of one entry into one folder, with the bundler's own settings. */
export async function buildWith(
  bundler: Bundler,
  { root, entry, outDir, options = {}, isServer = false, clean = false }: BuildInput,
): Promise<void> {
  const given = optionsOf(root, options);
  const input = join(root, entry);
  const folder = join(root, outDir);
  const name = entry.replace(/^.*\/|\.js$/g, '');
  if (bundler === 'vite') {
    await vite({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [vitePlugin(given)],
      build: {
        outDir: folder,
        emptyOutDir: clean,
        assetsInlineLimit: 0,
        ...(isServer ? { ssr: input } : { rollupOptions: { input } }),
      },
    });
  } else if (bundler === 'rollup') {
    const bundle = await rollup({ input, plugins: [rollupPlugin(given)], onwarn: () => undefined });
    await bundle.write({ dir: folder, entryFileNames: '[name].js' });
    await bundle.close();
  } else if (bundler === 'esbuild') {
    await esbuild({
      absWorkingDir: root,
      entryPoints: [input],
      outdir: folder,
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
      platform: isServer ? 'node' : 'browser',
      loader: { '.svg': 'file' },
      plugins: [esbuildPlugin(given)],
    });
  } else {
    const compiler = webpack({
      context: root,
      mode: 'production',
      target: isServer ? 'node' : 'web',
      entry: { [name]: input },
      output: { path: folder, filename: '[name].js', clean },
      plugins: [webpackPlugin(given)],
    });
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    if (stats?.hasErrors() !== false) throw new Error(stats?.toString('errors-only'));
  }
}

export async function listIn(folder: string): Promise<Manifest> {
  const file = (await readTree(folder)).get('icon-attribution.json');
  return parseManifest(String(file));
}

/** Names of the icons that a list has. */
export function listed({ icons }: Manifest): Name[] {
  return NAMES.filter((name) => icons.some(({ id }) => id === String(idOf(name))));
}

/** The longest path of each icon, as the package of its set has it. */
const DRAWINGS = NAMES.map((name): [Name, string] => {
  const [set, icon] = ICONS[name];
  const file = createRequire(import.meta.url).resolve(`@iconify-json/${set}/icons.json`);
  const { icons } = JSON.parse(readFileSync(file, 'utf8')) as {
    icons: Record<string, { body: string }>;
  };
  const paths = [...(icons[icon]?.body ?? '').matchAll(/ d="([^"]*)"/g)].map(([, d = '']) => d);
  return [name, paths.reduce((best, d) => (d.length > best.length ? d : best), '')];
});

/** Names of the icons whose drawing is in some file of a finished site: shares nothing with the code that it judges. */
export async function scanSite(folder: string): Promise<Name[]> {
  const found = new Set<Name>();
  for (const [path, content] of await readTree(folder)) {
    if (/(?:^|\/)icon-attribution\.\w+$/.test(path)) continue;
    const text = content.toString();
    const plain = bare(text.replaceAll('%20', ' '));
    for (const [name, d] of DRAWINGS) if (plain.includes(bare(d))) found.add(name);
  }
  return NAMES.filter((name) => found.has(name));
}

/** Path data has white space where it has commas in an address. */
function bare(text: string): string {
  return text.replaceAll(/[\s,]/g, '');
}

/** Files that a list names and that are not in its site. */
export async function goneFiles(folder: string): Promise<string[]> {
  const { icons, builds } = await listIn(folder);
  const folders = new Map(builds.map(({ id, folder: way = '' }) => [id, way]));
  const gone: string[] = [];
  for (const { usedIn } of icons) {
    for (const { build, file } of usedIn) {
      const parent = join(folder, folders.get(build) ?? '');
      if (!(await readTree(parent)).has(file)) gone.push(`${build}: ${file}`);
    }
  }
  return gone;
}
