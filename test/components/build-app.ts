import { execFile } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { compile } from 'svelte/compiler';
import { build, type Plugin, type PluginOption } from 'vite';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import type { Framework } from '../../src/component.ts';
import iconCatalog from '../../src/vite.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const APPS = fileURLToPath(new URL('apps', import.meta.url));

/** Real icons of an installed set, and a drawing with ids of its own that is twice as wide as it is high. */
export function iconOptions(root: string): Options {
  return {
    catalog: { embedded: { sets: ['tabler'], folders: ['drawings'], root } },
    aliases: { home: embeddedIconId('tabler', 'home'), glow: embeddedIconId('drawings', 'glow') },
    cacheDir: join(root, '.icons'),
    logLevel: 'silent',
  };
}

/** Puts the apps into an empty folder. */
export async function createApps(root: string): Promise<void> {
  await cp(APPS, root, { recursive: true });
  await symlink(MODULES, join(root, 'node_modules'), 'junction');
}

export interface BuiltApp {
  /** What the server sends. */
  html: string;
  /** The same for every caller. */
  again: string;
  /** What `named` of the server gives, once and again. */
  named: string[];
  /** The script of the page. */
  script: string;
}

/** Builds an app twice, for a server and for a browser, and runs the server's part. */
export async function buildApp(root: string, framework: Framework): Promise<BuiltApp> {
  const plugins = (): PluginOption[] => [
    iconCatalog({ ...iconOptions(root), framework }),
    sveltePlugin(),
    standIn(/^@qwik-client-manifest$/, join(root, 'qwik/manifest.js')),
  ];
  const common = {
    root,
    configFile: false,
    logLevel: 'error',
    // Frameworks report problems, such as a mismatch, in development only.
    mode: 'development',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
  } as const;
  const outDir = join(root, 'dist', framework);
  await build({
    ...common,
    plugins: plugins(),
    // Qwik's server part imports what only a bundler knows.
    ssr: framework === 'qwik' ? { noExternal: true } : {},
    build: {
      ssr: join(root, framework, 'server.js'),
      outDir: join(outDir, 'server'),
      rollupOptions: { output: { entryFileNames: 'server.mjs' } },
    },
  });
  await build({
    ...common,
    plugins: plugins(),
    build: {
      outDir: join(outDir, 'client'),
      rollupOptions: {
        input: join(root, framework, 'client.js'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'client.js' },
      },
    },
  });
  const server = pathToFileURL(join(outDir, 'server/server.mjs')).href;
  const command = `const { render, named = () => '' } = await import(${JSON.stringify(server)});
    const pages = [];
    for (const page of [render, render, named, named]) pages.push(await page());
    process.stdout.write(JSON.stringify(pages));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', command], {
    cwd: root,
  });
  const [html = '', again = '', ...named] = JSON.parse(stdout) as string[];
  return { html, again, named, script: await readFile(join(outDir, 'client/client.js'), 'utf8') };
}

/** What a plugin for Svelte does, without its preprocessors and its dev server. */
function sveltePlugin(): Plugin {
  return {
    name: 'svelte-files',
    transform: {
      filter: { id: /\.svelte$/ },
      handler(code, filename, options) {
        const generate = options?.ssr === true ? 'server' : 'client';
        const { js } = compile(code, { filename, generate });
        return { code: js.code, map: js.map };
      },
    },
  };
}

/** A file for what the framework's own plugin for Vite would bring. */
function standIn(id: RegExp, file: string): Plugin {
  return { name: 'stand-in', resolveId: { filter: { id }, handler: () => file } };
}
