import { header } from './header.js';
import { footer } from './server-only.js';

export const render = () => header() + footer();
