import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { qwikVite } from '@builder.io/qwik/optimizer';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { build, type PluginOption } from 'vite';
import solid from 'vite-plugin-solid';
import { expect, it } from 'vitest';
import type { Framework } from '../../src/component.ts';
import { type CopyForm, copyForms } from '../../src/picker/page/copy-forms.ts';
import { checkAlias, suggestAlias } from '../../src/picker/page/text.ts';
import { toVariable } from '../../src/request/alias-names.ts';
import { parseSpecifier } from '../../src/request/parse-request.ts';
import { embeddedIconId } from '../../src/server.ts';
import iconCatalog from '../../src/vite.ts';
import { fakeIcon } from '../support/fake-picker.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const project = { framework: 'react', defaults: {} };

function codes(forms: CopyForm[]): Record<string, string> {
  return Object.fromEntries(forms.map(({ id, code }) => [id, code]));
}

it('every form names the icon as the build reads it, with colour and size', () => {
  const icon = fakeIcon('home', { aliases: ['house'] });
  const forms = copyForms(icon, { color: '1d5c46', size: 24 }, project);
  expect(codes(forms)).toMatchObject({
    import: "import house from 'icon:house?color=1d5c46&size=24';",
    component: "import House from 'icon:house?component&color=1d5c46&size=24';\n\n<House />",
    url: "import houseUrl from 'icon:house?url&color=1d5c46&size=24';",
    css: "background: url('icon:house?color=1d5c46&size=24') center no-repeat;",
    mask: "mask: url('icon:house') center / 24px no-repeat;\nbackground: #1d5c46;",
    img: '<img src="icon:house?color=1d5c46&#38;size=24" alt="home" />',
    inline: '<img inline src="icon:house?color=1d5c46&#38;size=24" alt="home" />',
    set: "import icons from 'icon:set?ids=house&color=1d5c46&size=24';",
    id: 'tabler/home',
    add: 'npx icon-catalog add tabler/home --as house',
  });
  const specifiers = forms
    .flatMap(({ code }) => code.replaceAll('&#38;', '&').match(/icon:(?!set)[^'"]+/g) ?? [])
    .map(
      (specifier) =>
        parseSpecifier(specifier, { aliases: { house: 1 }, framework: 'react' }).canonical,
    );
  expect(specifiers.length).toBeGreaterThan(6);
});

it('leaves out what the defaults of the project say, and names variables after the icon', () => {
  const defaults = { color: '#1d5c46', size: 24 };
  const icon = fakeIcon('home', { id: '123', name: '123', term: 'Class 2' });
  const forms = codes(
    copyForms(icon, { color: '1d5c46', size: 24 }, { framework: null, defaults }),
  );
  expect(forms['import']).toBe("import class2 from 'icon:123';");
  expect(forms['component']).toBeUndefined();
  const plain = codes(copyForms(icon, { color: 'currentColor' }, { framework: null, defaults }));
  expect(plain['import']).toBe("import class2 from 'icon:123?color=currentColor';");
  expect(plain['css']).toBe("background: url('icon:123') center no-repeat;");
});

it('a name that is taken, reserved or a number gets the nearest free one', () => {
  const taken = new Set(['home', 'home-2']);
  expect(suggestAlias('Home', taken)).toBe('home-3');
  expect(suggestAlias('日', new Set())).toBe('icon');
  expect(suggestAlias('3D cube', new Set())).toBe('icon-3d-cube');
  expect(checkAlias('home', taken)?.suggestion).toBe('home-3');
  expect(checkAlias('set', taken)?.suggestion).toBe('set-icon');
  expect(checkAlias('12', taken)?.suggestion).toBe('icon-12');
  expect(checkAlias('../up', taken)?.suggestion).toBe('up');
  expect(checkAlias('fine-name', taken)).toBeUndefined();
  // By the rules of the configuration that gets the name.
  expect(checkAlias('3d', taken)?.suggestion).toBe('icon-3d');
  expect(checkAlias('häuser', taken)).toBeUndefined();
  expect(toVariable('class')).toBe('classIcon');
});

/** A component that shows what is copied, in each framework, and what its own plugin for Vite or its JSX needs. */
const APPS: Record<
  string,
  {
    file: string;
    app: (imports: string, tag: string) => string;
    plugin?: () => PluginOption;
    jsx?: string;
  }
> = {
  react: { file: 'app.jsx', app: jsx, jsx: 'react' },
  preact: { file: 'app.jsx', app: jsx, jsx: 'preact' },
  solid: { file: 'app.jsx', app: jsx, plugin: solid },
  qwik: { file: 'src/app.jsx', app: jsx, plugin: () => qwikVite({ csr: true }) },
  vue: {
    file: 'app.vue',
    app: (imports, tag) => `<script setup>\n${imports}\n</script>\n<template>${tag}</template>`,
    plugin: vue,
  },
  svelte: {
    file: 'app.svelte',
    app: (imports, tag) => `<script>\n${imports}\n</script>\n${tag}`,
    plugin: () => svelte({ configFile: false }),
  },
  lit: {
    file: 'app.js',
    app: (imports, tag) =>
      `import { html } from 'lit';\n${imports}\nexport default () => html\`<p>${tag}</p>\`;`,
  },
  'web-component': {
    file: 'app.js',
    app: (imports, tag) => `${imports}\nexport default () => { ${tag}\n };`,
  },
};

function jsx(imports: string, tag: string): string {
  return `${imports}\nexport default () => ${tag};`;
}

const BANK = String(embeddedIconId('maki', 'bank'));

it.each(Object.keys(APPS) as Framework[])(
  'every form, pasted into a project of %s, builds',
  async (framework) => {
    const { file, app, plugin, jsx: importSource } = APPS[framework] ?? fail(framework);
    const icon = fakeIcon('bank', {
      id: BANK,
      name: 'maki/bank',
      term: 'Bank',
      aliases: ['money'],
    });
    const copied = codes(
      copyForms(icon, { color: '1d5c46', size: 24 }, { framework, defaults: {} }),
    );
    const [component = '', tag = ''] = copied['component']?.split('\n\n') ?? [];
    const root = await writeProject({
      'index.html': `<!doctype html><html lang="en"><title>x</title>${copied['img']}${copied['inline']}<script type="module" src="/main.js"></script>`,
      'style.css': `.picture { ${copied['css']} }\n.mask { ${copied['mask']} }`,
      [file]: app(component, tag),
      'main.js': `import './style.css';\nimport App from './${file}';\n${copied['import']}\n${copied['url']}\n${copied['set']}\nglobalThis.shown = [App, money, moneyUrl, icons];`,
    });
    await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'junction');
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      ...(importSource && { oxc: { jsx: { runtime: 'automatic', importSource } } }),
      plugins: [
        iconCatalog({
          catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
          aliases: { money: 'maki/bank' },
          cacheDir: join(root, '.cache'),
          logLevel: 'silent',
          framework,
        }),
        plugin?.(),
      ],
    });
    const output = await readTree(join(root, 'dist'));
    const texts = [...output].filter(([path]) => /\.(?:html|css|js)$/.test(path));
    for (const [path, bytes] of texts) {
      if (path.startsWith('icon-attribution')) continue;
      expect([path, /["'(=]icon:/.exec(String(bytes))?.[0]]).toEqual([path, undefined]);
    }
    const all = (extension: string): string =>
      texts
        .filter(([path]) => path.endsWith(extension))
        .map(([, bytes]) => String(bytes))
        .join('\n');
    const page = String(output.get('index.html'));
    expect(page).toMatch(/<svg [^>]*fill="#1d5c46"[^>]*>.*<title>Bank<\/title>/s);
    expect(page).toMatch(/<img src="(?:data:image\/svg|\/assets\/)[^>]* alt="Bank"/);
    expect(all('.css').match(/url\(["']?(?:data:image\/svg|\/assets\/)/g)?.length).toBeGreaterThan(
      1,
    );
    // The drawing of the component, and the address beside it.
    expect(all('.js')).toContain('1d5c46');
    const { icons } = parseManifest(String(output.get('icon-attribution.json')));
    expect(icons.map(({ id }) => id)).toEqual([BANK]);
  },
);

function fail(framework: string): never {
  throw new Error(framework);
}
