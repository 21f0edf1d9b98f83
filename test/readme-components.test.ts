import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { parseSync } from 'rolldown/utils';
import { build, type PluginOption } from 'vite';
import { describe, expect, it } from 'vitest';
import type { Framework } from '../src/component.ts';
import { embeddedIconId } from '../src/server.ts';
import iconCatalog from '../src/vite.ts';
import { writeProject } from './support/write-project.ts';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const readme = await readFile(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');

/** The code block that names this file in its first lines. */
function block(name: string): string {
  for (const [, code = ''] of readme.matchAll(/```\w+\n([^]*?)```/g)) {
    if (code.slice(0, 60).includes(` ${name}`)) return code;
  }
  throw new Error(`The README has no block for ${name}.`);
}

const PLUGINS: Partial<Record<Framework, () => PluginOption>> = {
  vue: () => vue(),
  svelte: () => svelte({ configFile: false }),
};

describe('the component of the README', () => {
  it.each(['react.jsx', 'preact.jsx', 'vue.vue', 'svelte.svelte', 'lit.js', 'web-component.js'])(
    'in %s is built as it is written',
    async (name) => {
      const framework = name.slice(0, name.indexOf('.')) as Framework;
      const root = await writeProject({ [name]: block(name) });
      await symlink(MODULES, join(root, 'node_modules'), 'junction');
      const result = await build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [
          iconCatalog({
            catalog: { embedded: { sets: ['tabler'], root } },
            aliases: { house: embeddedIconId('tabler', 'home') },
            cacheDir: join(root, '.cache'),
            framework,
          }),
          PLUGINS[framework]?.(),
        ],
        ...(framework === 'preact' && { oxc: { jsx: { importSource: 'preact' } } }),
        build: { write: false, lib: { entry: join(root, name), formats: ['es'] } },
      });
      const code = JSON.stringify(result);
      expect(code).toContain('M5 12H3l9-9 9 9h-2');
    },
  );

  it('in astro.astro has a script that can be read', () => {
    const [, script = ''] = block('astro.astro').split('---');
    expect(parseSync('astro.ts', script).errors).toEqual([]);
  });
});
