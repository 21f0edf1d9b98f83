import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { renderAttribution } from '../src/attribution/render/render-attribution.ts';
import { embeddedIconId } from '../src/server.ts';
import iconCatalog from '../src/vite.ts';
import { credit, manifest } from './attribution/records.ts';
import { startCountingCatalog } from './support/counting-catalog.ts';
import { blockOf, codeBlocks, readDocs } from './support/docs.ts';
import { createPackedConsumer, type PackedConsumer } from './support/packed-consumer.ts';

const run = promisify(execFile);
const readme = read('README.md');
const docs = readDocs();
const everything = docs.map(({ text }) => text).join('\n');
const WITH_ACCOUNT = 'docs/start/with-an-account.md';
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
}

/** A fresh folder with the packed tarball and a main file. */
async function createProject(config: string, main: string): Promise<PackedConsumer> {
  const project = await createPackedConsumer({
    packages: ['vite', '@iconify-json/tabler'],
    files: {
      'index.html': '<h1>Hello</h1><img alt=""><script type="module" src="main.ts"></script>',
      'vite.config.ts': config,
      'main.ts': main,
    },
  });
  cleanups.push(() => project.remove());
  return project;
}

async function build(project: PackedConsumer, env: Record<string, string>): Promise<string> {
  const vite = join(project.root, 'node_modules/vite/bin/vite.js');
  const { stdout, stderr } = await run(process.execPath, [vite, 'build'], {
    cwd: project.root,
    env: {
      PATH: process.env['PATH'],
      NO_COLOR: '1',
      ICON_CATALOG_CACHE_DIR: join(project.root, '.cache'),
      ...env,
    },
  });
  return stdout + stderr;
}

describe('the quick start', () => {
  it('works as it is written, with a catalog and its key', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    cleanups.push(() => catalog.close());
    const home = String(embeddedIconId('tabler', 'home'));
    const main = blockOf(WITH_ACCOUNT, 'main.ts').replaceAll('123', home);
    const project = await createProject(blockOf(WITH_ACCOUNT, 'vite.config.ts'), main);

    const output = await build(project, {
      ICON_CATALOG_URL: catalog.url,
      ICON_CATALOG_KEY: catalog.key,
      ICON_CATALOG_SECRET: catalog.secret,
    });

    expect(output).toContain('2 signed calls');
    const files = readdirSync(join(project.root, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.startsWith('icon-attribution')).toSorted()).toEqual([
      'icon-attribution.html',
      'icon-attribution.json',
      'icon-attribution.md',
    ]);
    expect(files.filter((path) => /^assets.home-\d+-[^.]+\.svg$/.test(path))).toHaveLength(1);
    const script = files.find((path) => path.endsWith('.js')) ?? '';
    expect(readFileSync(join(project.root, 'dist', script), 'utf8')).toContain('<svg');
  });

  it.each(['README.md', 'docs/start/quick-start.md'])(
    'works without an account, as %s has it',
    async (page) => {
      const config = blockOf(page, 'vite.config.ts');
      const project = await createProject(config, blockOf(page, 'main.ts'));

      expect(await build(project, {})).toContain('1 icon in');
      const credits = readFileSync(join(project.root, 'dist/icon-attribution.md'), 'utf8');
      expect(credits).toContain('MIT');
    },
  );
});

describe('style sheets and pages', () => {
  it('show icons as it is written', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    cleanups.push(() => catalog.close());
    const id = String(embeddedIconId('tabler', 'home'));
    const pageOf = (page: string, name: string): string =>
      blockOf(page, name).replaceAll('icon:123', `icon:${id}`);
    const project = await createPackedConsumer({
      packages: ['vite'],
      files: {
        'vite.config.ts': blockOf(WITH_ACCOUNT, 'vite.config.ts'),
        'index.html': `<!doctype html><link rel="stylesheet" href="/style.css">${pageOf('docs/guides/html.md', 'index.html')}`,
        'style.css': pageOf('docs/guides/css.md', 'style.css'),
      },
    });
    cleanups.push(() => project.remove());
    await build(project, {
      ICON_CATALOG_URL: catalog.url,
      ICON_CATALOG_KEY: catalog.key,
      ICON_CATALOG_SECRET: catalog.secret,
    });
    const dist = join(project.root, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const css = readFileSync(join(dist, files.find((path) => path.endsWith('.css')) ?? ''), 'utf8');
    expect(css.match(/data:image\/svg/g)?.length).toBeGreaterThan(1);
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(page).not.toContain('icon:');
    expect(page).toMatch(/<svg [^>]*class="logo"[^]*<title>Home<\/title>/);
  });
});

/** How each configuration is run if no command line is installed. */
const RUNNER: Record<string, string> = {
  webpack: `import webpack from 'webpack'; import config from './webpack.config.js';
    webpack(config, (error, stats) => { if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString()); });`,
  rspack: `import { rspack } from '@rspack/core'; import config from './rspack.config.js';
    rspack(config, (error, stats) => { if (error ?? stats.hasErrors()) throw error ?? new Error(stats.toString()); });`,
  farm: `import { build } from '@farmfe/core'; import config from './farm.config.js'; await build(config);`,
};

describe('the configuration of', () => {
  it.each([
    ['rollup', 'rollup.config.js', ['node_modules/rollup/dist/bin/rollup', '-c']],
    ['rolldown', 'rolldown.config.js', ['node_modules/rolldown/bin/cli.mjs', '-c']],
    ['webpack', 'webpack.config.js', ['run.mjs']],
    ['@rspack/core', 'rspack.config.js', ['run.mjs']],
    ['esbuild', 'build.mjs', ['build.mjs']],
    ['@farmfe/core', 'farm.config.js', ['run.mjs']],
  ])('%s works as it is written', async (bundler, file, command) => {
    const page = `docs/frameworks/${/\w+(?=\/core)|^\w+$/.exec(bundler)?.[0].replace('farmfe', 'farm')}.md`;
    const written = blockOf(page, file);
    expect(written).toContain("iconCatalog({ catalog: 'embedded' })");
    expect(blockOf('README.md', file)).toBe(written);
    // Without options it asks the catalog of the environment, whose calls are counted.
    const config = written.replace("{ catalog: 'embedded' }", '');
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    cleanups.push(() => catalog.close());
    const id = embeddedIconId('tabler', 'home');
    const project = await createPackedConsumer({
      packages: [bundler],
      files: {
        [file]: config,
        'run.mjs': RUNNER[file.split('.')[0] ?? ''] ?? '',
        'src/main.js': `import house from 'icon:${id}'; import file from 'icon:${id}?as=url'; console.log(house, file);`,
      },
    });
    cleanups.push(() => project.remove());

    await run(process.execPath, command, {
      cwd: project.root,
      env: {
        PATH: process.env['PATH'],
        ICON_CATALOG_URL: catalog.url,
        ICON_CATALOG_KEY: catalog.key,
        ICON_CATALOG_SECRET: catalog.secret,
        ICON_CATALOG_CACHE_DIR: join(project.root, '.cache'),
      },
    });

    expect(catalog.calls).toHaveLength(2);
    expect(readFileSync(join(project.root, 'dist/main.js'), 'utf8')).toContain('svg width=');
    expect(readFileSync(join(project.root, 'dist/icon-attribution.md'), 'utf8')).toContain(
      '“Home”',
    );
  });
});

describe('the example without a bundler', () => {
  it('works as it is written', async () => {
    const project = await createPackedConsumer({
      packages: ['@iconify-json/tabler'],
      files: { 'icons.mjs': blockOf('README.md', 'icons.mjs') },
    });
    cleanups.push(() => project.remove());
    const { stdout } = await run(process.execPath, ['icons.mjs'], {
      cwd: project.root,
      env: { ICON_CATALOG_CACHE_DIR: join(project.root, '.cache') },
    });
    expect(stdout).toMatch(/^<svg[^]*width="64"[^]*#ff0000[^]*“Home” by/);
  });
});

describe('the example of a credits page in a layout of one’s own', () => {
  it('works as it is written', async () => {
    const made = manifest([credit()]);
    const project = await createPackedConsumer({
      packages: [],
      files: {
        'credits.mjs': blockOf('docs/guides/credits.md', 'credits.mjs'),
        'dist/icon-attribution.json': renderAttribution(made, 'json'),
      },
    });
    cleanups.push(() => project.remove());
    await run(process.execPath, ['credits.mjs'], { cwd: project.root });
    const page = readFileSync(join(project.root, 'dist/credits.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>[^]*<h1>Credits<\/h1><section class="icon-credits"/);
    expect(page).toContain('Whale');
  });
});

describe('README and documentation', () => {
  it('show options that are accepted', () => {
    const examples = docs
      .flatMap(codeBlocks)
      .map(({ code }) => code)
      .filter((code) => code.startsWith('iconCatalog('));
    expect(examples.length).toBeGreaterThan(25);
    for (const example of examples) {
      const plugin: unknown = runInNewContext(
        `(${example.replace(/process[.]env[.]\w+!/g, "'x'").replace(/;\s*$/, '')})`,
        { iconCatalog },
      );
      expect([plugin].flat()[0]).toMatchObject({ name: 'unplugin-icon-catalog' });
    }
  });

  it('name every entry point and option', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports)
      .filter((entry) => entry !== '.' && entry !== './package.json')
      .map((entry) => `unplugin-icon-catalog${entry.slice(1)}`);
    const optionNames =
      /export interface Options \{([^]*?)\n\}/.exec(read('src/options/options.ts'))?.[1] ?? '';
    const options = [...optionNames.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => `\`${name}\``);

    expect(options.length).toBeGreaterThan(10);
    const wanted = [...entries, ...options];
    expect(wanted.filter((word) => !everything.includes(word))).toEqual([]);
  });

  it('name no script that does not exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...everything.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('keep the README short, and its links inside of the repository', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(450);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(3_500);
    const links = [...readme.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^https?:/.test(link));
    expect(own.length).toBeGreaterThan(40);
    expect(
      own.filter((link) => !existsSync(new URL(link, new URL('../', import.meta.url)))),
    ).toEqual([]);
  });
});
