import { h, hydrate } from 'preact';
import { App } from './app.js';

hydrate(h(App), document.querySelector('#app'));
