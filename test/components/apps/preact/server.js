import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { App } from './app.js';

export const render = async () => renderToString(h(App));
