import Glow from 'icon:glow?component';
import { app } from './app.js';

export const render = async () => app();
export const named = () => Glow.toHTML({ id: 'a' }) + Glow.toHTML({ id: 'b "' });
