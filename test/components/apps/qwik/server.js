import { jsx } from '@builder.io/qwik';
import { renderToString } from '@builder.io/qwik/server';
import { App } from './app.js';

export const render = async () => {
  const { html } = await renderToString(jsx(App, {}), {
    containerTagName: 'div',
    base: '/',
    qwikLoader: { include: 'always' },
  });
  return html;
};
