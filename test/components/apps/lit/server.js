import { render as renderLit } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { app } from './app.js';

export const render = () => collectResult(renderLit(app(30)));
