import { readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { addExample } from '../../src/project/splice-example.ts';
import { addPlugin } from '../../src/project/splice-config.ts';
import { detectProject } from '../../src/project/detect.ts';
import { copyTemplate } from '../bundlers/copy-template.ts';
import { runInProject } from '../cli/support/project-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The text of every file below a folder. */
async function textsOf(root: string): Promise<Record<string, string>> {
  const files = await readTree(root);
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('utf8')]));
}

/** What the second text has more than the first, if it has all of its lines. */
function addedLines(before: string, after: string): string[] {
  const rest = before.split('\n');
  const added = after.split('\n').filter((line) => {
    if (line !== rest[0]) return true;
    rest.shift();
    return false;
  });
  expect(rest).toEqual([]);
  return added.filter((line) => line !== '');
}

const ROUTER =
  'export default function App() {\n  return (\n    <Router root={(props) => <Suspense>{props.children}</Suspense>}>\n      <FileRoutes />\n    </Router>\n  );\n}\n';

interface Expected {
  config: [file: string, plugins: string];
  page: [file: string, added: string[]];
}

const COMPONENT = '<Star size="3rem" />';
/** What `init` does to create-vite's templates, in the language that they are written in. */
const TEMPLATES: Record<string, Expected> = {
  vanilla: {
    config: ['vite.config.js', 'plugins: [iconCatalog()],'],
    page: [
      'src/main.js',
      [
        "import star from 'icon:tabler/star?size=3rem'",
        "document.body.insertAdjacentHTML('beforeend', star)",
      ],
    ],
  },
  vue: {
    config: ['vite.config.js', 'plugins: [iconCatalog(), vue()],'],
    page: ['src/App.vue', ["import Star from 'icon:tabler/star'", `    ${COMPONENT}`]],
  },
  react: {
    config: ['vite.config.js', 'plugins: [iconCatalog(), react()],'],
    page: ['src/App.jsx', ["import Star from 'icon:tabler/star'", `      ${COMPONENT}`]],
  },
  preact: {
    config: ['vite.config.js', 'plugins: [iconCatalog(), preact()],'],
    page: ['src/app.jsx', ["import Star from 'icon:tabler/star'", `      ${COMPONENT}`]],
  },
  solid: {
    config: ['vite.config.js', 'plugins: [iconCatalog(), solid()],'],
    page: ['src/App.jsx', ["import Star from 'icon:tabler/star'", `      ${COMPONENT}`]],
  },
  qwik: {
    config: ['vite.config.js', '    iconCatalog(),'],
    page: ['src/app.jsx', ["import Star from 'icon:tabler/star'", `      ${COMPONENT}`]],
  },
  svelte: {
    config: ['vite.config.js', 'plugins: [iconCatalog(), svelte()],'],
    page: ['src/App.svelte', ["  import Star from 'icon:tabler/star'", COMPONENT]],
  },
  lit: {
    config: ['vite.config.js', 'plugins: [iconCatalog()],'],
    page: [
      'src/my-element.js',
      [
        "import star from 'icon:tabler/star?size=3rem&raw'",
        "document.body.insertAdjacentHTML('beforeend', star)",
      ],
    ],
  },
};
const toTypeScript = (file: string): string => file.replace(/\.js(x?)$/, '.ts$1');

describe.each(Object.entries(TEMPLATES))('create-vite’s template %s', (name, expected) => {
  it.each(['', '-ts'])(
    '%s gets plugin, options, types and one icon, and nothing the second time',
    async (end) => {
      const language = end === '' ? (file: string) => file : toTypeScript;
      const root = await temporaryFolder();
      await copyTemplate(`template-${name}${end}`, root, []);
      await rename(join(root, '_gitignore'), join(root, '.gitignore'));
      const before = await textsOf(root);
      await symlink(MODULES, join(root, 'node_modules'), 'junction');
      const first = await runInProject(root, ['init', '--yes', '--set', 'tabler', '--json']);
      expect([first.code, first.err]).toEqual([0, expect.stringContaining('Found: Vite')]);

      const after = await textsOf(root);
      for (const [file, text] of Object.entries(before))
        if (![expected.config[0], expected.page[0]].map(language).includes(file))
          expect([file, after[file]]).toEqual([file, text]);
      const [config, plugins] = expected.config;
      expect(after[language(config)]).toContain(
        `import iconCatalog from 'unplugin-icon-catalog/vite'`,
      );
      expect(after[language(config)]).toContain(plugins);
      const [page, added] = expected.page;
      expect(addedLines(before[language(page)] ?? '', after[language(page)] ?? '')).toEqual(added);
      expect(after['icon-catalog.config.js']).toContain("catalog: 'embedded'");
      expect(after['.gitattributes']).toBe('icons.lock text eol=lf\n');
      expect(after['.env.example']).toContain('# ICON_CATALOG_KEY=');
      const framework = name === 'vanilla' ? '' : `/${name}`;
      expect(after['src/icon-catalog-env.d.ts']).toBe(
        end === ''
          ? undefined
          : `/// <reference types="unplugin-icon-catalog/types${framework}" />\n`,
      );

      const second = await runInProject(root, ['init', '--yes', '--set', 'tabler', '--json']);
      const { steps } = second.json as { steps: { status: string }[] };
      expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['unchanged']));
      expect(await textsOf(root)).toEqual(after);
    },
  );
});

interface Generated {
  found: string;
  files: Record<string, string>;
  /** Lines that `init` adds to files, by their names. */
  added: Record<string, string[]>;
  written: string[];
}

const scripts = (tool: string): string =>
  `"scripts": {\n    "dev": "${tool} dev",\n    "build": "${tool} build"\n  }`;

/** What both templates of create-preact have. */
const PREACT = {
  'package.json': `{\n  "name": "preact-app",\n  "type": "module",\n  ${scripts('vite')},\n  "dependencies": { "preact": "^10.26.0" },\n  "devDependencies": { "vite": "^7.0.0" }\n}\n`,
  'vite.config.js':
    "import { defineConfig } from 'vite';\nimport preact from '@preact/preset-vite';\n\nexport default defineConfig({\n\tplugins: [preact()],\n});\n",
};
const PREACT_ADDED = {
  'vite.config.js': [
    "import iconCatalog from 'unplugin-icon-catalog/vite';",
    '\tplugins: [iconCatalog(), preact()],',
  ],
};

/** Projects as their generators write them today: create-next-app, create-nuxt, sv create, create-astro. */
const GENERATED: Record<string, Generated> = {
  'create-next-app': {
    found: 'Found: Next.js, React, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "my-app",\n  "private": true,\n  ${scripts('next')},\n  "dependencies": { "next": "16.4.6", "react": "19.3.1", "react-dom": "19.3.1" },\n  "devDependencies": { "typescript": "^6" }\n}\n`,
      'next.config.ts':
        'import type { NextConfig } from "next";\n\nconst nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;\n',
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true }, "include": ["next-env.d.ts", "**/*.ts", "**/*.tsx"] }\n',
      'app/layout.tsx':
        'export default function RootLayout({ children }: Readonly<{ children: React.ReactNode }>) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  );\n}\n',
      'app/page.tsx':
        'import Image from "next/image";\n\nexport default function Home() {\n  return (\n    <div className="page">\n      <Image src="/next.svg" alt="Next.js logo" width={100} height={20} priority />\n    </div>\n  );\n}\n',
    },
    added: {
      'package.json': ['    "dev": "next dev --webpack",', '    "build": "next build --webpack"'],
      'next.config.ts': [
        'import iconCatalog from "unplugin-icon-catalog/webpack";',
        'const icons = iconCatalog();',
        '  webpack(config) {',
        '    config.plugins.push(icons);',
        '    return config;',
        '  },',
      ],
      'app/page.tsx': ['import Star from "icon:tabler/star";', '      <Star size="3rem" />'],
    },
    written: ['icon-catalog-env.d.ts', 'icon-catalog.config.mjs'],
  },
  'create-nuxt': {
    found: 'Found: Nuxt, Vue, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "nuxt-app",\n  "type": "module",\n  "private": true,\n  ${scripts('nuxt')},\n  "dependencies": { "nuxt": "^4.5.2", "vue": "^3.5.45", "vue-router": "^5.0.0" }\n}\n`,
      'nuxt.config.ts':
        "// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2026-07-15',\n  devtools: { enabled: true }\n})\n",
      'tsconfig.json':
        '{\n  "files": [],\n  "references": [\n    { "path": "./.nuxt/tsconfig.app.json" }\n  ]\n}\n',
      'app/app.vue':
        '<template>\n  <div>\n    <NuxtRouteAnnouncer />\n    <NuxtWelcome />\n  </div>\n</template>\n',
    },
    added: {
      'nuxt.config.ts': ["  modules: ['unplugin-icon-catalog/nuxt'],"],
      'app/app.vue': [
        '<script setup lang="ts">',
        "import Star from 'icon:tabler/star';",
        '</script>',
        '    <Star size="3rem" />',
      ],
    },
    written: ['icon-catalog.config.js'],
  },
  'sv create': {
    found: 'Found: Vite, Svelte, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "kit",\n  "private": true,\n  "type": "module",\n  ${scripts('vite')},\n  "devDependencies": { "@sveltejs/kit": "^2.70.4", "@sveltejs/vite-plugin-svelte": "^7.3.1", "svelte": "^5.57.3", "typescript": "^6.0.0", "vite": "^8.3.8" }\n}\n`,
      'vite.config.ts':
        "import { sveltekit } from '@sveltejs/kit/vite';\nimport { defineConfig } from 'vite';\n\nexport default defineConfig({\n\tplugins: [sveltekit()]\n});\n",
      'svelte.config.js':
        "import adapter from '@sveltejs/adapter-auto';\n\nexport default { kit: { adapter: adapter() } };\n",
      'tsconfig.json': '{\n\t"extends": "./.svelte-kit/tsconfig.json"\n}\n',
      'src/app.html':
        '<!doctype html>\n<html lang="en">\n\t<body>%sveltekit.body%</body>\n</html>\n',
      'src/routes/+layout.svelte':
        '<script lang="ts">\n\tlet { children } = $props();\n</script>\n\n{@render children()}\n',
      'src/routes/+page.svelte': '<h1>Welcome to SvelteKit</h1>\n',
    },
    added: {
      'vite.config.ts': [
        "import iconCatalog from 'unplugin-icon-catalog/vite';",
        '\tplugins: [iconCatalog(), sveltekit()]',
      ],
      'src/routes/+page.svelte': [
        '<script lang="ts">',
        "  import Star from 'icon:tabler/star';",
        '</script>',
        '<Star size="3rem" />',
      ],
    },
    written: ['icon-catalog.config.js', 'src/icon-catalog-env.d.ts'],
  },
  'create-solid': {
    found: 'Found: Vite, Solid, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "start",\n  "type": "module",\n  ${scripts('vite')},\n  "dependencies": { "@solidjs/router": "^0.16.0", "@solidjs/start": "^2.0.5", "solid-js": "^1.9.20", "vite": "^8.3.8" }\n}\n`,
      'vite.config.ts':
        'import { defineConfig } from "vite";\nimport { solidStart } from "@solidjs/start/config";\n\nexport default defineConfig({\n  plugins: [solidStart()]\n});\n',
      'tsconfig.json': '{\n  "compilerOptions": { "jsx": "preserve" }\n}\n',
      'src/app.tsx': `import { Router } from "@solidjs/router";\nimport { FileRoutes } from "@solidjs/start/router";\n\n${ROUTER}`,
      'src/routes/index.tsx':
        'export default function Home() {\n  return (\n    <main>\n      <h1>Hello</h1>\n    </main>\n  );\n}\n',
    },
    added: {
      'vite.config.ts': [
        'import iconCatalog from "unplugin-icon-catalog/vite";',
        '  plugins: [iconCatalog(), solidStart()]',
      ],
      'src/routes/index.tsx': [
        "import Star from 'icon:tabler/star';",
        '      <Star size="3rem" />',
      ],
    },
    written: ['icon-catalog.config.js', 'src/icon-catalog-env.d.ts'],
  },
  'create-waku': {
    found: 'Found: Waku, React, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "waku-app",\n  "type": "module",\n  ${scripts('waku')},\n  "dependencies": { "react": "^19.3.1", "waku": "^0.27.5" }\n}\n`,
      'waku.config.ts':
        "import { defineConfig } from 'waku/config';\n\nexport default defineConfig({\n  vite: {\n    plugins: [tailwindcss()],\n  },\n});\n",
      'tsconfig.json': '{\n  "compilerOptions": { "jsx": "react-jsx" }\n}\n',
      'src/pages/index.tsx':
        'export default async function HomePage() {\n  return (\n    <div>\n      <h1>Waku</h1>\n    </div>\n  );\n}\n',
    },
    added: {
      'waku.config.ts': [
        "import iconCatalog from 'unplugin-icon-catalog/vite';",
        '    plugins: [iconCatalog(), tailwindcss()],',
      ],
      'src/pages/index.tsx': ["import Star from 'icon:tabler/star';", '      <Star size="3rem" />'],
    },
    written: ['icon-catalog.config.js', 'src/icon-catalog-env.d.ts'],
  },
  'create-quasar': {
    found: 'Found: Quasar, Vue, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "quasar-app",\n  "type": "module",\n  ${scripts('quasar')},\n  "dependencies": { "quasar": "^2.33.1", "vue": "^3.5.22" },\n  "devDependencies": { "@quasar/app-vite": "^3.10.0" }\n}\n`,
      'quasar.config.ts':
        "import { defineConfig } from '#q-app';\n\nexport default defineConfig((/* ctx */) => {\n  return {\n    boot: [],\n    build: {\n      vueRouterMode: 'hash',\n      // vitePlugins: [\n      // ]\n    },\n  };\n});\n",
      'tsconfig.json': '{\n  "extends": "./.quasar/tsconfig.json"\n}\n',
      'src/App.vue': '<template>\n  <router-view />\n</template>\n',
      'src/pages/IndexPage.vue':
        '<template>\n  <q-page class="row">\n    <h1>Quasar</h1>\n  </q-page>\n</template>\n\n<script setup lang="ts">\nconst todos = 1;\n</script>\n',
    },
    added: {
      'quasar.config.ts': ["      vitePlugins: [['unplugin-icon-catalog/vite']],"],
      'src/pages/IndexPage.vue': [
        '    <Star size="3rem" />',
        "import Star from 'icon:tabler/star';",
      ],
    },
    written: ['icon-catalog.config.js', 'src/icon-catalog-env.d.ts'],
  },
  'create-preact': {
    found: 'Found: Vite, Preact, JavaScript, npm.',
    files: {
      ...PREACT,
      'src/index.jsx':
        "import { render } from 'preact';\n\nexport function App() {\n\treturn (\n\t\t<div>\n\t\t\t<h1>Preact</h1>\n\t\t</div>\n\t);\n}\n\nrender(<App />, document.getElementById('app'));\n",
    },
    added: {
      ...PREACT_ADDED,
      'src/index.jsx': ["import Star from 'icon:tabler/star';", '\t\t\t<Star size="3rem" />'],
    },
    written: ['icon-catalog.config.js'],
  },
  'create-preact with a router': {
    found: 'Found: Vite, Preact, JavaScript, npm.',
    files: {
      ...PREACT,
      'src/index.jsx':
        "import { Home } from './pages/Home/index.jsx';\n\nexport function App() {\n\treturn <main><Home /></main>;\n}\n",
      'src/pages/Home/index.jsx':
        'export function Home() {\n\treturn (\n\t\t<div class="home">\n\t\t\t<Resource title="Learn" />\n\t\t</div>\n\t);\n}\n\nfunction Resource(props) {\n\treturn <a href="/">{props.title}</a>;\n}\n',
    },
    added: {
      ...PREACT_ADDED,
      'src/pages/Home/index.jsx': [
        "import Star from 'icon:tabler/star';",
        '\t\t\t<Star size="3rem" />',
      ],
    },
    written: ['icon-catalog.config.js'],
  },
  'create-rspress': {
    found: 'Found: Rspress, React, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "rspress-doc",\n  "type": "module",\n  ${scripts('rspress')},\n  "devDependencies": { "@rspress/core": "^2.0.22" }\n}\n`,
      'rspress.config.ts':
        "import * as path from 'node:path';\nimport { defineConfig } from '@rspress/core';\n\nexport default defineConfig({\n  root: path.join(__dirname, 'docs'),\n});\n",
      'tsconfig.json': '{}\n',
      'docs/index.mdx': '---\npageType: home\n---\n\n# Rspress\n',
    },
    added: {
      'docs/index.mdx': ["import Star from 'icon:tabler/star';", '<Star size="3rem" />'],
      'rspress.config.ts': [
        "import iconCatalog from 'unplugin-icon-catalog/rspack';",
        '  builderConfig: { tools: { rspack: { plugins: [iconCatalog()] } } },',
      ],
    },
    written: ['icon-catalog.config.js', 'icon-catalog-env.d.ts'],
  },
  'create-slidev': {
    found: 'Found: Slidev, Vue, JavaScript, npm.',
    files: {
      'package.json': `{\n  "name": "slides",\n  "type": "module",\n  ${scripts('slidev')},\n  "dependencies": { "@slidev/cli": "^53.0.0", "vue": "^3.5.22" }\n}\n`,
      'slides.md': '---\ntheme: default\n---\n\n# Welcome\n',
    },
    added: { 'slides.md': ['![Star](icon:tabler/star?size=3rem)'] },
    written: ['icon-catalog.config.js', 'vite.config.js'],
  },
  'wxt init': {
    found: 'Found: WXT, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "wxt-app",\n  "type": "module",\n  "scripts": { "dev": "wxt" },\n  "devDependencies": { "typescript": "^5.9.0", "wxt": "^0.21.4" }\n}\n`,
      'wxt.config.ts':
        "import { defineConfig } from 'wxt';\n\n// See https://wxt.dev/api/config.html\nexport default defineConfig({});\n",
      'tsconfig.json': '{\n  "extends": "./.wxt/tsconfig.json"\n}\n',
      'entrypoints/popup/main.ts': "document.querySelector('#app')!.innerHTML = 'WXT';\n",
    },
    added: {
      'wxt.config.ts': [
        "import iconCatalog from 'unplugin-icon-catalog/vite';",
        'export default defineConfig({ vite: () => ({ plugins: [iconCatalog()] }) });',
      ],
      'entrypoints/popup/main.ts': [
        "import star from 'icon:tabler/star?size=3rem';",
        "document.body.insertAdjacentHTML('beforeend', star);",
      ],
    },
    written: ['icon-catalog-env.d.ts', 'icon-catalog.config.js'],
  },
  'create-astro with Starlight': {
    found: 'Found: Astro, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "docs",\n  "type": "module",\n  ${scripts('astro')},\n  "dependencies": { "@astrojs/starlight": "^0.42.0", "astro": "^7.3.5" }\n}\n`,
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n\nexport default defineConfig({\n\tintegrations: [\n\t\tstarlight({ title: 'My Docs' }),\n\t],\n});\n",
      'tsconfig.json': '{\n  "extends": "astro/tsconfigs/strict"\n}\n',
      'src/content/docs/index.mdx':
        '---\ntitle: Welcome\n---\n\nimport { Card } from "@astrojs/starlight/components";\n\n<Card title="Next" />\n',
    },
    added: {
      'astro.config.mjs': [
        "import iconCatalog from 'unplugin-icon-catalog/astro';",
        '\t\ticonCatalog(),',
      ],
      'src/content/docs/index.mdx': [
        'import Star from "icon:tabler/star";',
        '<Star size="3rem" />',
      ],
    },
    written: ['icon-catalog.config.js'],
  },
  'create-astro': {
    found: 'Found: Astro, TypeScript, npm.',
    files: {
      'package.json': `{\n  "name": "astro-app",\n  "type": "module",\n  ${scripts('astro')},\n  "dependencies": { "astro": "^7.3.5" }\n}\n`,
      'astro.config.mjs':
        "// @ts-check\nimport { defineConfig } from 'astro/config';\n\n// https://astro.build/config\nexport default defineConfig({});\n",
      'tsconfig.json': '{\n  "extends": "astro/tsconfigs/strict"\n}\n',
      'src/pages/index.astro':
        '---\n\n---\n\n<html lang="en">\n\t<body>\n\t\t<h1>Astro</h1>\n\t</body>\n</html>\n',
    },
    added: {
      'astro.config.mjs': [
        "import iconCatalog from 'unplugin-icon-catalog/astro';",
        'export default defineConfig({ integrations: [iconCatalog()] });',
      ],
      'src/pages/index.astro': ["import Star from 'icon:tabler/star';", '\t\t<Star size="3rem" />'],
    },
    written: ['icon-catalog.config.js'],
  },
};

describe.each(Object.entries(GENERATED))(
  'a project of %s',
  (_, { found, files, added, written }) => {
    it('gets plugin, options, types and one icon, and nothing the second time', async () => {
      const root = await temporaryFolder();
      await writeFiles(root, files);
      await symlink(MODULES, join(root, 'node_modules'), 'junction');
      const args = ['init', '--yes', '--set', 'tabler', '--json'];
      const first = await runInProject(root, args);
      expect([first.code, first.err]).toEqual([0, expect.stringContaining(found)]);
      const after = await textsOf(root);
      expect(Object.keys(after).toSorted()).toEqual(
        [...Object.keys(files), ...written, '.env.example', '.gitattributes'].toSorted(),
      );
      for (const [file, text] of Object.entries(files)) {
        const before = new Set(text.split('\n'));
        const lines = (after[file] ?? '').split('\n').filter((line) => !before.has(line));
        expect([file, lines]).toEqual([file, added[file] ?? []]);
      }
      const second = await runInProject(root, args);
      const { steps } = second.json as { steps: { status: string }[] };
      expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['unchanged']));
      expect(await textsOf(root)).toEqual(after);
    });
  },
);

/** The tool that has this file as its configuration. */
async function toolOf(file: string): Promise<Parameters<typeof addPlugin>[1]> {
  const root = await writeProject({ [file]: '', 'package.json': '{}' });
  const { tool } = await detectProject(root);
  if (tool === undefined) throw new Error(`${file} belongs to no tool`);
  return tool;
}

describe('a configuration', () => {
  it.each<[string, string, string]>([
    [
      'vite.config.ts',
      'export default { plugins: [] } satisfies UserConfig',
      "import iconCatalog from 'unplugin-icon-catalog/vite';\n\nexport default { plugins: [iconCatalog()] } satisfies UserConfig",
    ],
    [
      'vite.config.js',
      "import { x } from 'y'\nexport default {}\n",
      "import { x } from 'y'\nimport iconCatalog from 'unplugin-icon-catalog/vite'\nexport default { plugins: [iconCatalog()] }\n",
    ],
    [
      'vite.config.js',
      'import { x } from "y"\nexport default {\n\troot: "a", // b\n}\n',
      'import { x } from "y"\nimport iconCatalog from "unplugin-icon-catalog/vite"\nexport default {\n\tplugins: [iconCatalog()],\n\troot: "a", // b\n}\n',
    ],
    [
      'vite.config.js',
      'export default defineConfig(({ mode }) => {\n  const a = 1;\n  return {\n    plugins: [\n      // first\n      a(),\n    ],\n  };\n});\n',
      "import iconCatalog from 'unplugin-icon-catalog/vite';\n\nexport default defineConfig(({ mode }) => {\n  const a = 1;\n  return {\n    plugins: [\n      iconCatalog(),\n      // first\n      a(),\n    ],\n  };\n});\n",
    ],
    [
      'webpack.config.js',
      "const path = require('path');\n\nmodule.exports = {\n  entry: './a.js',\n};\n",
      "const path = require('path');\nconst { default: iconCatalog } = require('unplugin-icon-catalog/webpack');\n\nmodule.exports = {\n  plugins: [iconCatalog()],\n  entry: './a.js',\n};\n",
    ],
    ['rollup.config.mjs', 'export default [{ input: "a" }];\n', ''],
    [
      'nuxt.config.ts',
      'export default defineNuxtConfig({\n  devtools: { enabled: true }\n})\n',
      "export default defineNuxtConfig({\n  modules: ['unplugin-icon-catalog/nuxt'],\n  devtools: { enabled: true }\n})\n",
    ],
    [
      'astro.config.mjs',
      "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
      "import { defineConfig } from 'astro/config';\nimport iconCatalog from 'unplugin-icon-catalog/astro';\n\nexport default defineConfig({ integrations: [iconCatalog()] });\n",
    ],
    [
      'next.config.ts',
      'import type { NextConfig } from "next";\n\nconst nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;\n',
      'import type { NextConfig } from "next";\nimport iconCatalog from "unplugin-icon-catalog/webpack";\n\nconst icons = iconCatalog();\n\nconst nextConfig: NextConfig = {\n  webpack(config) {\n    config.plugins.push(icons);\n    return config;\n  },\n  /* config options here */\n};\n\nexport default nextConfig;\n',
    ],
    // Not understood: nothing is written.
    ['vite.config.js', 'export default { plugins: [a()].filter(Boolean) }', ''],
    ['vite.config.js', 'export default { ...base }', ''],
    ['vite.config.js', 'export default createConfig({ plugins: [] })', ''],
    [
      'vite.config.js',
      'export default () => { if (x) { return { plugins: [] } } return { plugins: [] } }',
      '',
    ],
    ['vite.config.js', 'export default { plugins: [ }', ''],
    ['next.config.mjs', 'export default { webpack: (config) => config }', ''],
  ])('%s %#', async (file, source, expected) => {
    const spliced = addPlugin(source, await toolOf(file));
    expect(spliced?.text ?? '').toBe(expected);
    if (spliced === undefined) return;
    expect(addPlugin(spliced.text, await toolOf(file))).toEqual({
      text: spliced.text,
      isNew: false,
    });
  });

  it('that names what is within it stays, and the whole path is printed', async () => {
    const source = 'import { vite } from "./vite";\nexport default defineConfig({ vite });\n';
    const root = await writeProject({ '.vitepress/config.ts': source, 'package.json': '{}' });
    const { out } = await runInProject(root, ['init', '--yes']);
    expect(await readFile(join(root, '.vitepress/config.ts'), 'utf8')).toBe(source);
    expect(out).toContain('vite: { plugins: [iconCatalog()] },');
  });

  it('is added to where a part of the way there is', async () => {
    const source = 'export default {\n  tools: {\n    rspack: { a: 1 },\n  },\n};\n';
    const root = await writeProject({ 'rsbuild.config.mjs': source, 'package.json': '{}' });
    await runInProject(root, ['init', '--yes']);
    expect(await readFile(join(root, 'rsbuild.config.mjs'), 'utf8')).toBe(
      `import iconCatalog from 'unplugin-icon-catalog/rspack';\n\n${source.replace('{ a: 1 }', '{ plugins: [iconCatalog()], a: 1 }')}`,
    );
  });

  it('that is not understood stays, and the lines to add are printed', async () => {
    const source = 'export default { plugins: [a()].filter(Boolean) };\n';
    const root = await writeProject({
      'vite.config.js': source,
      'package.json': '{ "type": "module" }',
    });
    const { code, out, err } = await runInProject(root, ['init', '--yes']);
    expect(code).toBe(0);
    expect(await readFile(join(root, 'vite.config.js'), 'utf8')).toBe(source);
    expect(out).toMatch(
      /by hand +vite\.config\.js +the plugin\n +import iconCatalog from 'unplugin-icon-catalog\/vite';\n +plugins: \[iconCatalog\(\)\],/,
    );
    expect(err).toContain('were left as they are');
  });
});

describe('an example', () => {
  const example = { specifier: 'icon:tabler/star', name: 'Star' };
  it.each<[string, string, string]>([
    [
      'App.tsx',
      'export default () => <p>x</p>;\n',
      'import Star from \'icon:tabler/star\';\n\nexport default () => <p><Star size="3rem" />x</p>;\n',
    ],
    [
      'App.tsx',
      'const Star = 1;\nexport default () => <>x</>;\n',
      'import StarIcon from \'icon:tabler/star\';\n\nconst Star = 1;\nexport default () => <><StarIcon size="3rem" />x</>;\n',
    ],
    [
      'index.tsx',
      'const A = () => <i>y</i>;\nexport default function B() {\n  return <p>x</p>;\n}\n',
      'import Star from \'icon:tabler/star\';\n\nconst A = () => <i>y</i>;\nexport default function B() {\n  return <p><Star size="3rem" />x</p>;\n}\n',
    ],
    [
      'app.vue',
      '<template>\n  <div>\n    <NuxtWelcome />\n  </div>\n</template>\n',
      '<script setup>\nimport Star from \'icon:tabler/star\';\n</script>\n\n<template>\n  <div>\n    <Star size="3rem" />\n    <NuxtWelcome />\n  </div>\n</template>\n',
    ],
    [
      '+page.svelte',
      '<h1>x</h1>\n',
      '<script>\n  import Star from \'icon:tabler/star\';\n</script>\n\n<Star size="3rem" />\n\n<h1>x</h1>\n',
    ],
    [
      'index.astro',
      "---\nimport Layout from './L.astro';\n---\n\n<Layout>\n\t<p />\n</Layout>\n",
      "---\nimport Star from 'icon:tabler/star';\nimport Layout from './L.astro';\n---\n\n<Layout>\n\t<Star size=\"3rem\" />\n\t<p />\n</Layout>\n",
    ],
    // A router wants routes for children, a provider takes what it gets.
    ['app.tsx', ROUTER, ''],
    [
      'App.tsx',
      'export const A = () => <Provider><Head /><Main>\n  <p>x</p></Main></Provider>;\n',
      'import Star from \'icon:tabler/star\';\n\nexport const A = () => <Provider><Head /><Main>\n  <p><Star size="3rem" />x</p></Main></Provider>;\n',
    ],
    // A project of TypeScript.
    [
      'typed.vue',
      '<template>\n  <p />\n</template>\n',
      '<script setup lang="ts">\nimport Star from \'icon:tabler/star\';\n</script>\n\n<template>\n  <Star size="3rem" />\n  <p />\n</template>\n',
    ],
    [
      'typed.svelte',
      '<h1>x</h1>\n',
      '<script lang="ts">\n  import Star from \'icon:tabler/star\';\n</script>\n\n<Star size="3rem" />\n\n<h1>x</h1>\n',
    ],
    // Not understood.
    ['App.tsx', 'export const A = () => <p>x</p>;\nexport const B = () => <p>x</p>;\n', ''],
    ['App.tsx', 'export const A = () => <img />;\n', ''],
    ['App.vue', '<script>\nexport default {}\n</script>\n<template>\n  <p />\n</template>\n', ''],
    ['index.astro', '---\n---\nplain\n', ''],
  ])('in %s %#', (file, source, expected) => {
    const about = {
      file,
      isComponent: true,
      example: { ...example, isTyped: file.startsWith('typed') },
    };
    const spliced = addExample(source, about);
    expect(spliced?.text ?? '').toBe(expected);
    if (spliced !== undefined)
      expect(addExample(spliced.text, about)).toEqual({
        text: spliced.text,
        isNew: false,
      });
  });
});

describe('init', () => {
  it('asks at most three questions on a terminal, and does what they say', async () => {
    const root = await writeProject({
      'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }',
    });
    const { code, out, err, questions } = await runInProject(root, ['init'], {
      terminal: true,
      answers: ['1', 'lucide', 'n'],
    });
    expect(code).toBe(0);
    expect(questions).toHaveLength(3);
    expect(err).toContain('npm install -D unplugin-icon-catalog @iconify-json/lucide');
    expect(out).not.toContain('lucide');
    const remote = await writeProject({
      'package.json': '{ "scripts": { "dev": "webpack serve" } }',
      'webpack.config.mjs': 'export default {};\n',
      'pnpm-lock.yaml': '',
    });
    const other = await runInProject(remote, ['init'], { terminal: true, answers: ['2'] });
    expect(other.questions).toHaveLength(1);
    expect(await readFile(join(remote, '.env.example'), 'utf8')).toContain('\nICON_CATALOG_KEY=\n');
    expect(await readFile(join(remote, 'icon-catalog.config.mjs'), 'utf8')).not.toContain(
      'embedded',
    );
    expect(other.err).toContain('  pnpm add -D unplugin-icon-catalog  ');
    expect(other.err).toContain('  pnpm exec icon-catalog browse');
    // A package of a workspace has no lock file of its own.
    await writeFiles(remote, { 'apps/web/package.json': '{ "dependencies": { "vite": "8" } }' });
    const inner = await runInProject(join(remote, 'apps/web'), ['init', '--yes', '--dry-run']);
    expect(inner.err).toContain('  pnpm exec icon-catalog browse');
    const words = stripVTControlCharacters(other.err).replace(/\s+/g, ' ');
    expect(words).toContain(
      'cp .env.example .env.local and fill in address, key and secret; webpack does not read them there',
    );
    // No source shows an icon yet: its id is not known.
    expect(other.err).not.toContain('to see the icon');
  });

  it('writes nothing if a question gets no answer', async () => {
    const root = await writeProject({ 'package.json': '{ "devDependencies": { "vite": "8" } }' });
    const options = { terminal: true, answers: ['1', undefined] };
    const { code, out } = await runInProject(root, ['init'], options);
    expect([code, out, await readdir(root)]).toEqual([130, '', ['package.json']]);
  });

  it('writes nothing with --dry-run, and says where there is no project', async () => {
    const root = await writeProject({ 'package.json': '{ "devDependencies": { "vite": "8" } }' });
    const { code, out } = await runInProject(root, ['init', '--yes', '--dry-run']);
    expect([code, out]).toEqual([0, expect.stringMatching(/written +vite\.config\.js/)]);
    expect(await readdir(root)).toEqual(['package.json']);
    const empty = await runInProject(await temporaryFolder(), ['init', '--yes']);
    expect([empty.code, empty.err]).toEqual([
      1,
      expect.stringContaining('There is no package.json'),
    ]);
  });

  it('keeps the options that a plugin has, and those of files that it finds', async () => {
    const root = await writeProject({
      'package.json': '{ "devDependencies": { "vite": "8" } }',
      'vite.config.js':
        "import iconCatalog from 'unplugin-icon-catalog/vite';\nexport default { plugins: [iconCatalog({ framework: 'vue' })] };\n",
      '.gitattributes': '* text=auto',
      '.env.example': 'A=1\n',
    });
    await runInProject(root, ['init', '--yes', '--remote']);
    expect((await readdir(root)).toSorted()).toEqual([
      '.env.example',
      '.gitattributes',
      'package.json',
      'vite.config.js',
    ]);
    expect(await readFile(join(root, '.gitattributes'), 'utf8')).toBe(
      '* text=auto\nicons.lock text eol=lf\n',
    );
    expect(await readFile(join(root, '.env.example'), 'utf8')).toMatch(
      /^A=1\n# .+\nICON_CATALOG_URL=\n/,
    );
  });

  it.each<[string, Record<string, string>, written: string[], line: string]>([
    [
      'electron-vite',
      {
        'package.json':
          '{ "devDependencies": { "electron-vite": "6", "vite": "7", "react": "19" } }',
        'electron.vite.config.ts': 'export default defineConfig({ renderer: { plugins: [] } });\n',
        'tsconfig.json': '{}',
        'src/main/index.ts': '',
        'src/renderer/src/App.tsx': 'export default () => <p>x</p>;\n',
      },
      ['icon-catalog.config.mjs', 'src/renderer/src/icon-catalog-env.d.ts'],
      'renderer: { plugins: [iconCatalog()] }',
    ],
    [
      'VitePress',
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitepress": "1" } }',
        'docs/.vitepress/config.mts': 'export default defineConfig({});\n',
        'docs/index.md': '# Title\n',
      },
      ['docs/icon-catalog.config.js'],
      'vite: { plugins: [iconCatalog()] }',
    ],
    [
      'Docusaurus',
      {
        'package.json': '{ "devDependencies": { "@docusaurus/core": "3", "react": "19" } }',
        'docusaurus.config.js': 'module.exports = {};\n',
      },
      ['icon-catalog.config.mjs'],
      "plugins: [() => ({ name: 'icons', configureWebpack: () => ({ plugins: [iconCatalog()] }) })]",
    ],
    [
      'Rsbuild',
      {
        'package.json': '{ "type": "module", "devDependencies": { "@rsbuild/core": "2" } }',
        'rsbuild.config.mjs': 'export default {};\n',
      },
      ['icon-catalog.config.js'],
      'tools: { rspack: { plugins: [iconCatalog()] } }',
    ],
    [
      'SolidStart',
      {
        'package.json':
          '{ "type": "module", "dependencies": { "solid-js": "1", "vinxi": "0.5", "vite": "6" } }',
        'app.config.ts': 'export default defineConfig({});\n',
      },
      ['icon-catalog.config.js'],
      'vite: { plugins: [iconCatalog()] }',
    ],
    [
      'Eleventy',
      { 'package.json': '{ "devDependencies": { "@11ty/eleventy": "3" } }', 'index.md': '# x\n' },
      ['icon-catalog.config.mjs', 'eleventy.config.mjs'],
      'eleventyConfig.addPlugin(iconCatalog);',
    ],
    [
      'Eleventy',
      {
        'package.json': '{ "devDependencies": { "@11ty/eleventy": "3" } }',
        '.eleventy.js':
          "module.exports = function (config) {\n  config.setServerOptions({ port: 1 });\n  return { dir: { input: 'src' } };\n};\n",
        'index.md': '# x\n',
      },
      ['icon-catalog.config.mjs'],
      'module.exports = function (config) {\n  config.addPlugin(iconCatalog);\n  config.setServerOptions',
    ],
    [
      'Eleventy',
      {
        'package.json': '{ "type": "module", "devDependencies": { "@11ty/eleventy": "3" } }',
        'eleventy.config.js': 'export default async (config) => {};\n',
        'index.md': '# x\n',
      },
      ['icon-catalog.config.js'],
      'async (config) => {\n  config.addPlugin(iconCatalog);',
    ],
    [
      'Gatsby',
      {
        'package.json': '{ "dependencies": { "gatsby": "5", "react": "18" } }',
        'src/pages/index.js':
          'import * as React from "react"\n\nexport default () => <main>x</main>\n',
      },
      ['icon-catalog.config.mjs', 'gatsby-node.mjs'],
      'actions.setWebpackConfig({ plugins: [iconCatalog()] });',
    ],
    [
      'laravel-vite-plugin',
      {
        'package.json': '{ "devDependencies": { "laravel-vite-plugin": "2", "vite": "7" } }',
        'vite.config.js':
          "export default defineConfig({ plugins: [laravel({ input: 'a.js' })] });\n",
        'tsconfig.json': '{ "include": ["resources/js/**/*.ts", "resources/js/**/*.vue"] }\n',
        'resources/js/app.ts': '',
      },
      ['icon-catalog.config.mjs', 'resources/js/icon-catalog-env.d.ts'],
      "plugins: [iconCatalog(), laravel({ input: 'a.js' })]",
    ],
    [
      'Stencil',
      {
        'package.json': '{ "devDependencies": { "@stencil/core": "4" } }',
        'stencil.config.ts': "export const config: Config = { namespace: 'demo' };\n",
      },
      ['icon-catalog.config.mjs'],
      'rollupPlugins: { before: [iconCatalog()] }',
    ],
    [
      'Modern.js',
      {
        'package.json': '{ "devDependencies": { "@modern-js/app-tools": "3", "react": "19" } }',
        'modern.config.ts': 'export default defineConfig({ plugins: [appTools()] });\n',
      },
      ['icon-catalog.config.mjs'],
      'tools: { rspack: { plugins: [iconCatalog()] } }',
    ],
    [
      'Electron Forge',
      {
        'package.json':
          '{ "devDependencies": { "@electron-forge/plugin-vite": "8", "vite": "7" } }',
        'vite.renderer.config.ts': 'export default defineConfig({});\n',
      },
      ['icon-catalog.config.mjs'],
      'defineConfig({ plugins: [iconCatalog()] })',
    ],
    [
      'Vue CLI',
      {
        'package.json': '{ "devDependencies": { "@vue/cli-service": "5", "vue": "3" } }',
        'vue.config.js':
          "const { defineConfig } = require('@vue/cli-service')\nmodule.exports = defineConfig({\n  transpileDependencies: true\n})\n",
      },
      ['icon-catalog.config.mjs'],
      "const { default: iconCatalog } = require('unplugin-icon-catalog/webpack')\nmodule.exports = defineConfig({\n  configureWebpack: { plugins: [iconCatalog()] },\n",
    ],
    [
      'CRACO',
      {
        'package.json':
          '{ "dependencies": { "@craco/craco": "7", "react-scripts": "5", "react": "18" } }',
        'craco.config.js': 'module.exports = {\n  webpack: { alias: {} },\n};\n',
        'src/App.js': 'export default function App() {\n  return <p>x</p>;\n}\n',
      },
      ['icon-catalog.config.mjs'],
      'webpack: { plugins: { add: [iconCatalog()] }, alias: {} }',
    ],
    [
      '@wordpress/scripts',
      {
        'package.json': '{ "devDependencies": { "@wordpress/scripts": "33" } }',
        'src/edit.js': 'export default function Edit() {\n  return <p>x</p>;\n}\n',
      },
      ['icon-catalog.config.mjs', 'webpack.config.js'],
      'plugins: [...config.plugins, iconCatalog()],',
    ],
    [
      'tsup',
      {
        'package.json': '{ "type": "module", "devDependencies": { "tsup": "8", "esbuild": "0" } }',
        'tsup.config.ts': "export default defineConfig({ entry: ['src/index.ts'] });\n",
      },
      ['icon-catalog.config.js'],
      'esbuildPlugins: [iconCatalog()]',
    ],
  ])('adds the plugin to %s, and puts files where its build reads them', async (...project) => {
    const [title, files, written, line] = project;
    const root = await writeProject(files);
    const { code, out, err } = await runInProject(root, ['init', '--yes']);
    expect([code, err]).toEqual([0, expect.stringContaining(`Found: ${title}`)]);
    const after = await textsOf(root);
    const config = Object.keys(after).find((file) =>
      /^(?!icon-|tsconfig).*config\.|^\.eleventy|-node\./.test(file),
    );
    expect(out).not.toContain('the plugin\n    ');
    expect(after[config ?? '']).toContain(line);
    expect(after[config ?? '']).toMatch(
      /iconCatalog.* (?:from |require\()'unplugin-icon-catalog\//,
    );
    const added = Object.keys(after).filter((file) => !(file in files));
    expect(added.toSorted()).toEqual(['.env.example', '.gitattributes', ...written].toSorted());
    for (const page of ['index.md', 'docs/index.md'].filter((file) => file in files))
      expect(after[page]).toBe(`${files[page]}\n![Star](icon:tabler/star?size=3rem)\n`);
    if (title === 'laravel-vite-plugin')
      expect(after['icon-catalog.config.mjs']).toContain("attribution: { site: 'public/build' }");
    if ('src/pages/index.js' in files)
      expect(after['icon-catalog.config.mjs']).toContain("attribution: { site: 'public' }");
    if ('modern.config.ts' in files)
      expect(after['icon-catalog.config.mjs']).toContain(
        "attribution: { site: 'dist', html: 'static/icon-attribution.html' }",
      );
    if ('src/pages/index.js' in files)
      expect(after['src/pages/index.js']).toContain('<main><Star size="3rem" />x</main>');
    if ('src/renderer/src/App.tsx' in files)
      expect(after['src/renderer/src/App.tsx']).toContain('<p><Star size="3rem" />x</p>');
  });

  it.each<[string, Record<string, string>, page: string, line: string]>([
    [
      'Rails',
      {
        'package.json': '{ "devDependencies": { "vite-plugin-ruby": "5", "vite": "8" } }',
        'vite.config.ts': 'export default defineConfig({ plugins: [RubyPlugin()] })\n',
        'app/frontend/entrypoints/application.js': "console.log('Vite Ruby')\n",
      },
      'app/frontend/entrypoints/application.js',
      "document.body.insertAdjacentHTML('beforeend', star);",
    ],
    [
      'Laravel with React',
      {
        'package.json':
          '{ "type": "module", "dependencies": { "react": "19" }, "devDependencies": { "laravel-vite-plugin": "2", "vite": "7" } }',
        'vite.config.ts':
          "export default defineConfig({ plugins: [laravel({ input: 'resources/js/app.tsx' })] });\n",
        'resources/js/pages/welcome.tsx':
          'export default function Welcome() {\n  return (\n    <main>\n      <h1>Hello</h1>\n    </main>\n  );\n}\n',
      },
      'resources/js/pages/welcome.tsx',
      '<Star size="3rem" />',
    ],
    [
      'Laravel with Vue, as Breeze left it',
      {
        'package.json':
          '{ "type": "module", "devDependencies": { "laravel-vite-plugin": "1", "vite": "6", "vue": "3" } }',
        'vite.config.js': 'export default defineConfig({ plugins: [laravel(), vue()] });\n',
        'resources/js/Pages/Welcome.vue':
          '<script setup>\nconst one = 1;\n</script>\n\n<template>\n  <main>x</main>\n</template>\n',
      },
      'resources/js/Pages/Welcome.vue',
      '<Star size="3rem" />',
    ],
    [
      'Vite with a root of its own',
      {
        'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }',
        'vite.config.js':
          "import { defineConfig } from 'vite';\n\nexport default defineConfig({ root: './src/', build: { outDir: '../dist' } });\n",
        'src/index.html': '<script type="module" src="/main.js"></script>\n',
        'src/main.js': 'console.log(1);\n',
      },
      'src/main.js',
      "document.body.insertAdjacentHTML('beforeend', star);",
    ],
    [
      'Vite whose tests have a root of their own',
      {
        'package.json': '{ "type": "module", "devDependencies": { "vite": "8" } }',
        'vite.config.js': "export default { test: { root: 'test' } };\n",
        'index.html': '<script type="module" src="/main.js"></script>\n',
        'main.js': 'console.log(1);\n',
      },
      'main.js',
      "document.body.insertAdjacentHTML('beforeend', star);",
    ],
  ])('puts the icon where pages lie: %s', async (_, files, page, line) => {
    const root = await writeProject(files);
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const { code } = await runInProject(root, ['init', '--yes']);
    expect(code).toBe(0);
    const after = await textsOf(root);
    expect(addedLines(files[page] ?? '', after[page] ?? '').join('\n')).toContain(line);
  });

  it('sets no framework whose installed version has no components', async () => {
    const root = await writeProject({
      'package.json': '{ "devDependencies": { "vite": "5", "vue": "2" } }',
      'node_modules/vue/package.json': '{ "version": "2.7.16" }',
      'vite.config.js': 'export default { plugins: [] };\n',
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': 'start();\n',
    });
    await runInProject(root, ['init', '--yes']);
    const { 'icon-catalog.config.mjs': options, 'src/main.js': main } = await textsOf(root);
    expect(options).not.toContain('framework');
    expect(main).toContain("import star from 'icon:tabler/star?size=3rem';");
  });

  it('writes a configuration for WordPress, which reads CommonJS, and none in a package of modules', async () => {
    const devDependencies = { '@wordpress/scripts': '33' };
    const manifest = (more: object) => ({
      'package.json': JSON.stringify({ ...more, devDependencies }),
    });
    const root = await writeProject(manifest({}));
    await runInProject(root, ['init', '--yes']);
    const { 'webpack.config.js': config } = await textsOf(root);
    expect(config).toMatch(
      /^const \{ default: iconCatalog \} = require\('unplugin-icon-catalog\/webpack'\);\nconst wordpress = require/,
    );
    const modules = await writeProject(manifest({ type: 'module' }));
    const { out } = await runInProject(modules, ['init', '--yes']);
    expect(out).toMatch(/by hand +webpack\.config\.js/);
    expect(await textsOf(modules)).not.toHaveProperty(['webpack.config.js']);
  });

  it('shows the lines of a Gatsby configuration that exists', async () => {
    const root = await writeProject({
      'package.json': '{ "dependencies": { "gatsby": "5", "react": "18" } }',
      'gatsby-node.js': 'exports.createPages = () => {};\n',
    });
    const { out } = await runInProject(root, ['init', '--yes']);
    expect(out).toMatch(
      /by hand +gatsby-node\.js +the plugin\n +import iconCatalog from 'unplugin-icon-catalog\/webpack';\n +export const onCreateWebpackConfig/,
    );
    expect((await textsOf(root))['gatsby-node.js']).toBe('exports.createPages = () => {};\n');
  });

  it.each([
    [
      'esbuild',
      'tools/build.mjs',
      "import * as esbuild from 'esbuild';\nconst options = { entryPoints: ['./src/main.js'], bundle: true };\nif (watch) await (await esbuild.context(options)).watch();\nelse await esbuild.build(options);\n",
      'options = { plugins: [iconCatalog()], entryPoints',
    ],
    [
      'Bun',
      'bun.ts',
      "await Bun.build({\n  entrypoints: ['src/main.js'],\n  plugins: [other()],\n});\n",
      '  plugins: [iconCatalog(), other()],\n',
    ],
  ])('adds the plugin to the script of %s in package.json', async (title, file, text, added) => {
    const manifest = { type: 'module', scripts: { build: `tool run ./${file} --minify` } };
    const files = { 'package.json': JSON.stringify(manifest), [file]: text, 'src/main.js': '' };
    const root = await writeProject(files);
    const { err } = await runInProject(root, ['init', '--yes']);
    expect(err).toContain(`Found: ${title}`);
    const after = await textsOf(root);
    expect(after[file]).toContain(added);
    expect(after[file]).toContain(`from 'unplugin-icon-catalog/${title.toLowerCase()}';`);
    expect(after['src/main.js']).toContain("document.body.insertAdjacentHTML('beforeend', star);");
    await runInProject(root, ['init', '--yes']);
    expect(await textsOf(root)).toEqual(after);
    const remote = await runInProject(await writeProject(files), ['init', '--yes', '--remote']);
    // Bun reads `.env` files by itself.
    expect(remote.err.includes(`${title} does not read them there`)).toBe(title === 'esbuild');
    // Two builds with options of their own: only a person knows which one shows icons.
    const twice = await writeProject({ ...files, [file]: `${text}build({ target: 'node' });\n` });
    const { out } = await runInProject(twice, ['init', '--yes']);
    expect(out).toContain(`by hand  ${file}`);
    expect((await textsOf(twice))[file]).not.toContain('iconCatalog');
  });

  it.each([
    ['Angular', { '@angular/core': '22' }, 'web-component'],
    ['Parcel', { parcel: '2', react: '19' }, 'react'],
    ['Create React App', { 'react-scripts': '5', react: '18' }, 'react'],
  ])(
    'sets up %s, which takes no plugins, for icons as files',
    async (title, packages, framework) => {
      const manifest = { dependencies: packages, devDependencies: { typescript: '6' } };
      const root = await writeProject({ 'package.json': JSON.stringify(manifest) });
      const { code, out, err } = await runInProject(root, ['init', '--yes']);
      expect([code, out]).toEqual([0, expect.not.stringContaining('by hand')]);
      expect(err).toContain(`Found: ${title}, TypeScript, npm.`);
      expect(err).toContain('npx icon-catalog emit tabler/star --out src/icons ');
      const { 'icon-catalog.config.mjs': options, ...others } = await textsOf(root);
      expect(options).toContain(`framework: '${framework}'`);
      expect(Object.keys(others).toSorted()).toEqual([
        '.env.example',
        '.gitattributes',
        'package.json',
      ]);
      const doctor = await runInProject(root, ['doctor', '--offline']);
      expect(doctor.out.replace(/\s+/g, ' ')).toMatch(
        new RegExp(`ok bundler ${title} takes no plugins: .* – types `),
      );
    },
  );

  it.each<Record<string, string>>([
    { 'package.json': '{ "workspaces": ["apps/*"] }' },
    { 'package.json': '{}', 'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n" },
    // The root has the bundlers of its packages.
    {
      'package.json':
        '{ "workspaces": ["apps/*"], "scripts": { "test": "vitest" }, "devDependencies": { "vite": "8" } }',
    },
    { 'package.json': '{ "devDependencies": { "vite": "8" } }', 'nx.json': '{}' },
  ])('writes nothing into the root of a workspace: %j', async (files) => {
    const root = await writeProject(files);
    const { code, err } = await runInProject(root, ['init', '--yes']);
    expect([code, await textsOf(root)]).toEqual([1, files]);
    expect(err).toContain('Run `icon-catalog init` in the folder of the package');
    await writeFile(join(root, 'vite.config.js'), 'export default {};\n');
    expect((await runInProject(root, ['init', '--yes'])).code).toBe(0);
    const settings = { 'package.json': '{}', 'pnpm-workspace.yaml': 'onlyBuiltDependencies: []\n' };
    expect((await runInProject(await writeProject(settings), ['init', '--yes'])).code).toBe(0);
  });

  it.each<Record<string, string>>([
    { 'index.html': '' },
    {
      'package.json':
        '{ "workspaces": ["apps/*"], "scripts": { "dev": "vite" }, "devDependencies": { "vite": "8" } }',
    },
  ])('takes the root of a workspace that is an app, too: %j', async (files) => {
    const root = await writeProject({
      'package.json': '{ "workspaces": ["apps/*"], "devDependencies": { "vite": "8" } }',
      ...files,
    });
    expect((await runInProject(root, ['init', '--yes'])).code).toBe(0);
  });

  it.each<[string, Record<string, string>]>([
    ['package.json', { 'apps/shop/package.json': '{ "name": "shop" }' }],
    ['pnpm-workspace.yaml', { 'apps/shop/package.json': '{}', 'pnpm-workspace.yaml': 'packages:' }],
    // Its apps need no package.json.
    ['nx.json', { 'nx.json': '{}' }],
  ])('knows what the root of a workspace depends on, which %s makes one', async (kind, files) => {
    const workspaces = kind === 'package.json' ? ['apps/*'] : undefined;
    const devDependencies = { vite: '8', vue: '3', react: '19', 'unplugin-icon-catalog': '0' };
    const root = await writeProject({
      'package.json': JSON.stringify({ workspaces, devDependencies }),
      'apps/shop/vite.config.mts': 'export default defineConfig({ plugins: [vue()] });\n',
      'apps/shop/src/App.vue': '<template>\n  <p>x</p>\n</template>\n',
      ...files,
    });
    const { code, out, err } = await runInProject(join(root, 'apps/shop'), ['init', '--yes']);
    expect([code, err]).toEqual([0, expect.stringContaining('Found: Vite, Vue, JavaScript')]);
    expect(out).toMatch(/changed +src\/App\.vue/);
    expect(err).not.toContain('install -D unplugin-icon-catalog');
  });

  it('knows a tool that the root of the workspace depends on, and whose configuration is that of Vite', async () => {
    const root = await writeProject({
      'package.json':
        '{ "workspaces": ["apps/*"], "devDependencies": { "vite": "8", "laravel-vite-plugin": "3" } }',
      'apps/shop/package.json': '{}',
      'apps/shop/vite.config.js': 'export default defineConfig({ plugins: [laravel()] });\n',
    });
    const { err } = await runInProject(join(root, 'apps/shop'), ['init', '--yes']);
    expect(err).toContain('Found: laravel-vite-plugin,');
  });

  it('takes what a package names before what its workspace does', async () => {
    const root = await writeProject({
      'package.json':
        '{ "workspaces": ["apps/*"], "devDependencies": { "vite": "8", "vue": "3" } }',
      'apps/shop/package.json': '{ "dependencies": { "react": "19" } }',
      'apps/shop/vite.config.mjs': 'export default defineConfig({ plugins: [] });\n',
      'apps/shop/src/app/app.tsx': 'export const App = () => <p>x</p>;\n',
    });
    const { out, err } = await runInProject(join(root, 'apps/shop'), ['init', '--yes']);
    expect(err).toContain('Found: Vite, React');
    expect(out).toContain('src/app/app.tsx');
  });

  it('puts the icon into a template of Ember', async () => {
    const file = 'app/templates/application.gjs';
    const root = await writeProject({
      'package.json': '{ "devDependencies": { "ember-source": "7", "vite": "8" } }',
      'vite.config.mjs': 'export default defineConfig({ plugins: [ember()] });\n',
      [file]:
        "import {\n  pageTitle,\n} from 'ember-page-title';\n\n<template>\n  {{outlet}}\n</template>\n",
    });
    const { err } = await runInProject(root, ['init', '--yes']);
    expect(err).toContain('Found: Ember, JavaScript, npm.');
    expect(await readFile(join(root, file), 'utf8')).toBe(
      "import {\n  pageTitle,\n} from 'ember-page-title';\nimport star from 'icon:tabler/star?size=3rem';\nimport { htmlSafe } from '@ember/template';\n\n<template>\n  {{htmlSafe star}}\n  {{outlet}}\n</template>\n",
    );
  });

  it.each(['app/routes/home.tsx', 'src/routes/index.tsx'])(
    'puts the icon into %s',
    async (file) => {
      const root = await writeProject({
        'package.json': '{ "devDependencies": { "vite": "8", "react": "19" } }',
        'vite.config.ts': 'export default defineConfig({ plugins: [] });\n',
        [file]: 'export default function Home() {\n  return <p>x</p>;\n}\n',
      });
      await runInProject(root, ['init', '--yes']);
      expect(await readFile(join(root, file), 'utf8')).toContain('<p><Star size="3rem" />x</p>');
    },
  );

  it.each(['src/renderer/icon-catalog.config.mjs', 'icon-catalog.config.ts'])(
    'puts the icon into the script of a page below the root of the tool, whose options are in %s',
    async (own) => {
      const root = await writeProject({
        [own]: 'export default {};\n',
        'package.json': '{ "devDependencies": { "electron-vite": "6", "vite": "7" } }',
        'electron.vite.config.js': 'export default defineConfig({ renderer: { plugins: [] } });\n',
        'src/renderer/index.html': '<script type="module" src="/src/main.js"></script>\n',
        'src/renderer/src/main.js': 'start();\n',
      });
      await runInProject(root, ['init', '--yes']);
      expect(await readFile(join(root, 'src/renderer/src/main.js'), 'utf8')).toContain(
        "import star from 'icon:tabler/star?size=3rem'",
      );
      expect(await readFile(join(root, own), 'utf8')).toBe('export default {};\n');
      expect(await readdir(root)).not.toContain('icon-catalog.config.mjs');
    },
  );

  it('keeps the line ends of files that it changes', async () => {
    const files = {
      'package.json': '{ "devDependencies": { "vite": "8" } }',
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      '.gitattributes': '*.png binary\n',
      'vite.config.ts':
        "import { defineConfig } from 'vite';\n\nexport default defineConfig({\n  plugins: [],\n});\n",
      'src/main.ts': "import './style.css';\n\ndocument.title = 'a';\n",
    };
    const [unix, windows] = await Promise.all(
      ['\n', '\r\n'].map(async (end) => {
        const written = Object.entries(files).map(([name, text]) => [
          name,
          text.replaceAll('\n', end),
        ]);
        const root = await writeProject(Object.fromEntries(written));
        await runInProject(root, ['init', '--yes', '--set', 'tabler']);
        return textsOf(root);
      }),
    );
    for (const name of ['.gitattributes', 'vite.config.ts', 'src/main.ts'] as const) {
      expect(unix?.[name]?.length).toBeGreaterThan(files[name].length);
      expect(windows?.[name]).toBe(unix?.[name]?.replaceAll('\n', '\r\n'));
    }
    const mixed = 'a = 1\r\nb = 2\n';
    const root = await writeProject({ ...files, '.gitattributes': mixed });
    await runInProject(root, ['init', '--yes', '--no-example']);
    expect(await readFile(join(root, '.gitattributes'), 'utf8')).toBe(
      `${mixed}icons.lock text eol=lf\n`,
    );
  });

  it('has Next.js 15, which knows no other option, build without Turbopack', async () => {
    const scripts =
      '{\n  "scripts": {\n    "dev": "next dev --turbopack",\n    "old": "next dev --turbo",\n    "build": "next build"\n  },\n  "dependencies": { "next": "15" }\n}\n';
    const root = await writeProject({
      'package.json': scripts,
      'next.config.mjs': 'const nextConfig = {};\n\nexport default nextConfig;\n',
      'node_modules/next/package.json': '{ "version": "15.5.29" }',
    });
    await runInProject(root, ['init', '--yes', '--no-example']);
    expect(await readFile(join(root, 'package.json'), 'utf8')).toBe(
      scripts.replaceAll(/ --turbo(?:pack)?/g, ''),
    );
    const { out } = await runInProject(root, ['init', '--yes', '--no-example']);
    expect(out).toMatch(/unchanged +package\.json/);
  });

  it('has Next.js build with webpack', async () => {
    const scripts =
      '{\n  "scripts": {\n    "dev": "next dev --turbopack",\n    "build": "next build",\n    "start": "next start"\n  },\n  "dependencies": { "next": "16", "react": "19" }\n}\n';
    const root = await writeProject({
      'package.json': scripts,
      'next.config.mjs': 'const nextConfig = {};\n\nexport default nextConfig;\n',
    });
    await runInProject(root, ['init', '--yes', '--no-example']);
    const text = await readFile(join(root, 'package.json'), 'utf8');
    expect(text).toBe(
      scripts
        .replace('dev --turbopack', 'dev --webpack')
        .replace('next build', 'next build --webpack'),
    );
    await writeFile(join(root, 'package.json'), text);
    const { out } = await runInProject(root, ['init', '--yes', '--no-example']);
    expect(out).toMatch(/unchanged +package\.json/);
  });
});
