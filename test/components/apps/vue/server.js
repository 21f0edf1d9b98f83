import { renderToString } from 'vue/server-renderer';
import { createApp } from './app.js';

export const render = () => renderToString(createApp());
