import { render as renderLit } from '@lit-labs/ssr';
import Glow from 'icon:glow?component';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { app } from './app.js';

export const render = () => collectResult(renderLit(app(30)));
export const named = () => collectResult(renderLit([Glow({ id: 'a' }), Glow({ id: 'b "' })]));
