import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeProject } from '../../support/write-project.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const from = (path: string): string => JSON.stringify(join(ROOT, path));

/** A configuration as Rsbuild makes it: its own plugin, and a log that shows errors only. */
const rsbuild = `plugins: [new (class { name = 'RsbuildCorePlugin'; apply() {} })(), icons()],
  infrastructureLogging: { level: 'error' }, output: { path: root + '/dist', publicPath: '/app/' },`;
/** A server and a client, one after the other, as Next.js has them. */
const two = (own: string): string => `plugins: [icons()], ${own}`;

async function lines(configs: readonly string[], ...args: string[]): Promise<string[]> {
  const root = await writeProject({
    'main.js': `import house from 'icon:tabler/home'; import star from 'icon:tabler/star'; console.log(house, star);`,
    'server.js': `import house from 'icon:tabler/home'; export default house;`,
    'src/styles.css': '',
    'build.mjs': `import { rspack } from ${from('node_modules/@rspack/core/dist/index.js')};
      import plugin from ${from('dist/rspack.js')};
      const root = process.cwd();
      const icons = () => plugin({ catalog: { embedded: { sets: ['tabler'], root: ${JSON.stringify(ROOT)} } }, cacheDir: root + '/.cache' });
      for (const config of [${configs.map((config) => `{ ${config} }`).join(', ')}]) {
        const compiler = rspack({ mode: 'production', context: root, entry: './main.js', ...config });
        await new Promise((resolve, reject) => compiler.run((error, stats) =>
          error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : compiler.close(resolve)));
      }
      console.error('all built');`,
  });
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['build.mjs', 'build', ...args],
    { cwd: root },
  );
  return (stdout + stderr).split('\n').filter((line) => /all built|signed call/.test(line));
}

it('the line of a build is seen in Rsbuild too, at the level that its user asked for', async () => {
  const [usual, quiet, own] = await Promise.all([
    lines([rsbuild]),
    lines([rsbuild], '--log-level', 'error'),
    lines([
      rsbuild.replace('new (class {', 'new (class { other = true;').replace('Rsbuild', 'Own'),
    ]),
  ]);
  expect(usual).toEqual([
    'all built',
    expect.stringMatching(
      /^\[icon-catalog\] rspack: 2 icons in 2 variants · .* · attribution: \/app\/icon-attribution\.html$/,
    ),
  ]);
  expect(quiet).toEqual(['all built']);
  // Every other caller that wants errors only has configured it.
  expect(own).toEqual(['all built']);
});

it('several builds of one site have one line, which names the outermost list', async () => {
  const site = await lines([
    // The sources are in a folder of their own, from which no path is shown.
    two(
      `context: root + '/src', entry: '../server.js', target: 'node', output: { path: root + '/out/server' },`,
    ),
    two(`context: root + '/src', entry: '../main.js', output: { path: root + '/out' },`),
  ]);
  expect(site).toEqual([
    'all built',
    expect.stringMatching(
      /rspack: 2 icons in 2 variants · 4 signed calls · 0 from cache · [\d.]+ s · attribution: out\/icon-attribution\.json, out\/icon-attribution\.html, out\/icon-attribution\.md$/,
    ),
  ]);
});
