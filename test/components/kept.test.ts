import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ComponentWriter, Framework } from '../../src/component.ts';
import { toDefaultId } from '../../src/request/key.ts';
import { createIcons, type Icons } from '../../src/icons.ts';
import { createSession } from '../../src/build/session.ts';
import type { Options } from '../../src/options/options.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { iconOptions } from './build-app.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

async function createRoot(): Promise<string> {
  const root = await temporaryFolder();
  await symlink(MODULES, join(root, 'node_modules'), 'junction');
  return root;
}

const onlyTabler = (root: string): Options => ({
  ...iconOptions(root),
  catalog: { embedded: { sets: ['tabler'], root } },
});

async function withEnd<Result>(loading: Promise<Result>, icons: Icons): Promise<Result> {
  try {
    return await loading;
  } finally {
    await icons.close();
  }
}

/** One build that asks for one icon: what was there without waiting, and what it got. */
async function build(root: string, framework: Framework | ComponentWriter) {
  const session = createSession({ ...onlyTabler(root), framework }, 'vite');
  session.configure({ root });
  session.begin();
  const id = session.resolve('icon:home?size=2em', 'main.js');
  await session.expect();
  const kept = session.cachedValue(toDefaultId(id));
  const made = await session.load(id, { part: 'value' });
  await session.end([], { quiet: true });
  await session.close();
  return { kept, code: made.kind === 'code' ? made.code : '' };
}

describe('finished components', () => {
  it('are taken from the cache by the next build, each framework its own', async () => {
    const root = await createRoot();
    const cold = await build(root, 'react');
    expect(cold.kept).toBeUndefined();
    expect(await build(root, 'react')).toEqual({ kept: cold.code, code: cold.code });

    const solid = await build(root, 'solid');
    expect(solid.kept).toBeUndefined();
    expect(solid.code).not.toBe(cold.code);
    expect((await build(root, 'solid')).kept).toBe(solid.code);
    expect((await build(root, 'react')).kept).toBe(cold.code);
  });

  it('of a function are written again each time', async () => {
    const root = await createRoot();
    let calls = 0;
    const writer: ComponentWriter = ({ id, markup, children, size }) => {
      calls += 1;
      return `export default ${JSON.stringify([id, markup.length > 100, children.length > 0, size])};`;
    };
    for (const count of [1, 2]) {
      const { kept, code } = await build(root, writer);
      expect(kept).toBeUndefined();
      expect(code).toContain('"2em"');
      expect(calls).toBe(count);
    }
  });
});

describe('a component without a bundler', () => {
  it('is a module that stands by itself, with its credit', async () => {
    const root = await createRoot();
    const icons = createIcons({ ...onlyTabler(root), framework: 'web-component' }, { root });
    const { code } = await icons.load('icon:home');
    await icons.close();
    expect(code).not.toMatch(/^import /m);
    const module = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as { default: { toHTML(props: object): string }; credit: object; icon: { term: string } };
    expect(module.default.toHTML({ size: 9 })).toMatch(/^<icon-home-\d+ size="9"><svg .*width="9"/);
    expect(module.icon.term).toBe('Home');
    expect(module.credit).toMatchObject({ title: 'Home' });
  });

  it('can be written by a function, whose errors say where it went wrong', async () => {
    const root = await createRoot();
    const load = async (framework: ComponentWriter) => {
      const icons = createIcons({ ...onlyTabler(root), framework }, { root });
      return withEnd(icons.load('icon:home?title=A'), icons);
    };
    const { code } = await load(({ title, attributes, children, viewBox, ratio }) => {
      const [group] = children;
      const stroke = typeof group === 'object' ? group.attributes['stroke'] : group;
      return `export default ${JSON.stringify([title, attributes, stroke, viewBox, ratio])};`;
    });
    // Nothing in it is filled, so its root has no fill.
    expect(code).toMatch(/^export default \["A",\{\},"currentColor","0 0 24 24",1\];\n/);
    expect(code).toContain('export const credit = ');
    await expect(load(() => 'const a = 1;')).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'framework',
      message: expect.stringContaining('exports nothing') as string,
    });
    await expect(
      load(() => {
        throw new Error('no such thing');
      }),
    ).rejects.toThrow('no such thing');
  });

  it('is made of what `svg.transform` returns, and says where that is no drawing', async () => {
    const root = await createRoot();
    const load = async (transform: (svg: string) => string) => {
      const options: Options = { ...onlyTabler(root), framework: 'lit', svg: { transform } };
      const icons = createIcons(options, { root });
      return withEnd(icons.load('icon:home?color=f00&class=a'), icons);
    };
    const { code } = await load((svg) =>
      svg
        .replace('class="a"', 'class="a b" data-mine="1"')
        .replace('</svg>', '<path id="x" fill="#ff0000" d="M0 0"/><use href="#x"/></svg>'),
    );
    expect(code).toContain('createUniqueIcon(24,');
    expect(code).toContain('"data-mine":"1"');
    expect(code).toContain('{"color":"#ff0000","class":"a b"}');
    expect(code).toContain(String.raw`"-x\" fill=\"",0,`);
    await expect(load((svg) => `${svg}<b/>`)).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'svg.transform',
    });
  });
});
