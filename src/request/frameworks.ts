import type { Framework } from '../component.ts';

/** Frameworks that components are written for. */
export const FRAMEWORKS: readonly Framework[] = [
  'react',
  'preact',
  'vue',
  'solid',
  'svelte',
  'lit',
  'web-component',
  'astro',
  'qwik',
];
