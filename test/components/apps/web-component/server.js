import { app } from './app.js';

export const render = async () => app();
