import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { renderAttribution } from '../src/attribution/render/render-attribution.ts';
import { ERROR_CODES } from '../src/errors.ts';
import { embeddedIconId } from '../src/server.ts';
import iconCatalog from '../src/vite.ts';
import { credit, manifest } from './attribution/records.ts';
import { startCountingCatalog } from './support/counting-catalog.ts';
import { createPackedConsumer, type PackedConsumer } from './support/packed-consumer.ts';

const run = promisify(execFile);
const readme = read('README.md');
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
}

/** The code block of the README that begins with the comment `// <name>`. */
function block(name: string): string {
  const found = new RegExp('```\\w+\\n// ' + name.replace('.', '\\.') + '\\n([^]*?)```').exec(
    readme,
  )?.[1];
  if (found === undefined) throw new Error(`The README has no block for ${name}.`);
  return found;
}

/** A fresh folder with the packed tarball and the README's main file, about icons that exist. */
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
    const main = block('main.ts').replaceAll('123', String(embeddedIconId('tabler', 'home')));
    const project = await createProject(block('vite.config.ts'), main);

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

  it('works without an account, on an installed set', async () => {
    const [, config = '', script = ''] =
      /### Without an account[^]*?```ts\n([^]*?)```\n\n```ts\n([^]*?)```/.exec(readme) ?? [];
    const project = await createProject(config, `${script} document.body.innerHTML = home;`);

    expect(await build(project, {})).toContain('1 icon');
    const credits = readFileSync(join(project.root, 'dist/icon-attribution.md'), 'utf8');
    expect(credits).toContain('MIT');
  });
});

describe('style sheets and pages', () => {
  it('show icons as it is written', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    cleanups.push(() => catalog.close());
    const id = String(embeddedIconId('tabler', 'home'));
    const named = (name: RegExp): string =>
      (
        new RegExp(`\`\`\`\\w+\\n${name.source}\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ''
      ).replaceAll('icon:123', `icon:${id}`);
    const project = await createPackedConsumer({
      packages: ['vite'],
      files: {
        'vite.config.ts': block('vite.config.ts'),
        'index.html': `<!doctype html><link rel="stylesheet" href="/style.css">${named(/<!-- index\.html -->/)}`,
        'style.css': named(/\/\* style\.css \*\//),
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

/** How each configuration of the README is run where no command line is installed. */
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
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    cleanups.push(() => catalog.close());
    const id = embeddedIconId('tabler', 'home');
    const project = await createPackedConsumer({
      packages: [bundler],
      files: {
        [file]: block(file),
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
    expect(readFileSync(join(project.root, 'dist/main.js'), 'utf8')).toContain('svg xmlns');
    expect(readFileSync(join(project.root, 'dist/icon-attribution.md'), 'utf8')).toContain(
      '“Home”',
    );
  });
});

describe('the example without a bundler', () => {
  it('works as it is written', async () => {
    const project = await createPackedConsumer({
      packages: ['@iconify-json/tabler'],
      files: { 'icons.mjs': block('icons.mjs') },
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
        'credits.mjs': block('credits.mjs'),
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

describe('the README', () => {
  it('shows options that are accepted', () => {
    const examples = [...readme.matchAll(/```ts\n(iconCatalog\([^]*?)```/g)].map(
      ([, code]) => code,
    );
    expect(examples.length).toBeGreaterThan(8);
    for (const example of examples) {
      const plugin: unknown = runInNewContext(
        `(${example?.replace(/process[.]env[.]\w+!/g, "'x'").replace(/;\s*$/, '')})`,
        { iconCatalog },
      );
      expect([plugin].flat()[0]).toMatchObject({ name: 'unplugin-icon-catalog' });
    }
  });

  it('names every error code, entry point and option', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports)
      .filter((entry) => entry !== '.' && entry !== './package.json')
      .map((entry) => `unplugin-icon-catalog${entry.slice(1)}`);
    const optionNames =
      /export interface Options \{([^]*?)\n\}/.exec(read('src/options/options.ts'))?.[1] ?? '';
    const options = [...optionNames.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => `\`${name}\``);

    expect(options.length).toBeGreaterThan(10);
    const wanted = [...Object.keys(ERROR_CODES), ...entries, ...options];
    expect(wanted.filter((word) => !readme.includes(word))).toEqual([]);
  });

  it('names no script that is not there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
