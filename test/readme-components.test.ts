import { symlink } from 'node:fs/promises';
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
import { blockOf } from './support/docs.ts';
import { writeProject } from './support/write-project.ts';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const PLUGINS: Partial<Record<Framework, () => PluginOption>> = {
  vue: () => vue(),
  svelte: () => svelte({ configFile: false }),
};

/** The page that shows each of them. */
const PAGES: Partial<Record<string, string>> = {
  'react.jsx': 'guides/components',
  'web-component.js': 'frameworks/web-components',
};

function block(name: string): string {
  return blockOf(`docs/${PAGES[name] ?? `frameworks/${name.split('.')[0]}`}.md`, name);
}

describe('the component of the documentation', () => {
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
