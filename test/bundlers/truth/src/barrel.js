import home from 'icon:tabler/home';
import moon from 'icon:moon';
import search from 'icon:search';

export { default as bell } from './never.js';
export const find = () => search;
export const night = () => moon;
export { home };
