import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import type { Framework } from '../../src/component.ts';
import { emitComponent } from '../../src/emit/component/emit-component.ts';
import { joinValue, runtimeByFramework, withRuntime } from '../../src/emit/module-code.ts';
import { prepareSvg } from '../../src/svg/prepare-svg.ts';
import { renderSvg } from '../../src/svg/render-svg.ts';
import { HOSTILE, request } from '../emit/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const FRAMEWORKS = Object.keys(runtimeByFramework) as Framework[];

/** What XML can hold of the hostile texts, and the marks of every template language. */
const TEXTS = [
  ...HOSTILE,
  '{{ constructor.constructor("alert(1)")() }}',
  '${alert(1)}',
  '{alert(1)}',
  '{@html "<img src=x onerror=alert(1)>"}',
  '`+alert(1)+`',
  '"></title></svg><script>alert(1)</script>',
  '*/alert(1)/*',
  '<!--lit-part-->',
  '\u2028\u2029',
].map((text) => text.replaceAll(/[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu, ''));

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (unit) => `&#${unit.charCodeAt(0)};`);

/** A drawing whose own text is hostile as well. */
async function component(text: string, framework: Framework): Promise<string> {
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><text x="1">${escape(text)}</text><path d="M0 0h8v8z"/></svg>`;
  const master = await prepareSvg(new TextEncoder().encode(file), {
    id: 1,
    askedColor: '010203',
    fixedColor: false,
    optimize: true,
    strict: false,
    animation: false,
    maxBytes: 100_000,
  });
  const asked = { ...request, as: 'component' as const, title: text.trim() || 'x', class: text };
  const svg = renderSvg(master, { ...asked, color: 'currentColor', size: '1em', isFile: false });
  const values = [undefined, master].map((drawn) =>
    emitComponent({ request: asked, svg, master: drawn, term: text }, framework),
  );
  for (const value of values) {
    expect(() => JSON.parse(value) as unknown).not.toThrow();
    expect(value).not.toMatch(/[<\u0080-\uffff]/);
  }
  return withRuntime(joinValue({ value: values[1] ?? '' }), framework);
}

describe.each(FRAMEWORKS)('hostile text in components of %s', (framework) => {
  it('is data in code that parses and has the imports of the framework only', async () => {
    for (const text of TEXTS) {
      const code = await component(text, framework);
      const { program, errors } = parseSync('icon.js', code);
      expect(errors, text).toEqual([]);
      const statements = program.body.map(({ type }) => type);
      expect(new Set(statements)).toEqual(
        new Set(
          ['ImportDeclaration', 'VariableDeclaration', 'ExportDefaultDeclaration'].filter(
            (type) => type !== 'ImportDeclaration' || framework !== 'web-component',
          ),
        ),
      );
      expect(code).not.toMatch(/<\/?script|<!--|\]\]>\s*$/i);
    }
  });
});

/** By framework: an expression that draws `Icon` with `props` to markup. */
const DRAW: Partial<Record<Framework, string>> = {
  react: `(await import('react-dom/server')).renderToString((await import('react')).createElement(Icon, props))`,
  preact: `(await import('preact-render-to-string')).renderToString((await import('preact')).h(Icon, props))`,
  vue: `await (await import('vue/server-renderer')).renderToString((await import('vue')).createSSRApp({ render: () => vue.h(Icon, props) }))`,
  solid: `(await import('solid-js/web')).renderToString(() => Icon(props))`,
  svelte: `(await import('svelte/server')).render(Icon, { props }).body`,
  lit: `await (await import('@lit-labs/ssr/lib/render-result.js')).collectResult((await import('@lit-labs/ssr')).render(Icon(props)))`,
  'web-component': `Icon.toHTML(props)`,
};

it.each(Object.keys(DRAW) as Framework[])(
  'hostile titles, colours, sizes and classes stay texts in what %s draws',
  async (framework) => {
    const root = await temporaryFolder();
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    await mkdir(join(root, 'icons'));
    const given = TEXTS.map((text) => text.trim()).filter((text) => text !== '');
    const icon = join(root, 'icons/icon.mjs');
    await writeFile(icon, await component('calm', framework));
    const script = `
      import Icon from ${JSON.stringify(pathToFileURL(icon).href)};
      ${framework === 'vue' ? `import * as vue from 'vue';` : ''}
      const drawn = [];
      for (const text of ${JSON.stringify(given)}) {
        const props = { title: text, color: text, size: text, class: text, 'data-text': text };
        drawn.push(${DRAW[framework]});
      }
      process.stdout.write(JSON.stringify(drawn));`;
    await writeFile(join(root, 'draw.mjs'), script);
    const { stdout } = await run(process.execPath, ['draw.mjs'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const drawn = JSON.parse(stdout) as string[];
    expect(drawn).toHaveLength(given.length);
    for (const markup of drawn) {
      const outside = markup.replaceAll(/"[^"]*"/g, '""');
      // Nothing but the drawing's own elements: what was given opens no tag and no comment.
      const tags = outside
        .replaceAll(/<!--(?:\/?lit-[^>]*|[[\]]|)-->/g, '')
        .match(/<[a-z!?/][^\s/>]*/gi);
      const allowed = /^<\/?(?:svg|title|path|text|g|icon-[\w-]+)$/;
      expect(tags?.filter((tag) => !allowed.test(tag))).toEqual([]);
      expect(outside.match(/<[^>]*\son\w+=/g)).toBeNull();
    }
  },
);
