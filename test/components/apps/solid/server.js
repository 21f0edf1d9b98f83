import { renderToString } from 'solid-js/web';
import { App } from './app.js';

export const render = async () => renderToString(App);
