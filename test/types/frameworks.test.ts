import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { Framework } from '../../src/component.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** By framework: what compiles, with wrong uses among it. */
const USES: Record<Framework, string> = {
  react: `
import { createElement, createRef } from 'react';
export const ref = createRef<SVGSVGElement>();
export const good = createElement(Star, { ref, size: '2em', color: '#f00', title: 'Star', className: 'a', onClick() {} });
// @ts-expect-error A size is no object.
export const wrong = createElement(Star, { size: {} });`,
  preact: `
import { createRef, h, type ComponentProps } from 'preact';
export const ref = createRef<SVGSVGElement>();
export const events: ComponentProps<typeof Star> = { onClick(event) { event.currentTarget.getBBox(); } };
export const good = h(Star, { ref, size: 24, title: 'Star', class: 'a', onClick() {} });
// @ts-expect-error A size is no object.
export const wrong = h(Star, { size: {} });`,
  vue: `
import { h } from 'vue';
export const good = h(Star, { size: 24, title: 'Star', class: ['a'], onClick() {} });
// @ts-expect-error A size is no object.
export const wrong = h(Star, { size: {} });`,
  solid: `
import { createComponent } from 'solid-js';
export const good = createComponent(Star, { size: 24, title: 'Star', class: 'a', onClick() {}, ref(svg) { svg.getBBox(); } });
// @ts-expect-error A size is no object.
export const wrong = createComponent(Star, { size: {} });`,
  svelte: `
import { mount, type ComponentProps } from 'svelte';
export const good: ComponentProps<typeof Star> = { size: 24, title: 'Star', class: ['a'], onclick() {} };
export const mounted = () => mount(Star, { target: document.body, props: good });
// @ts-expect-error A size is no object.
export const wrong: ComponentProps<typeof Star> = { size: {} };`,
  lit: `
import { html } from 'lit';
export const good = html\`<b>\${Star({ size: 24, class: 'a', '@click': () => {} })} \${Star()}</b>\`;
// @ts-expect-error A size is no object.
export const wrong = Star({ size: {} });`,
  'web-component': `
const name: string = Star.define('my-star');
export const element: HTMLElement = new Star();
export const markup: string = Star.toHTML({ size: 24, class: name, tag: 'my-star' });
// @ts-expect-error A name is a string.
Star.define(1);`,
  astro: `
export const good = Star({ size: 24, title: 'Star', 'class:list': ['a'], 'data-x': 1 });
export const image: astroHTML.JSX.IntrinsicElements['img'] = { inline: true, src: 'icon:star', alt: '' };
// @ts-expect-error A size is no object.
export const wrong = Star({ size: {} });`,
  qwik: `
import { jsx } from '@builder.io/qwik';
export const good = jsx(Star, { size: 24, title: 'Star', class: ['a'] });
// @ts-expect-error A size is no object.
export const wrong = jsx(Star, { size: {} });`,
};

const COMMON = `
import Star, { credit, icon } from 'icon:star';
import raw from 'icon:star?raw';
import url from 'icon:star?color=f00&as=url';
import file from 'icon:star?filetype=png';
import record from 'icon:star?as=meta';
import credits from 'icon:credits';
export const texts: string[] = [raw, url, file, record.term, icon.term, credit.credit.line];
export const count: number = credits.length;
`;

const FRAMEWORKS = Object.keys(USES) as Framework[];

/** What the compiler says of all of them, in one run: a line each. */
let complaints: string[];
beforeAll(async () => {
  const files = FRAMEWORKS.flatMap((framework) => [
    [`${framework}.ts`, COMMON + USES[framework]],
    [
      `tsconfig.${framework}.json`,
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          lib: ['es2023', 'dom', 'dom.iterable'],
          module: 'esnext',
          moduleResolution: 'bundler',
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          types: [
            `unplugin-icon-catalog/types/${framework}`,
            ...(framework === 'astro' ? ['astro/astro-jsx'] : []),
          ],
        },
        include: [`${framework}.ts`],
      }),
    ],
  ]);
  const consumer = await createPackedConsumer({
    packages: [
      'react',
      '@types/react',
      'preact',
      'vue',
      'solid-js',
      'svelte',
      'lit',
      '@builder.io/qwik',
      'astro',
      '@types/node',
    ],
    files: Object.fromEntries(files) as Record<string, string>,
  });
  const configs = FRAMEWORKS.map((framework) => `tsconfig.${framework}.json`);
  const { stdout } = await run(
    process.execPath,
    [compiler, '--build', ...configs, '--pretty', 'false'],
    { cwd: consumer.root },
  ).catch((error: { stdout: string }) => error);
  complaints = stdout.split('\n').filter((line) => line !== '');
  await consumer.remove();
});

it.each(FRAMEWORKS)('types of %s know the props of a component, and what is none', (framework) => {
  const ofOthers = FRAMEWORKS.filter((other) => other !== framework).map((name) => `${name}.ts(`);
  expect(complaints.filter((line) => !ofOthers.some((start) => line.startsWith(start)))).toEqual(
    [],
  );
});
