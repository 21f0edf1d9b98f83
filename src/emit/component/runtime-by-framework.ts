import type { Framework } from '../../component.ts';
import { astro } from './astro.ts';
import type { ComponentRuntime } from './component-types.ts';
import { lit } from './lit.ts';
import { preact } from './preact.ts';
import { qwik } from './qwik.ts';
import { react } from './react.ts';
import { solid } from './solid.ts';
import { svelte } from './svelte.ts';
import { vue } from './vue.ts';
import { webComponent } from './web-component.ts';

export const runtimeByFramework: Readonly<Record<Framework, ComponentRuntime>> = {
  react,
  preact,
  vue,
  solid,
  svelte,
  lit,
  'web-component': webComponent,
  astro,
  qwik,
};
