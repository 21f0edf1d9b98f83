import anchor from 'icon:anchor?size=2em';

export const draw = () => anchor;
