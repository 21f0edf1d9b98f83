import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type Framework, FRAMEWORKS } from '../../src/component.ts';
import { createIcons } from '../../src/icons.ts';
import { embeddedIconId } from '../../src/server.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const DRAWINGS = fileURLToPath(new URL('drawings', import.meta.url));
/** Drawings with gradients, masks, clip paths, filters and references, and an icon without any. */
const ICONS = ['drawings/glow', 'drawings/masked', 'drawings/blurred', 'maki/home'];

/** By framework: how a server renders a component, as the framework's documentation has it. */
const RENDER: Record<Framework, string> = {
  react: `const { createElement } = await import('react');
    const { renderToStaticMarkup } = await import('react-dom/server');
    return renderToStaticMarkup(createElement(Icon));`,
  preact: `const { h } = await import('preact');
    const { renderToString } = await import('preact-render-to-string');
    return renderToString(h(Icon));`,
  vue: `const { createSSRApp } = await import('vue');
    const { renderToString } = await import('vue/server-renderer');
    return renderToString(createSSRApp(Icon));`,
  solid: `const { createComponent, renderToString } = await import('solid-js/web');
    return renderToString(() => createComponent(Icon, {}));`,
  svelte: `const { render } = await import('svelte/server');
    return render(Icon).body;`,
  lit: `const { render } = await import('@lit-labs/ssr');
    const { collectResult } = await import('@lit-labs/ssr/lib/render-result.js');
    return collectResult(render(Icon({})));`,
  'web-component': `return Icon.toHTML();`,
  astro: `const { experimental_AstroContainer: Container } = await import('astro/container');
    return (await Container.create()).renderToString(Icon);`,
  qwik: `const { jsx } = await import('@builder.io/qwik');
    const { renderToString } = await import('@builder.io/qwik/server');
    const manifest = { manifestHash: 'x', symbols: {}, mapping: {}, bundles: {} };
    return (await renderToString(jsx(Icon, {}), { containerTagName: 'div', base: '/', manifest })).html;`,
};

/** What the module of an icon exports, and what a server sends for it, in a root of its own. */
interface Rendered {
  framework: Framework;
  name: string;
  html?: string;
  id?: string;
  failed?: string;
}

/** In a process without a bundler: the modules are run as they are. */
async function renderAll(): Promise<Rendered[]> {
  const root = await writeProject({});
  await symlink(MODULES, join(root, 'node_modules'), 'junction');
  const files: Record<string, string> = {};
  const tasks: string[] = [];
  for (const framework of FRAMEWORKS) {
    const icons = createIcons(
      {
        catalog: { embedded: { sets: ['maki'], folders: [DRAWINGS], root: process.cwd() } },
        cacheDir: join(root, '.cache'),
        framework,
      },
      { root, env: {}, log: recordingLog() },
    );
    for (const name of ICONS) {
      const file = `${framework}/${name.replace('/', '-')}.mjs`;
      files[file] = (await icons.load(`icon:${name}?as=component`)).code;
      tasks.push(
        `await tell('${framework}', '${name}', './${file}', async (Icon) => { ${RENDER[framework]} });`,
      );
    }
    await icons.close();
  }
  // What Qwik's server finds where Vite has bundled it: a manifest, and the base of the site.
  files['hooks.mjs'] = `export const resolve = (name, context, next) =>
    name === '@qwik-client-manifest'
      ? next('./manifest.mjs', { ...context, parentURL: import.meta.url })
      : next(name, context);
  export const load = async (url, context, next) => {
    const loaded = await next(url, context);
    if (!url.endsWith('/qwik/dist/server.mjs')) return loaded;
    return { ...loaded, source: String(loaded.source).replaceAll('import.meta.env.BASE_URL', '"/"') };
  };`;
  files['manifest.mjs'] = 'export const manifest = undefined;';
  files['run.mjs'] = `import { register } from 'node:module';
    register('./hooks.mjs', import.meta.url);
    const all = [];
    const tell = async (framework, name, file, render) => {
      try {
        const { default: Icon, icon } = await import(file);
        all.push({ framework, name, id: icon.id, html: await render(Icon) });
      } catch (error) {
        all.push({ framework, name, failed: String(error) });
      }
    };
    ${tasks.join('\n')}
    process.stdout.write('\\n' + JSON.stringify(all));`;
  await writeFiles(root, files);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: root, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1)) as Rendered[];
}

it('modules of createIcons run as they are in all frameworks, and no two icons share an id', async () => {
  const rendered = await renderAll();
  expect(rendered).toHaveLength(FRAMEWORKS.length * ICONS.length);
  for (const { framework, name, html: page = '', id, failed } of rendered) {
    const html = /<svg[^]*<\/svg>/.exec(page)?.[0] ?? '';
    const about = `${framework} ${name}`;
    expect(failed, about).toBeUndefined();
    expect(id, about).toBe(String(embeddedIconId(...(name.split('/') as [string, string]))));
    expect(html, about).toMatch(/<svg[^>]* viewBox="0 0 /);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, one = '']) => one);
    expect(ids.length > 0, about).toBe(name !== 'maki/home');
    // Every reference leads to an id of the same drawing.
    for (const [, reference] of html.matchAll(/(?:url\(|href=")#([^)"]+)/g))
      expect(ids, about).toContain(reference);
    // A shadow root is a tree of ids of its own, and Lit counts ids over the whole process.
    if (framework === 'web-component' || framework === 'lit') continue;
    for (const one of ids) expect(one, about).toContain(id);
  }
});
