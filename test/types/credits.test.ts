import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createPackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** By framework: what compiles, with wrong uses among it. */
const USES: Record<string, string> = {
  react: `
import { createElement, createRef } from 'react';
export const ref = createRef<HTMLDivElement>();
export const good = createElement(IconCredits, { ref, credits, heading: 3, grouped: false, className: 'a', onClick() {} });
// @ts-expect-error Credits are required.
export const none = createElement(IconCredits, { heading: 3 });
// @ts-expect-error A heading is a level.
export const wrong = createElement(IconCredits, { credits, heading: {} });`,
  vue: `
import { h } from 'vue';
export const good = h(IconCredits, { credits, heading: 3, grouped: false, class: ['a'], onClick() {} });
// @ts-expect-error A heading is a level.
export const wrong = h(IconCredits, { credits, heading: {} });`,
  svelte: `
import { mount, type ComponentProps } from 'svelte';
export const good: ComponentProps<typeof IconCredits> = { credits, heading: 3, class: ['a'], onclick() {} };
export const mounted = () => mount(IconCredits, { target: document.body, props: good });
// @ts-expect-error Credits are required.
export const wrong: ComponentProps<typeof IconCredits> = { heading: 3 };`,
  astro: `
export const good = IconCredits({ credits, heading: '3', 'class:list': ['a'], 'data-x': 1 });
// @ts-expect-error Credits are required.
export const wrong = IconCredits({ heading: 3 });`,
  'web-component': `
const name: string = IconCredits.define('my-credits');
export const markup: string = IconCredits.toHTML({ credits, heading: 3, tag: name, class: 'a' });
const element = new IconCredits();
element.credits = credits;
export const same: HTMLElement = element;
// @ts-expect-error Credits are a list.
element.credits = 'all';`,
};

it('types know what <IconCredits> takes, and that `icon:credits` is it', async () => {
  const files = Object.entries(USES).map(([name, use]) => [
    `${name}.ts`,
    `import credits from 'icon:credits';
import IconCredits from 'unplugin-icon-catalog/credits/${name}';
${use}`,
  ]);
  const consumer = await createPackedConsumer({
    packages: ['react', '@types/react', 'vue', 'svelte', 'astro', '@types/node'],
    files: {
      ...(Object.fromEntries(files) as Record<string, string>),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          lib: ['es2023', 'dom', 'dom.iterable'],
          module: 'esnext',
          moduleResolution: 'bundler',
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          types: ['unplugin-icon-catalog/types'],
        },
        include: ['*.ts'],
      }),
    },
  });
  onTestFinished(() => consumer.remove());
  const { stdout } = await run(
    process.execPath,
    [compiler, '-p', join(consumer.root, 'tsconfig.json'), '--pretty', 'false'],
    { cwd: consumer.root },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
