import { hydrate } from '@lit-labs/ssr-client';
import { render } from 'lit';
import { app } from './app.js';

const target = document.querySelector('#app');
const grow = (size) => render(app(size, grow), target);
hydrate(app(30, grow), target);
