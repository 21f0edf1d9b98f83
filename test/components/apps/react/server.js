import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.js';

export const render = async () => renderToString(createElement(App));
