import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTemplate, type Edit } from '../bundlers/copy-template.ts';
import { serveFolder } from '../bundlers/serve-folder.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const run = promisify(execFile);

interface Variant {
  /** Of create-vite; without one, `files`. */
  template?: string;
  edits?: Edit[];
  files?: Record<string, string>;
  /** What `npm create` and `npm install` would have put there. */
  packages: string[];
  /** Path of the command that `npm run build` runs. */
  build: [script: string, ...args: string[]];
  /** The catalog is one that `icon-catalog serve` gives a port. */
  isServed?: boolean;
}

const VITE: Variant['build'] = ['vite/bin/vite.js', 'build'];
const ASTRO_PAGE = '---\n---\n<html lang="en">\n\t<body>\n\t\t<h1>Astro</h1>\n\t</body>\n</html>\n';

const VARIANTS: Record<string, Variant> = {
  embedded: { template: 'vanilla', packages: ['vite', '@iconify-json/tabler'], build: VITE },
  'serve as the remote catalog': {
    template: 'vanilla-ts',
    packages: ['vite', '@iconify-json/tabler'],
    build: VITE,
    isServed: true,
  },
  React: {
    template: 'react',
    // Vite itself compiles JSX; the plugin adds what a dev server needs.
    edits: [
      ['vite.config.js', "import react from '@vitejs/plugin-react'\n", ''],
      ['vite.config.js', 'react()', ''],
    ],
    packages: ['vite', 'react', 'react-dom', '@iconify-json/tabler'],
    build: VITE,
  },
  Vue: {
    template: 'vue-ts',
    packages: ['vite', 'vue', '@vitejs/plugin-vue', '@iconify-json/tabler'],
    edits: [['tsconfig.app.json', '"extends": "@vue/tsconfig/tsconfig.dom.json",', '']],
    build: VITE,
  },
  Svelte: {
    template: 'svelte',
    packages: ['vite', 'svelte', '@sveltejs/vite-plugin-svelte', '@iconify-json/tabler'],
    build: VITE,
  },
  Astro: {
    files: {
      'package.json':
        '{ "type": "module", "scripts": { "build": "astro build" }, "dependencies": { "astro": "5" } }',
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
      'src/pages/index.astro': ASTRO_PAGE,
    },
    packages: ['astro', '@iconify-json/tabler'],
    build: ['astro/astro.js', 'build'],
  },
};

interface Made {
  consumer: PackedConsumer;
  /** What each command printed, in order. */
  transcript: string[];
}

/** Types what the documentation says, and nothing else: no file is edited by hand. */
async function follow(variant: Variant): Promise<Made> {
  const consumer = await createPackedConsumer({
    packages: variant.packages,
    files: variant.files ?? {},
  });
  const { root } = consumer;
  const transcript: string[] = [];
  const modules = join(root, 'node_modules');
  const cli = join(modules, 'unplugin-icon-catalog/dist/cli.js');
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    CI: '',
    ICON_CATALOG_CACHE_DIR: join(root, '.icon-cache'),
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  const type = async (script: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(process.execPath, [script, ...args], { cwd: root, env });
    transcript.push(`${stdout}${stderr}`);
    return stdout;
  };
  if (variant.template !== undefined) {
    await copyTemplate(`template-${variant.template}`, root, variant.edits ?? []);
    await rename(join(root, '_gitignore'), join(root, '.gitignore'));
  }
  if (variant.isServed !== true) {
    await type(cli, 'init', '--yes');
    await type(join(modules, variant.build[0]), ...variant.build.slice(1));
    return { consumer, transcript };
  }
  const server = spawn(process.execPath, [cli, 'serve', '--write-env'], { cwd: root, env });
  try {
    await once(server.stdout, 'data');
    const found = JSON.parse(await type(cli, 'search', 'star', '--limit', '1', '--json')) as {
      id: string;
    }[];
    await type(cli, 'init', '--remote', '--yes', '--icon', String(found[0]?.id));
    await type(join(modules, variant.build[0]), ...variant.build.slice(1));
  } finally {
    server.kill('SIGINT');
    await once(server, 'close');
  }
  return { consumer, transcript };
}

let browser: Browser;
const made: Record<string, Made> = {};
beforeAll(async () => {
  const opened = launchBrowser();
  const started = performance.now();
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const before = performance.now();
    made[name] = await follow(variant);
    process.stdout.write(
      `${name}: icon after ${((performance.now() - before) / 1000).toFixed(1)} s\n`,
    );
  }
  process.stdout.write(`all: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  browser = await opened;
});
afterAll(async () => {
  await Promise.all(Object.values(made).map(({ consumer }) => consumer.remove()));
  await browser?.close();
});

describe.each(Object.keys(VARIANTS))('the first minutes with %s', (name) => {
  it('end with an icon on the page and its credit beside it', async () => {
    const { consumer, transcript } = made[name] as Made;
    expect(transcript.join('\n')).not.toMatch(/by hand|warning|error/i);
    const dist = join(consumer.root, 'dist');
    const manifest = parseManifest(await readFile(join(dist, 'icon-attribution.json'), 'utf8'));
    expect(manifest.icons.map(({ title }) => title)).toEqual(['Star']);
    const served = await serveFolder(dist);
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await page.goto(served.url);
    const icon = page.locator('svg').first();
    await expect.poll(async () => (await icon.boundingBox())?.height).toBe(48);
    expect(failures).toEqual([]);
    await page.close();
    await served.close();
  });
});
