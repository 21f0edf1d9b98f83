import crown from 'icon:crown?color=c90';

/** Drawn by the server and by browsers. */
export const header = () => `<header>${crown}</header>`;
