import home from 'icon:home';
import moon from 'icon:moon';

export { default as bell } from './never.js';
export const night = () => moon;
export { home };
