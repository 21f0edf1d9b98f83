export { options as default } from './options.js';
