import fuel from 'icon:fuel';

export const footer = () => `<footer>${fuel}</footer>`;
