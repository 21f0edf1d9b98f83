import { createComponent, render as template, renderComponent } from 'astro/compiler-runtime';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { render as renderSvelte } from 'svelte/server';
import { createSSRApp, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
import AstroCredits from '../../src/credits/astro.ts';
import type { CreditsProps } from '../../src/credits/describe-list.ts';
import ReactCredits from '../../src/credits/react.ts';
import SvelteCredits from '../../src/credits/svelte.ts';
import VueCredits from '../../src/credits/vue.ts';
import CreditsElement from '../../src/credits/web-component.ts';

export interface PageProps extends CreditsProps {
  class?: string;
  id?: string;
  'data-kind'?: string;
}

export type Framework = 'react' | 'vue' | 'svelte' | 'astro' | 'web-component';

/** What the server of each framework sends. */
export const SERVERS: Record<Framework, (props: PageProps) => Promise<string>> = {
  react: async ({ class: className, ...props }) =>
    renderReact(createElement(ReactCredits, { ...props, className })),
  vue: (props) => {
    const app = createSSRApp({ render: () => h(VueCredits, { ...props }) });
    // It repeats every error as a warning with all the props; the browser's warnings are heard elsewhere.
    app.config.warnHandler = () => {};
    return renderVue(app);
  },
  svelte: async (props) => renderSvelte(SvelteCredits, { props: { ...props } }).body,
  astro: async (props) => {
    const draw = (result: unknown): unknown =>
      template`${renderComponent(result as never, 'IconCredits', AstroCredits, { ...props })}`;
    const page = createComponent(draw as Parameters<typeof createComponent>[0]);
    return (await AstroContainer.create()).renderToString(page);
  },
  'web-component': async (props) => CreditsElement.toHTML({ ...props }),
};

export const FRAMEWORKS = Object.keys(SERVERS) as Framework[];
